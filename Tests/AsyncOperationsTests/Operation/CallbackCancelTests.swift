import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("A cancel from a callback", .timeLimit(.minutes(10)))
struct CallbackCancelTests {
  /// A moment at which an operation calls code of the app.
  enum Moment: CaseIterable {
    case willEnqueue, condition, started
    case body, task, cancelled, didCancel, attempt, shouldRetry, child, childEnd
    case result, willFinish, didFinish, completion

    var isBeforeBody: Bool { [.willEnqueue, .condition, .started].contains(self) }
    var isAfterEnd: Bool { [.result, .willFinish, .didFinish, .completion].contains(self) }
  }

  fileprivate typealias Call = @Sendable (Moment) -> Void

  private func operation(for moment: Moment, _ call: @escaping Call) -> ResultOperation<[Int]> {
    switch moment {
    case .task:
      return TaskOperation {
        call(.task)
        return [1]
      }
    case .attempt, .shouldRetry:
      // After a pause that went on, the test would not end.
      return RetryOperation(
        .constant(.seconds(3_600), limit: 9),
        shouldRetry: { _, _ in
          call(.shouldRetry)
          return true
        }
      ) { _ in
        call(.attempt)
        throw Failure()
      }
    case .child, .childEnd:
      let child = TaskOperation {
        call(.child)
        return 1
      }
      child.addObserver(OperationObserver(didFinish: { _ in call(.childEnd) }))
      return GroupOperation<Int>([child])
    default: return Subject(call)
    }
  }

  @Test("It ends the operation once, and is no misuse", arguments: Moment.allCases)
  func once(moment: Moment) async {
    let (own, told) = (Box<ResultOperation<[Int]>?>(nil), Log<Moment>([]))
    let call: Call = { now in
      told.append(now)
      let isCancelledTwice = now == .body && [.cancelled, .didCancel].contains(moment)
      if now == moment || isCancelledTwice { own.value?.cancel() }
    }
    let operation = operation(for: moment, call)
    own.set(operation)
    let misuses = Misuses(of: operation)
    operation.addCondition(OperationCondition("calls") { call(.condition) })
    operation.addObserver(
      OperationObserver(
        willEnqueue: { _ in call(.willEnqueue) }, started: { _ in call(.started) },
        cancelled: { _ in call(.cancelled) }, willFinish: { _ in call(.willFinish) },
        didFinish: { _ in call(.didFinish) }))
    operation.onResult { _ in call(.result) }
    operation.completionBlock = { call(.completion) }
    OperationQueue().enqueue(operation)
    // The block may run before the observers, and after them.
    await until { told.value.contains(.completion) && told.value.contains(.didFinish) }
    own.set(nil)
    for end in [Moment.result, .willFinish, .didFinish, .completion] {
      #expect(told.value.count { $0 == end } == 1)
    }
    let bodies = told.value.count { [.body, .task, .attempt, .child].contains($0) }
    #expect(bodies == (moment.isBeforeBody ? 0 : 1))
    #expect(told.value.count { $0 == .cancelled } == (moment.isAfterEnd ? 0 : 1))
    #expect(operation.isCancelled != moment.isAfterEnd && misuses.codesOnAnyMachine == [])
  }

  /// Calls in each member that a subclass overrides.
  private final class Subject: ResultOperation<[Int]>, @unchecked Sendable {
    // Sendable: it never changes.
    private let call: Call

    init(_ call: @escaping Call) {
      self.call = call
      super.init()
    }

    override func main() {
      call(.body)
      finish(with: .success([1]))
    }

    override func didCancel() {
      call(.didCancel)
      finish()
    }
  }
}
