import RowOperations

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

#if canImport(UIKit) && !os(watchOS)
  import UIKit

  private final class ReportingViewController: UITableViewController {
    let ids = Array(0..<100)
    let tracker = DisplayTracker<Int, String> { "\($0.row)" }

    //@ override func scrollViewWillBeginDragging(_ view: UIScrollView) {
  }
#endif
