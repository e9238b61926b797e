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
