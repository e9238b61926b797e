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
    "As many abandoned bodies as there are slots run on for free; each further one holds a slot")
  func lingering() {
    #expect(SlotLedger(count: 2, running: 1, lingering: 2).hasFree)
    #expect(!SlotLedger(count: 2, running: 1, lingering: 3).hasFree)
    #expect(SlotLedger(count: 2, running: 0, lingering: 3).hasFree)
    #expect(!SlotLedger(count: 2, running: 0, lingering: 4).hasFree)
  }

  @Test("Ends that are heard of before the end of their tracker count for nothing")
  func early() {
    for count in [1, .max] {
      var table = SlotTable(count: count)
      table.orphans = -100
      let ledger = SlotLedger([], table)
      #expect(ledger.lingering == 0 && ledger.hasFree)
    }
  }

  @Test("Cancelling a load frees a slot only while its body may run on for free")
  func cancelling() {
    #expect(SlotLedger(count: 2, running: 2).wouldGainByCancelling)
    #expect(SlotLedger(count: 2, running: 2, lingering: 1).wouldGainByCancelling)
    #expect(!SlotLedger(count: 2, running: 2, lingering: 2).wouldGainByCancelling)
    #expect(!SlotLedger(count: 2, running: 1, lingering: 3).wouldGainByCancelling)
  }

  @Test("Prefetching takes all slots but one; of a single slot, none")
  func prefetching() {
    #expect(SlotLedger(count: 3, prefetching: 1).mayPrefetch)
    #expect(!SlotLedger(count: 3, prefetching: 2).mayPrefetch)
    #expect(!SlotLedger(count: 1).mayPrefetch)
  }

  @Test("There are never more bodies than twice the slots, however many are left behind")
  func bodies() {
    var peak = 0
    for seed in 0..<50 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var ledger = SlotLedger(count: .random(in: 1...4, using: &random))
      for _ in 0..<200 {
        switch Int.random(in: 0..<6, using: &random) {
        case 0, 1, 2: if ledger.hasFree { ledger.running += 1 }
        case 3, 4:
          // A load loses its last claim: whether cancelling it frees a slot is said beforehand.
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
    // Bodies have been left behind beyond what is free of charge.
    #expect(peak > 0)
  }
}
