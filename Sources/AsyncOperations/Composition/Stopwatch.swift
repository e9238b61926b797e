enum Stopwatch: Sendable {
  case timekeeper(Timekeeper)
  case other(any Clock<Duration>)

  init(_ clock: any Clock<Duration>) {
    self = clock is ContinuousClock ? .timekeeper(.shared) : .other(clock)
  }

  enum Wait: Sendable {
    case ticket(Timekeeper.Ticket)
    case sleep(Task<Void, Never>)

    func end(for operation: AsyncOperation) {
      switch self {
      case .ticket(let ticket): ticket.cancel()
      // A clock's cancellation handlers belong to the app and may block.
      case .sleep(let task): HelperThreads.cancels.run(for: operation) { task.cancel() }
      }
    }
  }

  /// The closure may run code of the app.
  func wait(for duration: Duration, _ body: @escaping HelperThreads.Work) -> Wait {
    switch self {
    case .timekeeper(let timekeeper):
      .ticket(timekeeper.call(after: duration) { HelperThreads.errands.run(body) })
    case .other(let clock):
      .sleep(
        Task.detached {
          if (try? await clock.pause(for: duration)) != nil { body() }
        })
    }
  }
}
