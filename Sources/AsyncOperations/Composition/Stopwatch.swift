/// Measures times for operations, on the continuous clock or on one of the app's.
enum Stopwatch: Sendable {
  case timekeeper(Timekeeper)
  case other(any Clock<Duration>)

  init(_ clock: any Clock<Duration>) {
    self = clock is ContinuousClock ? .timekeeper(.shared) : .other(clock)
  }

  enum Wait: Sendable {
    case ticket(Timekeeper.Ticket, Timekeeper)
    case task(Task<Void, Never>)

    func end(for operation: AsyncOperation) {
      switch self {
      case .ticket(let ticket, let timekeeper): timekeeper.cancel(ticket)
      // A clock's cancellation handlers belong to the app and may block.
      case .task(let task): TaskCanceller.shared.cancel(task, of: operation)
      }
    }
  }

  /// Calls a closure some time later, where it may run code of the app.
  func wait(for duration: Duration, _ body: @escaping Surroundings.Work) -> Wait {
    switch self {
    case .timekeeper(let timekeeper):
      .ticket(timekeeper.call(after: duration) { Lanes.errands.make(body) }, timekeeper)
    case .other(let clock):
      .task(
        Task.detached {
          if (try? await clock.pause(for: duration)) != nil { body() }
        })
    }
  }
}
