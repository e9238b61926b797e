import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite(
  "The memory of many operations",
  .enabled(if: Heap.isMeasured, "A sanitizer allocates by itself."),
  .timeLimit(.minutes(60)))
struct OperationMemoryTests {
  /// The bytes that may be added by as many operations as ran before: a byte for each, which is
  /// less than any block, and the pools of the system, which vary by 100 KB.
  ///
  /// A block that stays for one operation in ten is more.
  fileprivate static func limit(_ count: Int) -> Int { count + 256 * 1024 }

  @Test("Operations of each kind and end, permits and categories leave no memory behind")
  func manyOperations() async {
    // In a process of its own, as other tests allocate at the same time.
    await #expect(processExitsWith: .success) {
      let count = StressLevel.current.measuredOperations
      let batches = MeasuredBatches()
      Heap.keepNoBacktraces()
      Watchdog.start(Watchdog.patient, on: batches.ended, upTo: .max)
      // Pools grow while the first operations run.
      await batches.run(count)
      let before = Heap.bytesInUse
      await batches.run(count)
      exit(Heap.bytesInUse - before > OperationMemoryTests.limit(count) ? 1 : 0)
    }
  }

  @Test("The check detects a block of memory that one operation in ten leaves")
  func broken() async {
    await #expect(processExitsWith: .exitCode(1)) {
      let count = StressLevel.current.measuredOperations
      let kept = Box<[Data]>([])
      let before = Heap.bytesInUse
      for _ in 0..<count / 10 { kept.append(Data(count: 160)) }
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

  func run(_ count: Int) async {
    for _ in 0..<count / Self.size { await runBatch() }
  }

  /// Runs a batch until nothing of it is left.
  private func runBatch() async {
    let alive = Box<[WeakOperation]>([])
    await start(alive)
    // The system releases an operation some time after its end.
    await until { alive.value.allSatisfy { $0.operation == nil } }
    ended.add()
  }

  private func start(_ alive: Log<WeakOperation>) async {
    var operations: [AsyncOperation] = []
    for index in 0..<10 {
      operations += self.operations(index)
    }
    for (index, operation) in operations.enumerated() {
      alive.append(WeakOperation(operation: operation))
      queues[index % 2].enqueue(operation)
      if index % 5 == 0 { operation.cancel() }
    }
    try? await category.withPermit {}
    for number in 0..<Self.size { _ = ExclusionCategory("dropped \(number)") }
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
