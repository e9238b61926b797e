import Foundation
import RowOperations

/// The least that an operation can do.
private final class Immediate: AsyncOperation, @unchecked Sendable {
  override func main() { finish() }
}

extension Family {
  /// B1: a life without a queue, next to the system's own.
  static let bareOperations = Family(id: "B1", title: "operations without a queue") { effort in
    let count = effort.size(20_000)
    let pairs = await interleave(rounds: effort.repetitions(25)) {
      await cost { for _ in 0..<count { Immediate().start() } }
    } _: {
      await cost { for _ in 0..<count { BlockOperation {}.start() } }
    }
    return [
      Entry(
        id: "B1", title: "AsyncOperation / BlockOperation, no queue",
        sample: Sample(pairs.map { $0.a.main / $0.b.main }), limit: 0.7)
    ]
  }

  /// B2: a life in a queue of width 4, next to the system's own.
  static let queuedOperations = Family(id: "B2", title: "operations through a queue") { effort in
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 4
    let count = effort.size(2000)
    let pairs = await interleave(rounds: effort.repetitions(201)) {
      await cost {
        for _ in 0..<count { queue.addOperation(Immediate()) }
        drain(queue)
      }
    } _: {
      await cost {
        for _ in 0..<count { queue.addOperation(BlockOperation {}) }
        drain(queue)
      }
    }
    return [
      Entry(
        id: "B2", title: "AsyncOperation / BlockOperation, through a queue",
        sample: Sample(pairs.map { $0.a.process / $0.b.process }), limit: 1)
    ]
  }

  private static func drain(_ queue: OperationQueue) { queue.waitUntilAllOperationsAreFinished() }
}
