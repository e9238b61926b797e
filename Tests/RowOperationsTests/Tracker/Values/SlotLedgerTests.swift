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

  @Test("There are never more bodies than twice the slots")
  func bodies() {
    var peak = 0
    for seed in 0..<50 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var ledger = SlotLedger(count: .random(in: 1...4, using: &random))
      for _ in 0..<200 {
        switch Int.random(in: 0..<6, using: &random) {
        case 0, 1, 2: if ledger.hasFree { ledger.running += 1 }
        case 3, 4:
          // A load loses its last claim; the ledger predicts whether its cancel frees a slot.
          guard ledger.running > 0 else { continue }
          let wouldGain = ledger.wouldGainByCancelling
          ledger.running -= 1
          ledger.lingering += 1
          #expect(ledger.hasFree == wouldGain, "seed \(seed): \(ledger)")
        default:
          if ledger.lingering > 0 { ledger.lingering -= 1 }
        }
        #expect(ledger.running <= ledger.count, "seed \(seed): \(ledger)")
        #expect(
          ledger.running + ledger.lingering <= 2 * ledger.count, "seed \(seed): \(ledger)")
        peak = max(peak, ledger.lingering - ledger.count)
      }
    }
    // More lingering bodies than slots must have occurred.
    #expect(peak > 0)
  }
}
