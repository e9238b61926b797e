/// Measures times for operations, on the continuous clock or on one of the app's.
enum Stopwatch: Sendable {
  case timekeeper(Timekeeper)
  case other(any Clock<Duration>)

  init(_ clock: any Clock<Duration>) {
    self = clock is ContinuousClock ? .timekeeper(.shared) : .other(clock)
  }

  /// Ends a wait of an operation before its time.
  typealias End = @Sendable (AsyncOperation) -> Void

  /// Calls a closure some time later, where it may run code of the app.
  func wait(for duration: Duration, _ body: @escaping Lanes.Work) -> End {
    switch self {
    case .timekeeper(let timekeeper):
      let ticket = timekeeper.call(after: duration) { Lanes.errands.run(body) }
      return { _ in ticket.cancel() }
    case .other(let clock):
      let task = Task.detached {
        if (try? await clock.pause(for: duration)) != nil { body() }
      }
      // A clock's cancellation handlers belong to the app and may block.
      return { Lanes.cancels.cancel(task, of: $0) }
    }
  }
}
