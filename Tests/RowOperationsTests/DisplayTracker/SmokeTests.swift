import Testing
@testable import RowOperations

final class Cell { var shown: [RowPhase<String>] = [] }

@MainActor
@Test func smoke() async {
  let tracker = DisplayTracker<Int, String> { context in
    try await context.stage(.fetch) { "v\(context.row)" }
  }
  let cells = (0..<10).map { _ in Cell() }
  for (i, cell) in cells.enumerated() {
    tracker.bind(cell, to: i) { $0.shown.append($1) }
    tracker.willDisplay(cell)
  }
  tracker.prefetch(10..<20)
  await tracker.waitUntilIdle()
  print(cells.map(\.shown))
  print(tracker.metrics)
  for cell in cells { tracker.didEndDisplaying(cell) }
  await tracker.waitUntilIdle()
  #expect(tracker.metrics.finished == 20)
  tracker.bind(cells[0], to: 100) { $0.shown.append($1) }
  tracker.willDisplay(cells[0])
  await tracker.refresh([100])
  print(cells[0].shown, tracker.metrics)
}
