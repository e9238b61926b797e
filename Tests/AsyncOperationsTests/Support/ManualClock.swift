import Foundation

@testable import TestSupport

/// A clock that stands still until it is advanced.
final class ManualClock: Clock, Sendable {
  struct Instant: InstantProtocol {
    var elapsed = Duration.zero

    func advanced(by duration: Duration) -> Instant { Instant(elapsed: elapsed + duration) }
    func duration(to other: Instant) -> Duration { other.elapsed - elapsed }
    static func < (a: Instant, b: Instant) -> Bool { a.elapsed < b.elapsed }
  }

  private struct Sleeper {
    let deadline: Instant
    let awake: Gate
  }

  private let time = Box(Instant())
  private let asleep = Box<[ObjectIdentifier: Sleeper]>([:])

  var now: Instant { time.value }
  var minimumResolution: Duration { .zero }
  /// The number of tasks that sleep on this clock.
  var sleepers: Int { asleep.value.count }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let gate = Gate()
    asleep.change { $0[ObjectIdentifier(gate)] = Sleeper(deadline: deadline, awake: gate) }
    wakeSleepers()
    defer { asleep.change { $0[ObjectIdentifier(gate)] = nil } }
    try await gate.openedOrCancelled()
  }

  /// Advances the clock and wakes the sleepers that are due.
  func advance(by duration: Duration) {
    time.change { $0 = $0.advanced(by: duration) }
    wakeSleepers()
  }

  private func wakeSleepers() {
    let due = asleep.change { asleep in
      let due = asleep.filter { $0.value.deadline <= time.value }
      for id in due.keys { asleep[id] = nil }
      return due.values.sorted { $0.deadline < $1.deadline }
    }
    for sleeper in due { sleeper.awake.open() }
  }
}

/// A generator of the same numbers for the same seed (SplitMix64 by Steele, Lea and Flood).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}
