#if canImport(UIKit) && !os(watchOS)
  import RowOperations
  import UIKit

  /// A plain scroll view with a stack of views, and a tracking that is stopped.
  @MainActor
  final class ScrollTrial {
    private let tracker = DisplayTracker<Int, Int> { $0.row }
    private let window = UIWindow.trial()
    private let scroll = UIScrollView(frame: CGRect(x: 0, y: 0, width: 320, height: 600))
    private let views = (0..<50).map { index in
      UILabel(frame: CGRect(x: 0, y: index * 100, width: 320, height: 100))
    }

    init() {
      scroll.contentSize = CGSize(width: 320, height: 5_000)
      for (id, view) in views.enumerated() {
        scroll.addSubview(view)
        tracker.bind(view, to: id) { $0.text = $1.value.map(String.init) }
      }
      window.addSubview(scroll)
      window.isHidden = false
    }

    /// Runs all steps.
    ///
    /// - Returns: The expectations that failed, in words.
    func run() -> [String] {
      var violations: [String] = []
      let tracking = ListTracking(scroll, tracker, ids: { Array(0..<50) })
      for (offset, rows) in [(0, 0...5), (1_050, 10...16), (4_400, 44...49)] {
        scroll.contentOffset.y = CGFloat(offset)
        CATransaction.flush()
        if tracker.displayedRows != Set(rows) {
          violations.append("at \(offset), displayed are \(tracker.displayedRows.sorted())")
        }
      }
      tracking.stop()
      scroll.contentOffset.y = 0
      CATransaction.flush()
      if tracker.displayedRows != [] { violations.append("a stopped tracking displays rows") }
      return violations
    }
  }
#endif
