@testable import AsyncOperations
@testable import TestSupport

#if canImport(ObjectiveC)
  import Foundation
  import Testing

  @Suite("Key-value observing", .timeLimit(.minutes(10)))
  struct KeyValueTests {
    @Test("isExecuting changes twice and isFinished once, and each reads its new value")
    func fullLife() async {
      for kind in Kind.ours {
        let operation = kind.make()
        let witness = KeyValueWitness(operation)
        await onThread { operation.start() }
        await operation.finished()
        await until { witness.changes.count >= 3 }
        #expect(witness.changes == KeyValueWitness.fullLife, "\(kind)")
      }
    }

    @Test("An operation that is cancelled before its start changes isFinished only")
    func cancelled() async {
      for kind in Kind.ours {
        let operation = kind.make()
        let witness = KeyValueWitness(operation)
        operation.cancel()
        #expect(witness.changes == [])
        await onThread { operation.start() }
        await operation.finished()
        await until { !witness.changes.isEmpty }
        #expect(witness.changes == KeyValueWitness.noLife, "\(kind)")
      }
    }

    @Test("An operation in a queue that another thread finishes publishes the same changes")
    func throughQueue() async {
      for kind in Kind.ours {
        let gate = Gate()
        let operation = kind.make(Work(until: .open(gate)))
        let witness = KeyValueWitness(operation)
        let queue = OperationQueue(width: 1)
        queue.enqueue(operation)
        await onThread { gate.open() }
        await queue.emptied()
        await until { witness.changes.count >= 3 }
        #expect(witness.changes == KeyValueWitness.fullLife, "\(kind)")
      }
    }

    @Test("A cancel changes isCancelled once, before the start and while executing")
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

    @Test("A cancel after the end does not change isCancelled")
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

    @Test("isReady changes when the last dependency finishes, is removed, or a cancel comes")
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
          await until { !witness.changes.isEmpty }
          #expect(operation.isReady && witness.changes.last?.read == true, "\(kind)")
        }
      }
    }
  }
#endif
