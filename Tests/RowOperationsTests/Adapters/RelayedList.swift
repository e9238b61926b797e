import Foundation
import RowOperationsTesting
import Testing

@testable import RowOperations

/// A simulated list that sends its events through a relay as a view does: by index path, with the
/// view's own flags, and without a report when it rests.
@MainActor
final class RelayedList {
  let rig: TrackerRig
  private(set) lazy var relay = ListRelay<Int>(trackers: [rig.tracker]) { [unowned self] path in
    row(at: path)
  }
  private(set) lazy var list = ListSimulator(
    rows: Array(0..<1_000), viewport: 600, behavior: behavior
  ) { [unowned self] in handle($0) }
  private let behavior: ListBehavior

  /// A broken adapter that does not report cells that leave.
  var losesGoodbyes = false
  /// The rows on which the simulated list says that it will land.
  private(set) var landing: [Int] = []
  /// The rows in the order in which they were first named.
  private(set) var named: [Int] = []
  /// Paths without a row for which the relay called the app.
  private(set) var badPaths: [IndexPath] = []

  private var isDragging = false
  private var isDecelerating = false
  private var target = 0.0
  private var now: Int64 = 0

  init(
    _ behavior: ListBehavior = .tableView,
    configure: (inout TrackerConfiguration<Int, TrackerRig.Loaded>) -> Void = { _ in }
  ) {
    self.behavior = behavior
    rig = TrackerRig(configure: configure)
  }

  private func row(at path: IndexPath) -> Int? {
    guard list.rows.indices.contains(path[1]) else {
      badPaths.append(path)
      return nil
    }
    return list.rows[path[1]]
  }

  private func name(_ rows: [Int]) {
    for row in rows where !named.contains(row) { named.append(row) }
  }

  private func handle(_ event: ListEvent<Int>) {
    switch event {
    case .cellFor(_, let row):
      name([row])
      rig.player.app.handle(event)
    case .willDisplay(let cell): relay.willDisplay(cell)
    case .didEndDisplaying(let cell, _): if !losesGoodbyes { relay.didEndDisplaying(cell) }
    case .unbind: rig.player.app.handle(event)
    case .prefetch, .cancelPrefetch, .scrollWillBegin, .scrollDidSettle: break
    case .scrollDidMove: offsetChanged()
    case .scrollWillEnd(let rows):
      landing = rows
      name(rows)
      let frame = RestingFrame(origin: .init(y: target), width: 320, height: list.viewport)
      relay.fingerLifted(
        at: .init(y: list.offset), restingAt: frame.origin, landingOn: frame, isExact: true
      ) { frame in
        list.rowFrames(around: frame) { IndexPath(indexes: [0, $0]) }
      }
    case .didDisappear: relay.covered(.app)
    case .didAppear: relay.resume()
    }
  }

  func offsetChanged() {
    relay.offsetChanged(
      .init(
        y: list.offset, isDragging: isDragging, isDecelerating: isDecelerating, time: now))
    now += 16_000_000
  }

  // MARK: Gestures

  func drag(by distance: Double) {
    isDecelerating = false
    isDragging = true
    list.beginDrag()
    list.drag(by: distance)
  }

  func letGo(velocity: Double) {
    let rest = list.offset + Deceleration.normal.distance(velocity: velocity)
    target = min(max(rest, 0), list.maximumOffset)
    list.endDrag(velocity: velocity)
    isDragging = false
    isDecelerating = list.isMoving
  }

  /// One frame, and the pass that ends with it.
  func frame() {
    rig.clock.advance(by: .milliseconds(16))
    list.advance(by: .milliseconds(16))
    rig.tracker.endPass()
    if !list.isMoving { isDecelerating = false }
  }

  func fling(velocity: Double) {
    drag(by: velocity < 0 ? -20 : 20)
    letGo(velocity: velocity)
    while list.isMoving { frame() }
  }

  func stop() {
    list.stop()
    isDecelerating = false
  }

  // MARK: Checks

  var isMoving: Bool { rig.tracker.core.engine.gate.isMoving }

  /// Checks the conditions that hold after everything that a list can do.
  func check(_ location: SourceLocation = #_sourceLocation) {
    #expect(rig.violations == [], sourceLocation: location)
    #expect(rig.player.app.wrongRows == 0, sourceLocation: location)
    #expect(rig.displayed == Set(list.visibleRows), sourceLocation: location)
    #expect(badPaths == [], sourceLocation: location)
  }
}
