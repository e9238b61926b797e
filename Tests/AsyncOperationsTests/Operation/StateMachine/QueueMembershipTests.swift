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

  @Test("The first queue that adds an operation keeps it")
  func added() {
    var membership = Membership()
    #expect(membership.addRequested(by: queue) == true)
    for next in [queue, other] {
      #expect(membership.addRequested(by: next) == false)
      #expect(membership.claimRequested(by: next) == false)
    }
    membership.claimReturned(by: queue)
    #expect(membership.isIn(queue) && !membership.isIn(other))
  }

  @Test("Only the claiming queue can add a claimed operation, or return its claim")
  func claimed() {
    var membership = Membership()
    #expect(membership.claimRequested(by: queue) == true)
    #expect(membership.claimRequested(by: queue) == false)
    #expect(membership.addRequested(by: other) == false)
    membership.claimReturned(by: other)
    #expect(membership.isTaken && !membership.isIn(queue))
    membership.claimReturned(by: queue)
    #expect(membership.claimRequested(by: other) == true)
    #expect(membership.addRequested(by: other) == true)
  }
}
