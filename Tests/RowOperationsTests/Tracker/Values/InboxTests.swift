import Testing

@testable import RowOperations
@testable import TestSupport

@Suite("The inbox of a tracker")
struct InboxTests {
  @Test("Mail requests one turn, which takes later mail too")
  func turns() {
    let turns = Box()
    let inbox = Inbox(number: 0, announce: { _ in turns.add() })
    let id = UpdateID(index: 0, generation: 0)
    inbox.updateEnded(id)
    inbox.updateStepped(id)
    #expect(turns.value == 1)
    #expect(inbox.empty().arrivals.map(\.isEnd) == [true, false])
    inbox.updateStepped(id)
    #expect(turns.value == 2)
  }
}
