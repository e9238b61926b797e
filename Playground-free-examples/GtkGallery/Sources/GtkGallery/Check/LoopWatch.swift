import CGtk
import Foundation

/// Measures how long the main loop is kept from painting.
@MainActor
final class LoopWatch {
  /// A stretch between two turns of the loop, in seconds.
  struct Turn {
    /// For how long the main thread worked, which other programs do not make longer.
    var work = 0.0
    /// How much time passed.
    var time = 0.0

    static var now: Turn {
      var work = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &work)
      return Turn(
        work: Double(work.tv_sec) + Double(work.tv_nsec) / 1e9,
        time: Double(g_get_monotonic_time()) / 1e6)
    }
  }

  /// How much the main thread may work in a turn, in seconds.
  private let mostWork: Double
  /// How long a turn may take if the main thread waits: long, as a busy machine makes it wait too.
  private let mostTime = 5.0
  private var longest = Turn()
  private var last = Turn.now

  /// - Parameter mostWork: How long a turn is too long on this machine, in seconds of work.
  init(mostWork: Double) {
    self.mostWork = mostWork
    // With the priority of frames: what keeps this source waiting keeps them waiting.
    g_timeout_add_full(
      G_PRIORITY_HIGH_IDLE + 20, 5,
      { data in
        object(data, as: LoopWatch.self).turn()
        return 1
      }, userData(self), { releaseUserData($0) })
  }

  private func turn() {
    let now = Turn.now
    longest.work = max(longest.work, now.work - last.work)
    longest.time = max(longest.time, now.time - last.time)
    last = now
  }

  /// Does something for the check, which no turn is charged for.
  func leaveOut<Output>(_ body: () throws -> Output) rethrows -> Output {
    let start = Turn.now
    defer {
      let end = Turn.now
      last.work += end.work - start.work
      last.time += end.time - start.time
    }
    return try body()
  }

  /// - Returns: The longest turn since the last call.
  func takeLongest() -> Turn {
    turn()
    defer { longest = Turn() }
    return longest
  }

  func complaint(about turn: Turn) -> String? {
    guard turn.work > mostWork || turn.time > mostTime else { return nil }
    return String(
      format: "the main loop was blocked for %.1f s, %.1f s of them by work", turn.time, turn.work)
  }
}
