/// Passes inputs to an observer, and writes them as an event script, one line per turn.
///
/// Rows become numbers and cells letters, in order of appearance.
@MainActor
@usableFromInline
final class InputRecorder {
  private struct Cell {
    let key: ObjectIdentifier
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
  /// By number.
  private var cells: [Cell] = []
  private var numbers: [ObjectIdentifier: Int] = [:]
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
      see(cell, at: time)
      let known = known(cell)
      add(.willDisplay(row: known?.row, cell: known?.number ?? 0), at: time)
    case .didEndDisplaying(_, let cell):
      // Forms no weak reference: the cell may report this from its `deinit`.
      guard let known = known(cell) else { return }
      add(.didEndDisplaying(row: known.row, cell: known.number), at: time)
    case .unbind(let cell):
      guard let known = known(cell) else { return }
      add(.unbind(cell: known.number), at: time)
    case .passEnd:
      turnTaken(at: time)
    default:
      let recorded = input.map(row: number) { cell in
        see(cell, at: time)
        return known(cell)?.number ?? 0
      }
      guard let recorded else { return }
      if case .cellFor(let row, let cell) = recorded { remember(row, of: cell) }
      if case .viewFor(let row?, let view, _) = recorded { remember(row, of: view) }
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

  /// The row may have been removed.
  func recordStep(
    of update: any TrackedUpdate, place: Int = 0, hasValue: Bool, at time: Int64
  ) {
    guard let row = numberOfUpdate(update, place) else { return }
    add(hasValue ? .show(row: row) : .report(row: row), at: time)
  }

  /// The row may have been removed and its number reused.
  ///
  /// - Parameter isMissing: Whether the answer to a batch lacks the row.
  func recordEnd(
    of update: any TrackedUpdate, place: Int = 0, _ outcome: TrackerEngine.Outcome,
    isMissing: Bool = false, at time: Int64
  ) {
    guard let row = numberOfUpdate(update, place) else { return }
    switch outcome {
    case .value where isMissing: add(.miss(row: row), at: time)
    case .value: add(.finish(row: row), at: time)
    case .failure: add(.fail(row: row), at: time)
    }
  }

  private func remember(_ row: Int, of cell: Int) {
    let index = index(of: cell)
    if index < cells.count, cells[index].number == cell { cells[index].row = row }
  }

  /// Records the end of a pass and writes the line.
  private func turnTaken(at time: Int64) {
    for cell in cells where cell.object == nil {
      numbers[cell.key] = nil
      add(.deallocate(cell: cell.number), at: time)
    }
    cells.removeAll { numbers[$0.key] == nil }
    add(.passEnd, at: time)
    let line = words.joined(separator: " ")
    words = []
    write?(line)
  }

  /// A cell at the address of a deallocated one is new.
  private func see(_ cell: AnyObject, at time: Int64) {
    let key = ObjectIdentifier(cell)
    if let known = numbers[key] {
      if cells[index(of: known)].object === cell { return }
      cells.remove(at: index(of: known))
      add(.deallocate(cell: known), at: time)
    }
    numbers[key] = madeCells
    cells.append(Cell(key: key, object: cell, number: madeCells))
    madeCells += 1
  }

  private func known(_ cell: AnyObject) -> Cell? {
    numbers[ObjectIdentifier(cell)].map { cells[index(of: $0)] }
  }

  private func index(of cell: Int) -> Int { cells.firstIndexInOrder { $0.number >= cell } }

  /// Adds a step, after the whole milliseconds since the last one.
  ///
  /// Fractions of a millisecond are written with a later step.
  private func add(_ step: TrackerInput<Int, Int>, at time: Int64) {
    observe?(step)
    guard write != nil else { return words = [] }
    let passed = (time - (writtenTime ?? time)) / 1_000_000
    if passed > 0 { words.append(TrackerInput<Int, Int>.time(.milliseconds(passed)).description) }
    writtenTime = (writtenTime ?? time) + passed * 1_000_000
    words.append(step.description)
  }
}
