/// Writes what a tracker is told as the text of an event script, one line for each turn.
///
/// Rows become numbers in the order in which they are first named, and cells letters.
@MainActor
@usableFromInline
final class EventRecorder<Row: Hashable & Sendable> {
  private struct Cell {
    weak var object: AnyObject?
    let number: Int
    /// The row that it was bound to last; −1 if it never was.
    var row = -1
  }

  private let write: @MainActor (String) -> Void
  private var words: [String] = []
  private var rows: [Row: Int] = [:]
  private var cells: [ObjectIdentifier: Cell] = [:]
  private var madeCells = 0
  /// Up to when time has been written, in nanoseconds.
  private var writtenTime: Int64?

  init(write: @escaping @MainActor (String) -> Void) { self.write = write }

  /// Notes a step without rows and cells.
  func note(_ step: String, at time: Int64) { add(step, at: time) }

  func note(_ letter: String, _ rows: some Sequence<Row>, at time: Int64) {
    let numbers = rows.map { String(number(of: $0)) }
    add("\(letter)[\(numbers.joined(separator: ","))]", at: time)
  }

  func note(_ letter: String, row: Row, at time: Int64) {
    add("\(letter)\(number(of: row))", at: time)
  }

  @usableFromInline
  func bound(_ cell: AnyObject, to row: Row, at time: Int64) {
    let row = number(of: row)
    see(cell, at: time)
    cells[ObjectIdentifier(cell)]?.row = row
    note("c", cell, at: time)
  }

  @usableFromInline
  func displayed(_ cell: AnyObject, at time: Int64) {
    see(cell, at: time)
    note("W", cell, at: time)
  }

  /// Forms no weak reference: the cell may say so from its `deinit`.
  @usableFromInline
  func ended(_ cell: AnyObject, at time: Int64) { note("E", cell, at: time) }

  func unbound(_ cell: AnyObject, at time: Int64) {
    guard let known = cells[ObjectIdentifier(cell)] else { return }
    add("U(\(Self.name(of: known.number)))", at: time)
  }

  func reconciled(_ displayed: some Sequence<AnyObject>, at time: Int64) {
    let names = displayed.map { cell in
      see(cell, at: time)
      return Self.name(of: cells[ObjectIdentifier(cell)]?.number ?? 0)
    }
    add("R(\(names.joined(separator: ",")))", at: time)
  }

  /// A turn is taken: the pass ends with it.
  func turnTaken(at time: Int64) {
    let dead = cells.values.filter { $0.object == nil }.sorted { $0.number < $1.number }
    for cell in dead { add("D(\(Self.name(of: cell.number)))", at: time) }
    cells = cells.filter { $0.value.object != nil }
    add("|", at: time)
    write(words.joined(separator: " "))
    words = []
  }

  // MARK: Names

  private func note(_ letter: String, _ cell: AnyObject, at time: Int64) {
    guard let known = cells[ObjectIdentifier(cell)] else { return }
    add("\(letter)\(known.row)(\(Self.name(of: known.number)))", at: time)
  }

  /// Makes a cell known; an heir of a dead one's address is a new cell.
  private func see(_ cell: AnyObject, at time: Int64) {
    let key = ObjectIdentifier(cell)
    if let known = cells[key] {
      if known.object === cell { return }
      add("D(\(Self.name(of: known.number)))", at: time)
    }
    cells[key] = Cell(object: cell, number: madeCells)
    madeCells += 1
  }

  private func number(of row: Row) -> Int {
    if let number = rows[row] { return number }
    rows[row] = rows.count
    return rows.count - 1
  }

  /// `a` to `z`, then `a1` to `z1`, and so on.
  private static func name(of cell: Int) -> String {
    let letter = String(UnicodeScalar(UInt8(ascii: "a") + UInt8(cell % 26)))
    return cell < 26 ? letter : letter + String(cell / 26)
  }

  // MARK: Time

  /// What comes within a millisecond comes at once; nothing of it is lost, it is written later.
  private func add(_ word: String, at time: Int64) {
    let passed = (time - (writtenTime ?? time)) / 1_000_000
    if passed > 0 { words.append("+\(passed)ms") }
    writtenTime = (writtenTime ?? time) + passed * 1_000_000
    words.append(word)
  }
}
