import RowInspector
import RowOperationsTesting

@testable import RowOperations

/// Lines of text that closures add to.
@MainActor
final class Lines {
  var all: [String] = []
}

/// A tracker with an inspector and with loads that the test ends.
@MainActor
final class InspectedList {
  struct Failure: Error, CustomStringConvertible {
    let description = "HTTP 404"
  }

  let clock = ManualClock()
  let tracker: DisplayTracker<Int, Int>
  let inspector: ListInspector<Int, Int>
  private let player: ScriptPlayer<Int, Int>

  init(configure: (inout TrackerConfiguration<Int, Int>) -> Void = { _ in }) {
    var configuration = TrackerConfiguration<Int, Int>()
    configuration.clock = clock
    configuration.grace = .zero
    configure(&configuration)
    tracker = DisplayTracker(configuration: configuration) { $0.row }
    tracker.holdOperations()
    inspector = ListInspector(tracker)
    player = ScriptPlayer(tracker, clock: clock, row: { $0 }, rowOfValue: { $0 })
    player.onLoadStep = { [unowned self] step in
      switch step {
      case .finish(let row): _ = tracker.endLoad(of: row) { _ in .success(row) }
      case .fail(let row): _ = tracker.endLoad(of: row) { _ in .failure(Failure()) }
      default: break
      }
    }
  }

  var app: TrackedList<Int, Int> { player.app }
  var findings: [ListFinding] { inspector.findings }
  var kinds: [ListFinding.Kind] { findings.map(\.kind) }

  func play(_ text: String) throws { player.play(try EventScript(text)) }

  /// One frame of 16 ms; then loads end that have taken some time.
  func frame(loads: Duration, _ move: () -> Void) {
    clock.advance(by: .milliseconds(16))
    move()
    tracker.endPass()
    let due = tracker.bodies.filter { $0.isCancelled || $0.age >= loads }
    for body in due { _ = tracker.endLoad(of: body.token.row) { .success($0.row) } }
    if !due.isEmpty { tracker.endPass() }
  }

  /// Scrolls a list to and fro: rests, flings, a jump, and the way back.
  func scroll(_ list: ListSimulator<Int>) {
    let loads = Duration.milliseconds(60)
    list.layOut()
    for _ in 0..<30 { frame(loads: loads) {} }
    for velocity in [1, 3, -2, 2, -0.5] {
      list.fling(velocity: velocity)
      while list.isMoving { frame(loads: loads) { list.advance(by: .milliseconds(16)) } }
      for _ in 0..<60 { frame(loads: loads) {} }
    }
    list.jump(to: 5_000)
    for _ in 0..<60 { frame(loads: loads) {} }
  }
}
