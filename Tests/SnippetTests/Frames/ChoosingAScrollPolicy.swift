import RowOperations

@MainActor
private func say(_ tracker: DisplayTracker<Int, String>, _ ids: [Int], _ paths: [Path]) {
  //@ tracker.setOrder(ids)  // after each change of the data
}

private struct Path {
  let row: Int
}

@MainActor
private func land(
  _ tracker: DisplayTracker<Int, String>, _ ids: [Int], from offset: Double, at velocity: Double,
  viewport: Double
) {
  //@ let geometry = RowGeometry(count: ids.count, height: 44)
}

@MainActor
private final class Window {
  let ids = Array(0..<100)
  let tracker = DisplayTracker<Int, String> { "\($0.row)" }

  //@ var window = PrefetchWindow(before: 5, after: 10)
}
