import RowOperationsTesting

/// The contents of the cells in a run, frame by frame.
struct Findings: Sendable {
  /// The rows that showed a value.
  private(set) var shown: Set<Int> = []
  /// Rows that showed the document of another row.
  private(set) var wrong: Set<Int> = []
  /// Rows that were on screen without a value when the list stood still.
  private var blankAtRest: Set<Int> = []
  private var longestGoodRest: Duration?
  /// Rows on screen without a value at the beginning of all rests, together.
  private(set) var notLoadedAtStandstill = 0
  /// Rows on screen without a value at the end of all rests, together.
  private(set) var notLoadedAfterwards = 0
  /// For how long how many rows on screen showed no value.
  private(set) var blankRowTime = Duration.zero

  /// Sees the values of all cells on screen.
  @MainActor
  mutating func look(at list: ListSimulator<Int>, _ feed: any Feed) {
    for cell in list.visibleCells {
      guard let content = feed.content(of: cell), case .loaded(let document) = content.phase
      else { continue }
      saw(document, in: content.row, isInPlace: list.cell(for: content.row) === cell)
    }
  }

  /// - Parameter isInPlace: Whether the cell that shows the row lies in the row's place.
  mutating func saw(_ document: RowDocument, in row: Int, isInPlace: Bool = true) {
    shown.insert(row)
    if document.row != row || !isInPlace { wrong.insert(row) }
  }

  /// The list stands still, and no load is under way, or the loads took too long.
  mutating func stayedBlank(_ rows: [Int]) { blankAtRest.formUnion(rows) }

  /// How many rows never showed a value, though the list stood still with them on screen.
  var neverLoaded: Int { blankAtRest.subtracting(shown).count }

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
