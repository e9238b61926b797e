// Transcript.swift explains the letters of events.

import Testing

@testable import RowOperations
@testable import RowOperationsTesting

@Suite("Events of a simulated list: passes without a change")
@MainActor
struct ListSettledTests {
  private static let behaviors: [ListBehavior] = {
    var guessing = ListBehavior.tableView
    guessing.estimatedHeight = 40
    var slow = ListBehavior.collectionView
    slow.prefetchSpeedLimit = 2
    return [ListBehavior(), .tableView, .collectionView, .gtkListView, guessing, slow]
  }()

  /// Changes a list at random.
  private func change(_ list: ListSimulator<Int>, _ dice: inout SeededGenerator) {
    let row = list.rows.randomElement(using: &dice) ?? 0
    switch Int.random(in: 0..<12, using: &dice) {
    case 0: list.resize(to: Double(Int.random(in: 1..<8, using: &dice)) * 75)
    case 1: list.insert([(list.rows.max() ?? 0) + 1], at: Int.random(in: 0..<10, using: &dice))
    case 2: list.delete([row])
    case 3: list.move(row, to: Int.random(in: 0..<20, using: &dice))
    case 4: list.reload(list.rows.shuffled(using: &dice))
    case 5: list.jump(to: row)
    case 6: list.jump(to: row, frames: 3)
    case 7: list.reloadRow(row)
    case 8: list.layOut()
    default:
      list.beginDrag()
      for _ in 0..<3 { list.drag(by: Double.random(in: -90...90, using: &dice)) }
      list.endDrag(velocity: 0)
    }
  }

  @Test("A list that skips passes without a change sends the same events", arguments: 0..<6)
  func skippedPasses(index: Int) {
    for seed in 0..<40 as Range<UInt64> {
      let (skipping, thorough) = (Transcript(), Transcript())
      var lists = [makeList(30, Self.behaviors[index], in: skipping)]
      lists.append(
        ListSimulator(
          rows: Array(0..<30), rowHeight: 100, viewport: 300, behavior: Self.behaviors[index]
        ) { event in
          thorough.handle(event)
          // The pass comes next.
          if case .scrollDidMove = event { lists[1].isSettled = false }
        })
      var dice = [SeededGenerator(seed: seed), SeededGenerator(seed: seed)]
      for step in 0..<60 {
        for place in 0..<2 {
          if step == 0 { lists[place].layOut() } else { change(lists[place], &dice[place]) }
        }
        lists[1].isSettled = false
        // A pass that may have nothing to do.
        for list in lists { list.layOut() }
        let (events, expected) = (skipping.take(), thorough.take())
        #expect(events == expected, "seed \(seed), step \(step)")
        guard events == expected else { return }
      }
    }
  }

  @Test("Rows that leave to where the list scrolls are prefetched by the next pass")
  func shrunk() {
    let transcript = Transcript()
    var behavior = ListBehavior()
    behavior.prefetchDepth = 2
    let list = makeList(100, behavior, in: transcript)
    list.layOut()
    list.resize(to: 100)
    _ = transcript.take()
    list.layOut()
    #expect(transcript.take() == "P[1, 2]")
    list.layOut()
    #expect(transcript.take() == "")
  }
}
