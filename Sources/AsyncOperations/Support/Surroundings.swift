import Dispatch

/// The library's access to time and threads, as far as tests replace it.
struct Surroundings: Sendable {
  typealias Work = @Sendable () -> Void

  let now: @Sendable () -> ContinuousClock.Instant
  /// Calls a closure after a time, on a thread that must not be held up.
  let schedule: @Sendable (Duration, @escaping Work) -> Void
  /// Runs work away from the caller, where it may block.
  let run: @Sendable (@escaping Work) -> Void

  static let system = Surroundings(
    now: { .now },
    schedule: { delay, work in _ = Timekeeper.shared.call(after: delay, work) },
    run: {
      // A queue of its own gets a thread even if blocked work holds all threads of the pools.
      DispatchQueue(label: "AsyncOperations.Lane", qos: .userInitiated).async(execute: $0)
    })
}
