import Testing

@testable import AsyncOperations

@Suite("The task of a body, as a value")
struct BodyTaskTests {
  private let task = Task<Void, Never> {}

  @Test("A task that is awaited before it is made is raised only to a higher priority than its own")
  func awaitedBefore() {
    for (priority, action) in [
      (TaskPriority.low, BodyTask.MadeAction.none), (.medium, .none), (.high, .raise(.high)),
    ] {
      var body = BodyTask()
      #expect(body.awaited(at: priority) == nil && body.awaited(at: .background) == nil)
      #expect(body.made(task, .medium) == action)
    }
  }

  @Test("A task is made with the priority at which it is awaited, if that is higher than its own")
  func made() {
    for (own, awaited, made) in [
      (nil, nil, nil), (nil, .low, nil), (nil, .medium, nil), (nil, .high, .high),
      (.low, nil, .low), (.low, .medium, .medium), (.high, .medium, .high),
    ] as [(TaskPriority?, TaskPriority?, TaskPriority?)] {
      var body = BodyTask()
      if let awaited { _ = body.awaited(at: awaited) }
      #expect(body.makeRequested(own) == made)
    }
  }

  @Test("A running task is raised once for each higher priority, and not after its cancel or end")
  func awaitedRunning() {
    var body = BodyTask()
    #expect(body.made(task, .medium) == .none)
    #expect(body.awaited(at: .low) == nil && body.awaited(at: .medium) == nil)
    #expect(body.awaited(at: .high) == task)
    #expect(body.awaited(at: .high) == nil)
    var cancelled = BodyTask()
    _ = cancelled.made(task, .low)
    #expect(cancelled.cancelled() == task && cancelled.awaited(at: .high) == nil)
    var unwanted = BodyTask()
    #expect(unwanted.cancelled() == nil && unwanted.made(task, .low) == .cancel)
    var returned = BodyTask()
    _ = returned.made(task, .low)
    _ = returned.returned()
    #expect(returned.awaited(at: .high) == nil)
  }
}
