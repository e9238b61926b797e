import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("An operation's place in its queue as a value")
struct QueuePlaceTests {
  private typealias Place = AsyncOperation.QueuePlace

  private final class Queue: Sendable {}
  private let queues = [Queue(), Queue()]
  private var queue: ObjectIdentifier { ObjectIdentifier(queues[0]) }
  private var other: ObjectIdentifier { ObjectIdentifier(queues[1]) }

  @Test("The first queue that adds it has it for good, and alone starts it")
  func added() {
    var place = Place()
    #expect(place.starter == nil)
    #expect(place.addRequested(by: queue, isOnlyStarter: true) == true)
    #expect(place.starter == queue)
    for next in [queue, other] {
      #expect(place.addRequested(by: next, isOnlyStarter: true) == false)
      #expect(place.claimRequested(by: next) == false)
    }
    place.claimReturned(by: queue)
    #expect(place.starter == queue)
  }

  @Test("A queue whose starts cannot be told is not the only one to start it")
  func manyStarters() {
    var place = Place()
    #expect(place.addRequested(by: queue, isOnlyStarter: false) == true)
    #expect(place.starter == nil)
    #expect(place.addRequested(by: other, isOnlyStarter: true) == false)
  }

  @Test("Claimed, it is added by that queue only, and anybody may start it before")
  func claimed() {
    var place = Place()
    #expect(place.claimRequested(by: queue) == true)
    #expect(place.starter == nil)
    #expect(place.claimRequested(by: queue) == false)
    #expect(place.claimRequested(by: other) == false)
    #expect(place.addRequested(by: other, isOnlyStarter: true) == false)
    #expect(place.addRequested(by: queue, isOnlyStarter: true) == true)
  }

  @Test("Given back by the queue that has claimed it, it is anybody's again")
  func givenBack() {
    var place = Place()
    _ = place.claimRequested(by: queue)
    place.claimReturned(by: other)
    #expect(place.claimRequested(by: other) == false)
    place.claimReturned(by: queue)
    #expect(place.claimRequested(by: other) == true)
  }
}
