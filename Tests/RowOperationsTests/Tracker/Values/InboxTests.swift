import Testing

@testable import RowOperations
@testable import TestSupport

@Suite("The inbox of a tracker")
struct InboxTests {
  @Test("A free permit for which several loads wait requests one turn, which takes later mail too")
  func freePermit() {
    let permits = StagePermits([.decode: 1])
    let turns = Box()
    let inbox = Inbox(number: 0, permits: permits, clock: { 0 }, announce: { _ in turns.add() })
    let id = UpdateID(index: 0, generation: 0)
    let visits = (0..<3).map { _ in StagePermit(.decode, permits) }
    #expect(visits.map { $0.request(inbox, id) } == [true, false, false])
    #expect(turns.value == 0)
    visits[0].leave()
    #expect(turns.value == 1)
    inbox.updateEnded(id)
    #expect(turns.value == 1)
    #expect(inbox.empty().arrivals.map(\.isEnd) == [true])
    inbox.updateStepped(id)
    #expect(turns.value == 2)
  }
}
