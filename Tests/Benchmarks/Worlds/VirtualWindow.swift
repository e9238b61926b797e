import RowOperationsTesting

/// Loads the rows in a window around the screen, frame by frame.
@MainActor
final class VirtualWindow: VirtualLoader {
  struct Rule: Sendable {
    /// How far the window reaches beyond the screen, in points, ahead and behind.
    let reach: @Sendable (ViewState) -> (ahead: Double, behind: Double)
    /// Whether rows on screen go before the others; otherwise first come, first served.
    var visibleFirst = false
    /// Whether a load is cancelled when its row leaves the window.
    var cancels = true
    /// Above this speed nothing starts, in points per millisecond.
    var speedLimit = Double.infinity

    /// Ten rows ahead of the screen.
    static let tenRows = Rule { (10 * $0.rowHeight, 0) }

    /// As in Texture: lists preload two and a half screens ahead and one and a half behind.
    static let ranges = Rule(reach: { (2.5 * $0.viewport, 1.5 * $0.viewport) }, visibleFirst: true)

    /// As in Flutter: rows are built 250 points ahead and behind, and nothing is cancelled.
    ///
    /// Pictures wait while the speed exceeds the screen's length in physical pixels (2,532) per
    /// second.
    static let flingGate = Rule(reach: { _ in (250, 250) }, cancels: false, speedLimit: 2.532)
  }

  private let rule: Rule
  private var queue: VirtualQueue
  /// Rows that wait for a slot.
  private var waiting: [Int] = []
  private var view = ViewState()

  init(_ world: World, _ rule: Rule) {
    queue = VirtualQueue(world)
    self.rule = rule
  }

  func handle(_ event: ListEvent<Int>) {}

  func endPass(_ view: ViewState) {
    self.view = view
    let reach = rule.reach(view)
    let wanted =
      Array(view.rows) + view.rows(within: reach.ahead, ahead: true)
      + view.rows(within: reach.behind, ahead: false)
    let window = Set(wanted)
    waiting.removeAll { !window.contains($0) }
    if rule.cancels {
      for row in Array(queue.running) where !window.contains(row) { queue.cancel(row) }
    }
    let known = Set(waiting)
    waiting += wanted.filter { queue.isWanted($0) && !known.contains($0) }
    fill()
  }

  private func fill() {
    guard abs(view.velocity) <= rule.speedLimit else { return }
    while queue.hasFreeSlot, !waiting.isEmpty {
      let first = rule.visibleFirst ? waiting.firstIndex { view.rows.contains($0) } : nil
      queue.start(waiting.remove(at: first ?? 0))
    }
  }

  var nextMoment: Int64? { queue.nextMoment }

  func advance(to time: Int64) {
    queue.advance(to: time)
    fill()
  }

  func hasValue(_ row: Int) -> Bool { queue.values.contains(row) }

  var starts: [Int] { queue.starts }
}
