// Sources/RowOperationsTesting/Scripts/EventScript.swift explains the letters of event scripts.

import RowOperationsTesting
import Testing

@testable import RowOperations
@testable import TestSupport

@Suite("Impressions", .timeLimit(.minutes(10)))
@MainActor
struct ImpressionTests {
  /// A rig with a tracker that counts impressions, and the rows that the tracker has reported.
  private func counting(
    _ configure: (inout TrackerConfiguration<Int, TrackerRig.Loaded>) -> Void = { _ in }
  ) -> (rig: TrackerRig, seen: Box<[Int]>) {
    let seen = Box<[Int]>([])
    let rig = TrackerRig {
      $0.onImpression = { row in seen.change { $0.append(row) } }
      configure(&$0)
    }
    return (rig, seen)
  }

  /// Parts of a script, and the rows that have counted after each.
  struct Course: Sendable, CustomTestStringConvertible {
    let title: String
    let parts: [(script: String, seen: [Int])]
    var testDescription: String { title }

    init(_ title: String, _ parts: (String, [Int])...) { (self.title, self.parts) = (title, parts) }

    static let all = [
      Course(
        "a row counts after one second on screen, and not before",
        ("c1(a) W1(a) | +999ms |", []), ("+1ms |", [1]), ("+5000ms | E1(a) |", [1])),
      Course(
        "a row that comes back does not count again, even in another cell",
        ("c1(a) W1(a) | +1000ms | E1(a) | +1000ms | c2(a) W2(a) | +1000ms | E2(a) |", [1, 2]),
        ("c1(b) W1(b) | +2000ms | E1(b) W1(b) | +2000ms |", [1, 2])),
      Course(
        "the stay of a row begins when its cell is reused for it",
        ("c1(a) W1(a) | +900ms | c2(a) | +900ms |", []), ("+100ms |", [2])),
      Course(
        "two short stays do not add up, and a reload within a pass does not end a stay",
        ("c1(a) W1(a) | +600ms | E1(a) | c1(b) W1(b) | +600ms |", []),
        ("E1(b) c1(c) W1(c) | +400ms |", [1])),
      Course(
        "a row in several cells counts once, as long as one of them shows it",
        ("c1(a) W1(a) | +500ms c1(b) W1(b) | E1(a) | +500ms |", [1]),
        ("+2000ms | E1(b) |", [1])),
      Course(
        "a view in a cell counts while its host is on screen",
        ("W0(a) h5(b,a) | +500ms | E0(a) | +500ms |", []), ("W0(a) | +1000ms |", [5])),
      Course(
        "time while the list is suspended does not count, and the stay begins again",
        ("c1(a) W1(a) | +900ms Z | +10000ms | z | +999ms |", []), ("+1ms |", [1])),
      Course(
        "a row whose time is up before a suspension counts, even if the turn comes late",
        ("c1(a) W1(a) c2(b) | +600ms W2(b) | +400ms Z +3600000ms |", [1])),
    ]
  }

  @Test("A row counts once, for one stay that is long enough", arguments: Course.all)
  func courses(course: Course) throws {
    let (rig, seen) = counting()
    for part in course.parts {
      try rig.play(part.script)
      #expect(seen.value == part.seen, "after \(part.script)")
    }
    #expect(rig.violations == [])
  }

  @Test("Time in the background does not count, even if the list reports displays")
  func background() throws {
    let (rig, seen) = counting()
    let watch = AppWatch()
    watch.add(rig.tracker.core)
    try rig.play("c1(a) W1(a) | +500ms")
    watch.wentIntoBackground()
    try rig.play("Z | +3600000ms | z | +3600000ms |")
    #expect(seen.value == [] && !rig.tracker.core.engine.turns.isRequested)
    watch.cameBack()
    #expect(rig.tracker.core.engine.turns.isRequested, "it sets the deadline of the rows on screen")
    try rig.play("| +999ms |")
    #expect(seen.value == [])
    try rig.play("+1ms |")
    #expect(seen.value == [1])
  }

  @Test("The tracker takes a turn by itself when a row's time is up")
  func timer() async throws {
    let (rig, seen) = counting { $0.impressionTime = .seconds(3) }
    try rig.play("c1(a) W1(a) v1 |")
    await until { rig.clock.sleepers > 0 }
    rig.clock.advance(by: .seconds(3))
    await rig.tracker.waitUntil { _ in seen.value == [1] }
    #expect(rig.tracker.core.timer == nil, "no deadline remains")
  }

  @Test("With a time of zero every row that comes on screen counts")
  func zero() throws {
    let (rig, seen) = counting { $0.impressionTime = .zero }
    try rig.play("c1(a) W1(a) c2(b) | W2(b) |")
    #expect(seen.value == [1, 2])
  }

  // MARK: Forgetting

  @Test("What is in sight matters while rows wait to be seen, and their share counts")
  func sight() throws {
    for share in [0, 0.5] {
      let (rig, _) = counting { $0.impressionShare = share }
      try rig.play("c1(a) W1(a) | |")
      rig.tracker.sightChanged()
      #expect(rig.tracker.core.engine.turns.isRequested == (share > 0))
      try rig.play("| +1000ms | |")
      rig.tracker.sightChanged()
      #expect(!rig.tracker.core.engine.turns.isRequested, "it was seen")
    }
  }

  @Test("A row that left before its time does not count, even if the turn comes late")
  func leftEarly() throws {
    for share in [0, 0.5] {
      let (rig, seen) = counting { $0.impressionShare = share }
      try rig.play("c1(a) W1(a) | +999ms E1(a) +500ms | |")
      #expect(seen.value == [])
    }
  }

  @Test("A forgotten impression can be reported again after the whole time")
  func forgotten() throws {
    let (rig, seen) = counting()
    try rig.play("c1(a) W1(a) c2(b) W2(b) | +1000ms | E2(b) |")
    rig.tracker.forgetImpressions(of: [1, 2, 2, 7])
    try rig.play("+999ms |")
    #expect(seen.value == [1, 2])
    try rig.play("W2(b) | +1ms | +999ms |")
    #expect(seen.value == [1, 2, 1, 2])
    rig.tracker.forgetImpressions()
    try rig.play("+1000ms |")
    #expect(seen.value == [1, 2, 1, 2, 1, 2])
  }

  @Test("Removed rows stay counted, and use no memory after they are forgotten")
  func removed() throws {
    let (rig, seen) = counting()
    try rig.play("c1(a) W1(a) | +1000ms | -[1] | c1(a) | +1000ms | -* E1(a) |")
    #expect(seen.value == [1])
    #expect(rig.tracker.store.impressions?.log.rows.count == 1)
    rig.tracker.forgetImpressions(of: [1])
    #expect(rig.tracker.store.impressions?.log.rows.count == 0)
  }

  @Test("Without the closure the tracker counts nothing and makes no events for it")
  func off() throws {
    var configuration = TrackerConfiguration<Int, Int>()
    configuration.clock = ManualClock()
    let tracker = DisplayTracker<Int, Int>(configuration: configuration) { _ in nil }
    #expect(tracker.store.impressions == nil && !tracker.core.engine.settings.reportsEvents)
    tracker.forgetImpressions()
  }

  // MARK: Calls from the app's code

  @Test("The closure can call the tracker, whose state is consistent by then")
  func reentrancy() throws {
    var told: [Int] = []
    var tracker: DisplayTracker<Int, TrackerRig.Loaded>?
    let rig = TrackerRig {
      $0.onImpression = { row in
        told.append(row)
        tracker?.forgetImpressions(of: [row])
        tracker?.prefetch([row + 100])
        tracker?.endPass()
        tracker?.suspend()
        tracker?.resume()
      }
    }
    tracker = rig.tracker
    defer { tracker = nil }
    try rig.play("c1(a) W1(a) c2(b) W2(b) | +1000ms |")
    #expect(told == [1, 2])
    try rig.play("+1000ms |")
    #expect(told == [1, 2, 1, 2])
    #expect(rig.violations == [])
  }

  /// A row that calls the tracker in its deinit.
  private final class Name: Hashable, Sendable {
    private let number: Int
    private let onEnd: @Sendable () -> Void

    init(_ number: Int, onEnd: @escaping @Sendable () -> Void = {}) {
      self.number = number
      self.onEnd = onEnd
    }

    deinit { onEnd() }

    static func == (a: Name, b: Name) -> Bool { a.number == b.number }
    func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }

  @Test("The deinit of a forgotten row can call the tracker")
  func rowEnds() {
    let clock = ManualClock()
    let ended = Box(0)
    var configuration = TrackerConfiguration<Name, Int>()
    configuration.clock = clock
    configuration.retention = .none
    configuration.onImpression = { _ in }
    let tracker = DisplayTracker<Name, Int>(configuration: configuration) { _ in nil }
    let call: @Sendable () -> Void = { [weak tracker] in
      MainActor.assumeIsolated {
        ended.change { $0 += 1 }
        tracker?.forgetImpressions()
        tracker?.endPass()
      }
    }
    let cell = SimulatedCell(number: 0)
    for pause in [Duration.zero, .seconds(1)] {
      tracker.bind(cell, to: Name(1, onEnd: call)) { _, _ in }
      tracker.willDisplay(cell)
      tracker.endPass()
      clock.advance(by: pause)
      tracker.endPass()
      tracker.removeAll()
      // The cell on screen remembers its removed row.
      tracker.unbind(cell)
      tracker.endPass()
      tracker.endPass()
      tracker.forgetImpressions()
      tracker.endPass()
    }
    #expect(ended.value == 2)
    #expect(tracker.store.impressions?.log.rows.count == 0)
  }
}
