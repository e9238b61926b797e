import RowOperations
import RowOperationsTesting

/// The contents of the cells in a run, frame by frame.
struct Findings: Sendable {
  /// The last value that each row showed.
  private(set) var shown: [Int: RowDocument] = [:]
  /// Rows that showed the reply to another row's request, or a reply never sent for them.
  private(set) var mixedUpRows: Set<Int> = []
  /// Rows that showed the reply to their own request, with the number of another row in it.
  private(set) var misnamedRows: Set<Int> = []
  /// Rows whose reply has the number of a row.
  private var numberedRows: Set<Int> = []
  /// Rows whose reply was compared with those that were sent for them.
  private var comparedRows: Set<Int> = []
  /// Rows that were on screen without a value when the list stood still.
  private var blankAtRest: Set<Int> = []
  private var longestGoodRest: Duration?
  /// Rows on screen without a value at the beginning of all rests, together.
  private(set) var notLoadedAtStandstill = 0
  /// Rows on screen without a value at the end of all rests, together.
  private(set) var notLoadedAfterwards = 0
  /// For how long how many rows on screen showed no value.
  private(set) var blankRowTime = Duration.zero

  /// A row shows a value.
  ///
  /// - Parameter wasSent: Whether the value was sent for the row; `nil` if unknown.
  mutating func saw(_ document: RowDocument, in row: Int, wasSent: Bool?) {
    shown[row] = document
    if wasSent != nil { comparedRows.insert(row) }
    if document.namedRow != nil { numberedRows.insert(row) }
    if wasSent == false || document.row != row {
      mixedUpRows.insert(row)
    } else if document.namesAnotherRow {
      misnamedRows.insert(row)
    }
  }

  /// Rows whose reply shows whether it is one for them.
  func checkedRows(_ numbers: RowNumbers) -> Set<Int> {
    numbers == .unclear ? comparedRows : comparedRows.union(numberedRows)
  }

  /// Sees the values of all cells on screen.
  @MainActor
  mutating func look(at list: ListSimulator<Int>, _ feed: any Feed, _ source: RowSource) {
    for cell in list.visibleCells {
      guard let content = feed.content(of: cell), case .loaded(let document) = content.phase
      else { continue }
      saw(document, in: content.row, wasSent: source.wasSent(document, for: content.row))
    }
  }

  /// The list stands still, and no load is under way, or the loads took too long.
  mutating func stayedBlank(_ rows: [Int]) { blankAtRest.formUnion(rows) }

  /// The rows that never showed a value, though the list stood still with them on screen.
  var neverLoaded: [Int] { blankAtRest.filter { shown[$0] == nil }.sorted() }

  /// The longest of all rests; `nil` if a row was not loaded at the end of any.
  var longestRest: Duration? { notLoadedAfterwards > 0 ? nil : longestGoodRest }

  mutating func wereBlank(_ rows: Int, for time: Duration) { blankRowTime += time * rows }

  mutating func stoodStill(notLoaded: Int) { notLoadedAtStandstill += notLoaded }

  /// Records the end of a rest: no load is under way, or the loads took too long.
  mutating func restEnded(after time: Duration, notLoaded: Int) {
    notLoadedAfterwards += notLoaded
    if notLoaded == 0 { longestGoodRest = max(longestGoodRest ?? .zero, time) }
  }
}
