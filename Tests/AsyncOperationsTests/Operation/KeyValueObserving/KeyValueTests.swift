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

    @Test(
      "A cancel is told once, by the thread that cancels, before its start or while it executes")
    func isCancelled() async {
      for kind in Kind.ours {
        let (pending, executing) = (kind.make(), kind.make(Work(until: .cancelled)))
        let witnesses = [pending, executing].map { KeyValueWitness($0, ["isCancelled"]) }
        await onThread { executing.start() }
        for operation in [pending, executing] {
          operation.cancel()
          operation.cancel()
        }
        for witness in witnesses { #expect(witness.changes == KeyValueWitness.cancel, "\(kind)") }
        await onThread { pending.start() }
        await executing.finished()
        for witness in witnesses { #expect(witness.changes == KeyValueWitness.cancel, "\(kind)") }
      }
    }

    @Test("A cancel after the end was decided is not told")
    func cancelledTooLate() async {
      for kind in Kind.ours {
        let operation = kind.make()
        let witness = KeyValueWitness(operation, ["isCancelled"])
        await onThread { operation.start() }
        await operation.finished()
        operation.cancel()
        #expect(witness.changes == [] && !operation.isCancelled, "\(kind)")
      }
    }

    @Test("Readiness is told when the last dependency finishes, is removed, or no longer matters")
    func isReady() async {
      for kind in Kind.ours {
        for end in 0..<3 {
          let (operation, dependency) = (kind.make(), BlockOperation {})
          operation.addDependency(dependency)
          let witness = KeyValueWitness(operation, ["isReady"])
          #expect(!operation.isReady && witness.changes == [])
          switch end {
          case 0: dependency.start()
          case 1: operation.removeDependency(dependency)
          default: operation.cancel()
          }
          while witness.changes.isEmpty { await Task.yield() }
          #expect(operation.isReady && witness.changes.last?.read == true, "\(kind)")
        }
      }
    }
  }
#endif
