/// Passes inputs to an observer, and writes them as an event script, one line per turn.
///
/// Rows become numbers and cells letters, in order of appearance.
@MainActor
final class InputRecorder {
  private struct Cell {
    weak var object: AnyObject?
    let number: Int
    /// The row of the last binding; −1 before.
    var row = -1
  }

  private let number: @MainActor (RowID) -> Int?
  private let numberOfUpdate: @MainActor (any TrackedUpdate, _ place: Int) -> Int?
  var write: (@MainActor (String) -> Void)?
  /// Is given each input, but for the passing of time.
  var observe: (@MainActor (TrackerInput<Int, Int>) -> Void)?
  private var words: [String] = []
  private var cells: [ObjectIdentifier: Cell] = [:]
  private var madeCells = 0
  /// The rows of lists by position, as last recorded.
  private var lists: [Int: [Int: [Int]]] = [:]
  /// The rows read since the list last reported its positions.
  private var read: [(rows: [Int], position: Int)] = []
  private var shownSections: [Int: [Int?]] = [:]
  /// In nanoseconds.
  private var writtenTime: Int64?

  /// - Parameters:
  ///   - number: Returns the number of a row; `nil` if the row is gone.
  ///   - numberOfUpdate: The same for the row of an update, or at a place of a batch.
  init(
    number: @escaping @MainActor (RowID) -> Int?,
    numberOfUpdate: @escaping @MainActor (any TrackedUpdate, _ place: Int) -> Int?
  ) {
    self.number = number
    self.numberOfUpdate = numberOfUpdate
  }

  func record(_ input: TrackerInput<RowID, AnyObject>, at time: Int64) {
    switch input {
    case .willDisplay(_, let cell):
      let known = see(cell, at: time)
      add(.willDisplay(row: known.row, cell: known.number), at: time)
    case .didEndDisplaying(_, let cell):
      // Forms no weak reference: the cell may report this from its `deinit`.
      guard let known = cells[ObjectIdentifier(cell)] else { return }
      add(.didEndDisplaying(row: known.row, cell: known.number), at: time)
    case .unbind(let cell):
      guard let known = cells[ObjectIdentifier(cell)] else { return }
      add(.unbind(cell: known.number), at: time)
    case .passEnd:
      turnTaken(at: time)
    default:
      guard let recorded = input.map(row: number, cell: { see($0, at: time).number }) else {
        return
      }
      switch input {
      case .cellFor(let row, let cell), .viewFor(let row?, let cell, _):
        if let row = number(row) { cells[ObjectIdentifier(cell)]?.row = row }
      default: break
      }
      add(recorded, at: time)
    }
  }

  /// Rows that a position has kept are not written again.
  func recordRows(_ ids: [RowID], at position: Int, ofList list: Int, at time: Int64) {
    let numbers = ids.compactMap { number($0) }
    guard lists[list, default: [:]].updateValue(numbers, forKey: position) != numbers else {
      return
    }
    read.append((numbers, position))
  }

  func recordPositions(_ spans: [ShownPositions], ofList list: Int, at time: Int64) {
    addRows(ofList: list, at: time)
    let spans = spans.filter(\.prefetches)
    let sections = spans.map(\.section)
    let old = shownSections.updateValue(sections, forKey: list) ?? []
    for section in old where !sections.contains(section) {
      add(.showPositions(0..<0, of: 0..<0, section: section, list: list), at: time)
    }
    for span in spans {
      add(
        .showPositions(span.shown, of: span.bounds, section: span.section, list: list),
        at: time)
    }
  }

  /// Those of consecutive positions go together.
  private func addRows(ofList list: Int, at time: Int64) {
    var pending: (rows: [Int], position: Int)?
    func write() {
      guard let rows = pending else { return }
      add(.listRows(rows.rows, at: rows.position, list: list), at: time)
      pending = nil
    }
    for (rows, position) in read.sorted(byNumber: { Double($0.position) }) {
      if rows.count == 1, let last = pending, last.position + last.rows.count == position {
        pending?.rows += rows
        continue
      }
      write()
      if rows.count == 1 {
        pending = (rows, position)
      } else {
        add(.itemRows(rows, at: position, list: list), at: time)
      }
    }
    write()
    read = []
  }

  /// Records a step or the end of an update, or of the row at a place in a batch.
  ///
  /// The row may have been removed and its number reused.
  func record(
    _ update: any TrackedUpdate, place: Int, at time: Int64,
    _ input: (_ row: Int) -> TrackerInput<Int, Int>
  ) {
    if let row = numberOfUpdate(update, place) { add(input(row), at: time) }
  }

  /// Records the end of a pass and writes the line.
  private func turnTaken(at time: Int64) {
    let gone = cells.filter { $0.value.object == nil }
    for (key, cell) in gone.sorted(byNumber: { Double($0.value.number) }) {
      cells[key] = nil
      add(.deallocate(cell: cell.number), at: time)
    }
    add(.passEnd, at: time)
    let line = words.joined(separator: " ")
    words = []
    write?(line)
  }

  /// A cell at the address of a deallocated one is new.
  private func see(_ cell: AnyObject, at time: Int64) -> Cell {
    let key = ObjectIdentifier(cell)
    if let known = cells[key] {
      if known.object === cell { return known }
      add(.deallocate(cell: known.number), at: time)
    }
    let new = Cell(object: cell, number: madeCells)
    cells[key] = new
    madeCells += 1
    return new
  }

  /// Adds a step, after the whole milliseconds since the last one.
  ///
  /// Fractions of a millisecond are written with a later step.
  func add(_ step: TrackerInput<Int, Int>, at time: Int64) {
    observe?(step)
    guard write != nil else { return words = [] }
    let passed = (time - (writtenTime ?? time)) / 1_000_000
    if passed > 0 { words.append(TrackerInput<Int, Int>.time(.milliseconds(passed)).description) }
    writtenTime = (writtenTime ?? time) + passed * 1_000_000
    words.append(step.description)
  }
}
