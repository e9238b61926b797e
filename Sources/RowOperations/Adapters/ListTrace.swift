import Foundation

/// Writes the reports of a list's view as text, one line for each, for a test to play again.
///
/// The text is raw: it has layouts and offsets, from which the relay makes its decisions. Rows are
/// numbers and views letters, in the order of their first appearance, so nothing of the app's users
/// is in it.
///
/// | line | report |
/// |---|---|
/// | `trace 2 UITableView Version 17.5` | the version of the text, the kind of list, the system |
/// | `counts 10,10` | the number of items in each section, of the list's data from now on |
/// | `rows 5 [0…19]`, `item 25 [20,21]` | the rows of the items from 5 on, and those of item 25 |
/// | `bind a=5 cell`, `bind a=- view` | a cell or another view was bound to a row, or to none |
/// | `look 0,9,320,600 320x4400 47,0,34,0 100,20 a=5@0.3:0,132,320,44 b=7:0,0,9,9` | a layout |
/// | `offset 0,12.5 drag` | another offset: `drag`, `slow` for a deceleration, or nothing |
/// | `drag`, `lift 0,-900` | a finger: its start, and its end with points per second |
/// | `target 0,400` | the app reports the offset at which the list rests |
/// | `cover window`, `uncover window`, `resume` | a reason for which the list is covered |
/// | `display a`, `end a`, `data` | forwarded calls |
///
/// A layout gives the frame on screen, the size of the content, the insets from the top to the
/// right, the counts of items, and the views: with a row, for cells a path, and a frame.
/// `unsettled` stands for one amid a drag or a drop, `constrained` for one in Low Data Mode.
///
/// Each line begins with the milliseconds since the first one.
struct ListTrace<Row: Hashable & Sendable> {
  private let write: @MainActor (String) -> Void
  /// In nanoseconds.
  private let now: @MainActor () -> Int64
  private let start: Int64
  private var rows: [Row: Int] = [:]
  private var views: [ObjectIdentifier: Int] = [:]
  /// The rows that were read in the layout, by the numbers of their items.
  private var read: [Int: [Int]] = [:]

  @MainActor
  init(
    _ kind: String, now: @escaping @MainActor () -> Int64,
    _ write: @escaping @MainActor (String) -> Void
  ) {
    self.write = write
    self.now = now
    start = now()
    line("trace 2 \(kind) \(ProcessInfo.processInfo.operatingSystemVersionString)")
  }

  @MainActor
  private func line(_ text: String) {
    write("\((now() - start) / 1_000_000) \(text)")
  }

  // MARK: Names

  private mutating func number(_ row: Row) -> Int {
    if let known = rows[row] { return known }
    rows[row] = rows.count
    return rows.count - 1
  }

  private mutating func name(_ view: AnyObject) -> String {
    let key = ObjectIdentifier(view)
    let number = views[key] ?? views.count
    views[key] = number
    return TrackerInput<Int, Int>.name(ofCell: number)
  }

  private mutating func binding(_ view: AnyObject, _ row: Row?) -> String {
    "\(name(view))=\(row.map { String(number($0)) } ?? "-")"
  }

  // MARK: Reports

  @MainActor
  func counted(_ counts: [Int]) {
    line("counts \(counts.map(String.init).joined(separator: ","))")
  }

  mutating func rowsRead(_ rows: [Row], at position: Int) {
    read[position] = rows.map { number($0) }
  }

  /// Writes the rows that were read, those of consecutive items together.
  @MainActor
  mutating func endReading() {
    var run: (start: Int, rows: [Int])?
    func write() {
      guard let run else { return }
      line("rows \(run.start) \(TrackerInput<Int, Int>.setOrder(run.rows).description.dropFirst())")
    }
    for (position, rows) in read.sorted(byNumber: { Double($0.key) }) {
      // An item without rows, or with several, ends the run.
      if rows.count == 1, let last = run, last.start + last.rows.count == position {
        run?.rows += rows
        continue
      }
      write()
      run = rows.count == 1 ? (position, rows) : nil
      if rows.count != 1 {
        line("item \(position) \(TrackerInput<Int, Int>.setOrder(rows).description.dropFirst())")
      }
    }
    write()
    read = [:]
  }

  @MainActor
  mutating func bound(_ view: AnyObject, to row: Row?, isCell: Bool) {
    line("bind \(binding(view, row)) \(isCell ? "cell" : "view")")
  }

  /// - Parameter row: Returns the row that a view is bound to.
  @MainActor
  mutating func laidOut(
    _ layout: ListLayout, in watcher: any ListWatching, row: (AnyObject) -> Row?
  ) {
    let counts = layout.isCounted ? layout.counts.map(String.init).joined(separator: ",") : "-"
    var words = ["look", watcher.geometry, counts]
    for cell in layout.cells {
      let place = cell.position.map { "\($0.section).\($0.row)" } ?? ""
      let frame = watcher.geometry(of: cell.view)
      words.append("\(binding(cell.view, row(cell.view)))@\(place):\(frame)")
    }
    words += layout.others.map { "\(binding($0, row($0))):\(watcher.geometry(of: $0))" }
    if !layout.isSettled { words.append("unsettled") }
    if layout.isDataConstrained { words.append("constrained") }
    line(words.joined(separator: " "))
  }

  @MainActor
  func offsetChanged(_ reading: ScrollWatch.Reading) {
    let flag = reading.isDecelerating ? " slow" : reading.isDragging ? " drag" : ""
    line("offset \(reading.x),\(reading.y)\(flag)")
  }

  @MainActor
  mutating func forwarded(_ word: String, _ view: AnyObject) { line("\(word) \(name(view))") }

  @MainActor
  func event(_ text: String) { line(text) }
}

extension CGRect {
  /// The rectangle in a trace.
  var traceText: String { "\(minX),\(minY),\(width),\(height)" }
}
