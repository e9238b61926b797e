@testable import AsyncOperations
@testable import TestSupport

#if canImport(ObjectiveC)
  import Foundation
  import RowOperations
  import Testing

  @Suite("Key-value observing", .timeLimit(.minutes(10)))
  struct KeyValueTests {
    @Test("Both keys change once each way, and read in that moment as what they are told to be")
    func fullLife() async {
      for kind in Kind.ours {
        let operation = kind.make()
        let witness = KeyValueWitness(operation)
        await onThread { operation.start() }
        await operation.finished()
        while witness.changes.count < 3 { await Task.yield() }
        #expect(witness.changes == KeyValueWitness.fullLife, "\(kind)")
      }
    }

    @Test("Cancelled before its start, it tells that it finished and nothing else")
    func cancelled() async {
      for kind in Kind.ours {
        let operation = kind.make()
        let witness = KeyValueWitness(operation)
        operation.cancel()
        #expect(witness.changes == [])
        await onThread { operation.start() }
        await operation.finished()
        while witness.changes.isEmpty { await Task.yield() }
        #expect(witness.changes == KeyValueWitness.noLife, "\(kind)")
      }
    }

    @Test("Through a queue, finished from another thread, the same is told")
    func throughQueue() async {
      for kind in Kind.ours {
        let gate = Gate()
        let operation = kind.make(Work(until: .open(gate)))
        let witness = KeyValueWitness(operation)
        let queue = OperationQueue(width: 1)
        queue.enqueue(operation)
        await onThread { gate.open() }
        await queue.emptied()
        while witness.changes.count < 3 { await Task.yield() }
        #expect(witness.changes == KeyValueWitness.fullLife, "\(kind)")
      }
    }
  }
#endif
