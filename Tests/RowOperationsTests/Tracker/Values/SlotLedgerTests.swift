import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("Slot ledger")
struct SlotLedgerTests {
  @Test("A slot is free while fewer loads run than there are slots")
  func free() {
    #expect(SlotLedger(count: 2).hasFree)
    #expect(SlotLedger(count: 2, running: 1).hasFree)
    #expect(!SlotLedger(count: 2, running: 2).hasFree)
  }

  @Test(
    "Lingering bodies hold no slot up to the number of slots; each further body holds one")
  func lingering() {
    #expect(SlotLedger(count: 2, running: 1, lingering: 2).hasFree)
    #expect(!SlotLedger(count: 2, running: 1, lingering: 3).hasFree)
    #expect(SlotLedger(count: 2, running: 0, lingering: 3).hasFree)
    #expect(!SlotLedger(count: 2, running: 0, lingering: 4).hasFree)
  }

  @Test("Ends that arrive before the end of their tracker do not count")
  func early() {
    for count in [1, .max] {
      var table = SlotTable(count: count)
      table.orphans = -100
      let ledger = table.ledger(SlotBid())
      #expect(ledger.lingering == 0 && ledger.hasFree)
    }
  }

  @Test("The cancel of a load frees a slot only if its body then holds no slot")
  func cancelling() {
    #expect(SlotLedger(count: 2, running: 2).wouldGainByCancelling)
    #expect(SlotLedger(count: 2, running: 2, lingering: 1).wouldGainByCancelling)
    #expect(!SlotLedger(count: 2, running: 2, lingering: 2).wouldGainByCancelling)
    #expect(!SlotLedger(count: 2, running: 1, lingering: 3).wouldGainByCancelling)
  }

}
