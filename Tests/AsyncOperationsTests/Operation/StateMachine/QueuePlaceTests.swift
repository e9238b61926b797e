import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("The place of an operation in its queue")
struct QueuePlaceTests {
  private typealias Place = AsyncOperation.QueuePlace

  private final class Queue: Sendable {}
  private let queues = [Queue(), Queue()]
  private var queue: ObjectIdentifier { ObjectIdentifier(queues[0]) }
  private var other: ObjectIdentifier { ObjectIdentifier(queues[1]) }

  @Test("The first queue that adds an operation keeps it and is its only starter")
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

  @Test("A queue that is not the only starter keeps the operation but is not its starter")
  func manyStarters() {
    var place = Place()
    #expect(place.addRequested(by: queue, isOnlyStarter: false) == true)
    #expect(place.starter == nil)
    #expect(place.addRequested(by: other, isOnlyStarter: true) == false)
  }

  @Test("Only the claiming queue can add a claimed operation, which has no starter until then")
  func claimed() {
    var place = Place()
    #expect(place.claimRequested(by: queue) == true)
    #expect(place.starter == nil)
    #expect(place.claimRequested(by: queue) == false)
    #expect(place.claimRequested(by: other) == false)
    #expect(place.addRequested(by: other, isOnlyStarter: true) == false)
    #expect(place.addRequested(by: queue, isOnlyStarter: true) == true)
  }

  @Test("Only the claiming queue can return its claim, after which another queue can claim")
  func givenBack() {
    var place = Place()
    _ = place.claimRequested(by: queue)
    place.claimReturned(by: other)
    #expect(place.claimRequested(by: other) == false)
    place.claimReturned(by: queue)
    #expect(place.claimRequested(by: other) == true)
  }
}
