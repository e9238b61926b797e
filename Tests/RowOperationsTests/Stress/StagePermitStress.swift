import Dispatch
import Testing

@testable import RowOperations
@testable import TestSupport

@Suite("Permits of a limited stage under stress", .timeLimit(.minutes(60)))
struct StagePermitStress {
  @Test("The limit holds and each wait ends while threads request, cancel and leave at once")
  @MainActor
  func threads() async {
    for limit in 1...2 {
      let permits = StagePermits([.decode: limit])
      let (turns, inside, most, ended) = (Box(0), Box(0), Box(0), Box(0))
      let inbox = Inbox(number: 0, permits: permits, clock: { 0 }, announce: { _ in turns.add() })
      let rounds = StressLevel.current.operationsPerRound
      await withTaskGroup(of: Void.self) { group in
        for worker in 0..<6 {
          group.addTask {
            for round in 0..<rounds {
              let permit = StagePermit(.decode, permits)
              let isGranted = permit.request(inbox, UpdateID(index: 0, generation: 0))
              // Another thread cancels some of them while they wait or while they are in the stage.
              let isCancelled = (round + worker).isMultiple(of: 5)
              if isCancelled { DispatchQueue.global().async { permit.cancel() } }
              if !isGranted { await permit.granted() }
              if !isCancelled {
                let count = inside.add()
                most.change { $0 = max($0, count) }
                inside.change { $0 -= 1 }
              }
              permit.leave()
              ended.add()
            }
          }
        }
        // Stands for the main actor: a turn for each call of the owner.
        while ended.value < 6 * rounds {
          permits.grantAll { $0.randomElement()?.ticket }
          _ = inbox.empty()
          await Task.yield()
        }
      }
      #expect(most.value <= limit && most.value > 0)
      #expect(ended.value == 6 * rounds && permits.idle == [])
    }
  }
}
