import Testing

@testable import AsyncOperations

@Suite("The holds of a queue")
struct QueueHoldsTests {
  @Test("A queue is suspended from its first hold to the end of its last one")
  func nested() {
    var holds = QueueHolds()
    #expect(holds.next() == nil)
    holds.held()
    #expect(holds.next() == true)
    #expect(holds.passed() == nil)
    holds.held()
    holds.released()
    #expect(holds.next() == nil)
    holds.released()
    #expect(holds.next() == false)
    #expect(holds.passed() == nil)
  }

  @Test("A queue that the app has suspended stays so after a hold, until the app resumes it")
  func suspended() {
    var holds = QueueHolds()
    holds.held()
    #expect(holds.next() == true)
    #expect(holds.passed() == nil)
    holds.suspended(true)
    holds.released()
    #expect(holds.next() == nil && holds.isSuspended)
    holds.suspended(false)
    #expect(holds.next() == false && !holds.isSuspended)
  }

  @Test("The thread that passes an outcome on passes later ones on, too")
  func passing() {
    var holds = QueueHolds()
    holds.held()
    #expect(holds.next() == true)
    holds.released()
    #expect(holds.next() == nil, "another thread is passing the hold on")
    #expect(holds.passed() == false)
    #expect(holds.passed() == nil)
    holds.held()
    #expect(holds.next() == true)
  }
}
