import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite(
  "The memory of many operations",
  .enabled(if: Heap.isMeasured, "A sanitizer allocates by itself."),
  .timeLimit(.minutes(60)))
struct OperationMemoryTests {
  /// The bytes that may be left: less than a small object for each operation.
  ///
  /// The process of a test keeps about 20 bytes for each; a plain process keeps none.
  fileprivate static func limit(_ count: Int) -> Int { count * 40 }

  @Test("Operations of each kind and each end leave no memory behind")
  func manyOperations() async {
    // In a process of its own, as other tests allocate at the same time.
    await #expect(processExitsWith: .success) {
      let rounds = 4
      let count = StressLevel.current.measuredOperations / rounds
      let batches = MeasuredBatches()
      Watchdog.start(Watchdog.patient, on: batches.ended, upTo: .max)
      // A block that stays shows in each round. Pools grow in some of them only.
      var grown: [Int] = []
      for _ in 0..<rounds {
        let before = Heap.bytesInUse
        for _ in 0..<count / MeasuredBatches.size { await batches.run() }
        grown.append(Heap.bytesInUse - before)
      }
      exit((grown.min() ?? 0) > OperationMemoryTests.limit(count) ? 1 : 0)
    }
  }

  @Test("The check detects operations that leave a block of memory")
  func broken() async {
    await #expect(processExitsWith: .exitCode(1)) {
      let count = StressLevel.current.measuredOperations
      let kept = Box<[Data]>([])
      let before = Heap.bytesInUse
      for _ in 0..<count { kept.append(Data(count: 24)) }
      exit(Heap.bytesInUse - before > OperationMemoryTests.limit(count) ? 1 : 0)
    }
  }
}

/// Operations of each kind and each end, a batch at a time.
private struct MeasuredBatches {
  /// The number of operations in a batch, children included.
  static let size = 100

  let ended = Box()
  private let category = ExclusionCategory("measured", limit: 2)
  private let queues = [OperationQueue(width: 4), AsyncOperationQueue()]

  /// Runs a batch until nothing of it is left.
  func run() async {
    let alive = Box<[Weak]>([])
    await start(alive)
    // The system releases an operation some time after its end.
    await until { alive.value.allSatisfy { $0.operation == nil } }
    ended.add()
  }

  private struct Weak: Sendable {
    weak var operation: AsyncOperation?
  }

  private func start(_ alive: Log<Weak>) async {
    var operations: [AsyncOperation] = []
    for index in 0..<10 {
      operations += self.operations(index)
    }
    for (index, operation) in operations.enumerated() {
      alive.append(Weak(operation: operation))
      queues[index % 2].enqueue(operation)
      if index % 5 == 0 { operation.cancel() }
    }
    try? await category.withPermit {}
  }

  /// - Returns: Eight operations, one of which has two children.
  private func operations(_ index: Int) -> [AsyncOperation] {
    let task = TaskOperation { index }.timeout(after: .seconds(600))
    let late = TaskOperation {
      // Ends with the cancel, and unlike a gate has no alarm.
      for await _ in AsyncStream(Never.self, { _ in }) {}
      return index
    }.timeout(after: .microseconds(100))
    let failing = TaskOperation<Int> { throw Failure() }
    failing.exclusive(in: category)
    let gated = TaskOperation(requiring: task) { $0 }
    gated.exclusive(in: category).addCondition(OperationCondition("holds") {})
    let retry = RetryOperation<Int>(.immediate(limit: 2)) { attempt in
      if attempt == 0 { throw Failure() }
      return attempt
    }
    let first = TaskOperation { 1 }
    let second = TaskOperation(requiring: first) { $0 + index }
    let group = GroupOperation<Int>([first, second])
    return [task, late, failing, gated, retry, group, QuickOperation(), QuickOperation()]
  }
}
