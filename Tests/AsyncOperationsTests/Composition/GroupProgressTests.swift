import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("The progress of groups", .timeLimit(.minutes(10)))
struct GroupProgressTests {
  private let queue = OperationQueue(width: 1)

  @Test("The progress of a group without children is complete, and so is the parent progress")
  func emptyProgress() async throws {
    let group = GroupOperation<Int>()
    let whole = Progress(totalUnitCount: 1)
    whole.addChild(group.progress, withPendingUnitCount: 1)
    #expect(!group.progress.isFinished)
    _ = try await queue.value(of: group)
    #expect(group.progress.isFinished && whole.isFinished)
    #expect(group.progress.fractionCompleted == 1)
  }

  @Test("When a group finishes, its children have finished, and its progress counts them")
  func progress() async {
    let children = (0..<30).map { number in TaskOperation { number } }
    let group = GroupOperation<Int>(width: 4, children)
    #expect(group.progress.totalUnitCount == 30 && group.progress.completedUnitCount == 0)
    let (completed, finished) = (Box<Int64>(0), Box())
    group.addObserver(
      OperationObserver(willFinish: { [progress = ProgressBox(group.progress)] _ in
        completed.set(progress.progress.completedUnitCount)
        finished.set(children.count { $0.isFinished })
      }))
    queue.enqueue(group)
    await group.ended()
    #expect(completed.value == 30 && finished.value == 30 && group.progress.isFinished)
  }

  @Test("A cancel of the progress cancels the group and its children")
  func cancelByProgress() async {
    let child = Sleeper()
    let group = GroupOperation<Int>([child])
    queue.enqueue(group)
    await until { child.isExecuting }
    group.progress.cancel()
    await group.ended()
    #expect(group.isCancelled && child.isCancelled)
  }

  @Test("A group that never ran completes its progress and the parent progress")
  func progressOfOneThatNeverRan() async {
    let (finished, tasks) = (BlockOperation(), (0..<3).map { number in TaskOperation { number } })
    finished.start()
    let group = GroupOperation<Int>([finished, BlockOperation()] + tasks)
    let whole = Progress(totalUnitCount: 1)
    whole.addChild(group.progress, withPendingUnitCount: 1)
    let ends = ([group] + tasks as [AsyncOperation]).map(reportedEnd)
    group.cancel()
    queue.enqueue(group)
    for end in ends { await end.opened() }
    #expect(group.progress.completedUnitCount == 5 && whole.isFinished)
  }

  /// Opens when an operation has told the group of its end.
  ///
  /// A cancel gives it a result before that.
  private func reportedEnd(of operation: AsyncOperation) -> Gate {
    let end = Gate()
    operation.addObserver(OperationObserver(didFinish: { _ in end.open() }))
    return end
  }
}

private struct ProgressBox: @unchecked Sendable {
  // Sendable: no thread writes any more when it is read.
  let progress: Progress

  init(_ progress: Progress) { self.progress = progress }
}
