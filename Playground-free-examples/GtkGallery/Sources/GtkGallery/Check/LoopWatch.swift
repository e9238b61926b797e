import CGtk
import Foundation

/// Measures for how long the main loop cannot paint.
@MainActor
final class LoopWatch {
  /// A stretch between two turns of the loop, in seconds.
  struct Turn {
    /// For how long the main thread worked; other programs do not prolong it.
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
  /// How long a turn may take in which the main thread waits, as it does on a busy machine.
  private let mostTime = 5.0
  private var longest = Turn()
  private var last = Turn.now

  /// - Parameter mostWork: The most work of a turn on this machine, in seconds.
  init(mostWork: Double) {
    self.mostWork = mostWork
    // The source has the priority of frames, so a turn that delays it delays them.
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

  /// Does work for the check, which counts for no turn.
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
