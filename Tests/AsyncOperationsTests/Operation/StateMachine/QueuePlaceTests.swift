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

  // MARK: Whose it is

  @Test("The first queue that adds it has it for good, and alone starts it")
  func added() {
    var place = Place()
    #expect(place.isFree)
    #expect(place.enteringRequested(by: queue, isOnlyStarter: true) == .add)
    #expect(!place.isFree && place.starter == queue)
    for next in [queue, other] {
      #expect(place.enteringRequested(by: next, isOnlyStarter: true) == .refuse)
      #expect(place.claimRequested(by: next) == false)
      place.entered()
    }
    place.claimReturned(by: queue)
    #expect(!place.isFree && place.starter == queue)
  }

  @Test("A queue whose starts cannot be told is not the only one to start it")
  func manyStarters() {
    var place = Place()
    #expect(place.enteringRequested(by: queue, isOnlyStarter: false) == .add)
    #expect(!place.isFree && place.starter == nil)
  }

  @Test("Claimed, it is added by that queue only, and nobody starts it before")
  func claimed() {
    var place = Place()
    #expect(place.claimRequested(by: queue) == true)
    #expect(place.isClaimed && !place.isFree)
    #expect(place.claimRequested(by: queue) == false)
    #expect(place.claimRequested(by: other) == false)
    #expect(place.enteringRequested(by: other, isOnlyStarter: true) == .refuse)
    #expect(place.enteringRequested(by: queue, isOnlyStarter: true) == .add)
    #expect(!place.isClaimed)
  }

  @Test("Given back by the queue that has claimed it, it is anybody's again")
  func givenBack() {
    var place = Place()
    _ = place.claimRequested(by: queue)
    place.claimReturned(by: other)
    #expect(place.isClaimed)
    place.claimReturned(by: queue)
    #expect(place.isFree)
    #expect(place.claimRequested(by: other) == true)
  }

  // MARK: Leaving

  @Test("Added and left alone, the system is never told to cancel it")
  func leftAlone() {
    var place = entered()
    #expect(place.unreadinessSeen(waits: true) == false)
    #expect(!place.isLeaving && !place.isSystemCancelled)
  }

  @Test("Asked to leave while it waits for a dependency: the system is told, and told again")
  func leaves() {
    var place = entered()
    place.leaveRequested()
    #expect(place.isLeaving && !place.isSystemCancelled)
    #expect(place.unreadinessSeen(waits: true) == true)
    #expect(place.isSystemCancelled)
    place.leaveRequested()
    #expect(place.unreadinessSeen(waits: false) == true)
  }

  @Test("Asked to leave while it waits for a barrier alone, it stays until a dependency comes")
  func waitsForBarrier() {
    var place = Place()
    place.leaveRequested()
    #expect(place.unreadinessSeen(waits: false) == false)
    #expect(!place.isSystemCancelled)
    #expect(place.unreadinessSeen(waits: true) == true)
  }

  @Test("Asked to leave while it is being added: seen to when it was added")
  func asksWhileEntering() {
    var place = Place()
    #expect(place.enteringRequested(by: queue, isOnlyStarter: true) == .add)
    place.leaveRequested()
    #expect(place.unreadinessSeen(waits: true) == false)
    place.entered()
    #expect(place.unreadinessSeen(waits: true) == true)
  }

  @Test("Once the system was told, a stand-in is added")
  func standIn() {
    var place = Place()
    place.leaveRequested()
    _ = place.unreadinessSeen(waits: true)
    #expect(place.enteringRequested(by: queue, isOnlyStarter: true) == .addStandIn)
    #expect(place.unreadinessSeen(waits: true) == false)
    place.entered()
    #expect(place.unreadinessSeen(waits: true) == true)
  }

  @Test("Asked to leave, but ready, it is added as it is")
  func readyAndAsked() {
    var place = Place()
    place.leaveRequested()
    #expect(place.enteringRequested(by: queue, isOnlyStarter: true) == .add)
  }

  private func entered() -> Place {
    var place = Place()
    _ = place.enteringRequested(by: queue, isOnlyStarter: true)
    place.entered()
    return place
  }
}
