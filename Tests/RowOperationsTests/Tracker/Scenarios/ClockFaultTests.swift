// Sources/RowOperationsTesting/Scripts/EventScript.swift explains the letters of event scripts.

import RowOperationsTesting
import Testing

@testable import RowOperations
@testable import TestSupport

@Suite("Clocks that fail", .timeLimit(.minutes(10)))
@MainActor
struct ClockFaultTests {
  @Test("A grace ends even if the clock's sleep fails once or each time", arguments: [1, Int.max])
  func clockFailsInGrace(failures: Int) async throws {
    let clock = FaultyClock(failures: failures)
    let rig = TrackerRig { $0.clock = clock }
    try rig.play("c1(a) W1(a) | E1(a) |")
    await clock.fault()
    #expect(rig.recorder.cancelled == [])
    clock.base.advance(by: .milliseconds(150))
    await rig.recorder.wait { $0.cancelled == [1] }
  }

  @Test(
    "A list settles even if the clock's sleep fails once or each time", arguments: [1, Int.max])
  func clockFailsInQuietTime(failures: Int) async throws {
    let clock = FaultyClock(failures: failures)
    let rig = TrackerRig {
      $0.clock = clock
      $0.scrollPolicy = .whenSettled
    }
    try rig.play("B c1(a) W1(a) |")
    await clock.fault()
    #expect(rig.recorder.started == [])
    clock.base.advance(by: .milliseconds(150))
    await rig.recorder.wait { $0.started == [1] }
  }

  @Test("A load times out even if the clock's sleep fails once")
  func clockFailsInTimeout() async throws {
    let clock = FaultyClock(failures: 1)
    let rig = TrackerRig {
      $0.clock = clock
      $0.timeout = .seconds(1)
    }
    try rig.play("c1(a) W1(a) |")
    await clock.fault()
    clock.base.advance(by: .seconds(1))
    await rig.recorder.wait { $0.failed == [1] }
    #expect(rig.phase(of: 1) == .failed)
  }
}

/// A manual clock with failing first sleeps.
private final class FaultyClock: Clock {
  typealias Instant = ManualClock.Instant

  private struct Broken: Error {}

  let base = ManualClock()
  /// The number of sleeps that will still fail.
  private let faults: Box<Int>
  private let failed = Box(0)

  init(failures: Int) { faults = Box(failures) }

  var now: ManualClock.Instant { base.now }

  var minimumResolution: Swift.Duration { base.minimumResolution }

  func sleep(until deadline: ManualClock.Instant, tolerance: Swift.Duration?) async throws {
    let fails = faults.change { faults -> Bool in
      defer { faults -= 1 }
      return faults > 0
    }
    if fails {
      failed.add()
      throw Broken()
    }
    try await base.sleep(until: deadline, tolerance: tolerance)
  }

  /// Waits until a sleep has failed and, if the next one does not fail, has begun again.
  ///
  /// It runs on the main actor, where it looks once a turn. Elsewhere it would keep a thread busy
  /// while other tests delay the turns that it waits for.
  @MainActor
  func fault() async {
    await until { failed.value > 0 && (faults.value > 0 || base.sleepers > 0) }
  }
}
