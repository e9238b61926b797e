import RowOperationsTesting

/// The events of a simulated list as text.
///
/// | text | event |
/// |---|---|
/// | `c5(a)` | the list calls for a cell for row 5 and gets cell a |
/// | `W(a)`, `E(a)@5` | cell a comes on screen, leaves the screen at index 5 |
/// | `u(a)` | the list unbinds cell a |
/// | `P[5, 6]`, `X[5]` | the list prefetches rows, cancels the prefetch of rows |
/// | `begin`, `move`, `settle` | a scroll begins, moves, settles |
/// | `land[5, 6]` | a fling will rest on rows 5 and 6 |
/// | `covered`, `uncovered[a, b]` | the list disappears, appears with cells a and b on screen |
@MainActor
final class Transcript {
  private(set) var events: [String] = []

  /// Returns the events since the last call.
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

/// A list of `count` rows of 100 points in a viewport of three rows.
@MainActor
func makeList(
  _ count: Int = 100, _ behavior: ListBehavior = ListBehavior(), in transcript: Transcript
) -> ListSimulator<Int> {
  ListSimulator(
    rows: Array(0..<count), rowHeight: 100, viewport: 300, behavior: behavior,
    handle: transcript.handle)
}
