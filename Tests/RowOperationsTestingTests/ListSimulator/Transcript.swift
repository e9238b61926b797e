import RowOperationsTesting

/// What a simulated list has told, in the letters of event scripts.
@MainActor
final class Transcript {
  private(set) var events: [String] = []

  /// What was told since this was last asked.
  func take() -> String {
    defer { events = [] }
    return events.joined(separator: " ")
  }

  func handle(_ event: ListEvent<Int>) {
    events.append(text(of: event))
  }

  private func text(of event: ListEvent<Int>) -> String {
    switch event {
    case .cellFor(let cell, let row): "c\(row)(\(cell))"
    case .willDisplay(let cell): "W(\(cell))"
    case .didEndDisplaying(let cell, let index): "E(\(cell))@\(index)"
    case .unbind(let cell): "u(\(cell))"
    case .prefetch(let rows): "P\(rows)"
    case .cancelPrefetch(let rows): "X\(rows)"
    case .scrollWillBegin: "begin"
    case .scrollDidMove: "move"
    case .scrollWillEnd(let rows): "land\(rows)"
    case .scrollDidSettle: "settle"
    case .didDisappear: "covered"
    case .didAppear(let cells): "uncovered\(cells)"
    }
  }
}

/// A list of `count` rows of 100 points that shows three of them.
@MainActor
func makeList(
  _ count: Int = 100, _ behavior: ListBehavior = ListBehavior(), in transcript: Transcript
) -> ListSimulator<Int> {
  ListSimulator(
    rows: Array(0..<count), rowHeight: 100, viewport: 300, behavior: behavior,
    handle: transcript.handle)
}
