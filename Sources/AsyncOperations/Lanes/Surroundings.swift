import Dispatch

/// The library's access to time and threads, as far as tests replace it.
struct Surroundings: Sendable {
  typealias Work = @Sendable () -> Void

  let now: @Sendable () -> Moment
  /// Calls a closure after a time, on a thread that must not be held up.
  let schedule: @Sendable (Duration, @escaping Work) -> Void
  /// Makes a queue that runs work in order, away from the caller.
  let makeQueue: @Sendable () -> @Sendable (@escaping Work) -> Void

  static let system = Surroundings(
    now: { .now },
    schedule: { delay, work in _ = Timekeeper.shared.call(after: delay, work) },
    makeQueue: {
      // A queue of its own gets a thread even if blocked work holds all threads of the pools.
      let queue = ThreadSafe(DispatchQueue(label: "AsyncOperations.Lane", qos: .userInitiated))
      return { queue.object.async(execute: $0) }
    })
}
