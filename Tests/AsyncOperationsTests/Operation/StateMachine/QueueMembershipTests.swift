import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("The place of an operation in its queue")
struct QueueMembershipTests {
  private typealias Membership = AsyncOperation.QueueMembership

  private final class Queue: Sendable {}
  private let queues = [Queue(), Queue()]
  private var queue: ObjectIdentifier { ObjectIdentifier(queues[0]) }
  private var other: ObjectIdentifier { ObjectIdentifier(queues[1]) }

  @Test("The first queue that adds an operation keeps it and is its only starter")
  func added() {
    var membership = Membership()
    #expect(membership.starter == nil)
    #expect(membership.addRequested(by: queue, isOnlyStarter: true) == true)
    #expect(membership.starter == queue)
    for next in [queue, other] {
      #expect(membership.addRequested(by: next, isOnlyStarter: true) == false)
      #expect(membership.claimRequested(by: next) == false)
    }
    membership.claimReturned(by: queue)
    #expect(membership.starter == queue)
  }

  @Test("A queue that is not the only starter keeps the operation but is not its starter")
  func manyStarters() {
    var membership = Membership()
    #expect(membership.addRequested(by: queue, isOnlyStarter: false) == true)
    #expect(membership.starter == nil)
    #expect(membership.addRequested(by: other, isOnlyStarter: true) == false)
  }

  @Test("Only the claiming queue can add a claimed operation, which has no starter until then")
  func claimed() {
    var membership = Membership()
    #expect(membership.claimRequested(by: queue) == true)
    #expect(membership.starter == nil)
    #expect(membership.claimRequested(by: queue) == false)
    #expect(membership.claimRequested(by: other) == false)
    #expect(membership.addRequested(by: other, isOnlyStarter: true) == false)
    #expect(membership.addRequested(by: queue, isOnlyStarter: true) == true)
  }

  @Test("Only the claiming queue can return its claim, after which another queue can claim")
  func givenBack() {
    var membership = Membership()
    _ = membership.claimRequested(by: queue)
    membership.claimReturned(by: other)
    #expect(membership.claimRequested(by: other) == false)
    membership.claimReturned(by: queue)
    #expect(membership.claimRequested(by: other) == true)
  }
}
