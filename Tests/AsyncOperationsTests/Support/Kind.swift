import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

/// The kinds of operation for a scenario: the system's own, then each of the library's.
enum Kind: String, CaseIterable, Codable, Sendable, CustomTestStringConvertible {
  case block, async, result, task

  static let ours: [Kind] = [.async, .result, .task]

  var testDescription: String {
    switch self {
    case .block: "BlockOperation"
    case .async: "AsyncOperation"
    case .result: "ResultOperation"
    case .task: "TaskOperation"
    }
  }

  /// Makes an operation that does `work`.
  ///
  /// The system's operation blocks its thread until its work is over. The others return at once and
  /// finish later, on another thread.
  func make(_ work: Work = Work()) -> Operation {
    switch self {
    case .block: BlockSubject(work)
    case .async: AsyncSubject(work)
    case .result: ResultSubject(work)
    case .task: taskSubject(work)
    }
  }

  func make(_ body: @escaping @Sendable (Operation) -> Void) -> Operation { make(Work(body)) }
}

/// The work of an operation of any kind: a beginning and a moment at which it ends.
struct Work: Sendable {
  enum Until: Sendable {
    /// Ends at once, after a hop to another thread.
    case atOnce
    case open(Gate)
    /// Ends when it notices the cancel.
    case cancelled
  }

  var begin: @Sendable (Operation) -> Void
  var until: Until
  /// Runs right before the operation finishes.
  var end: @Sendable () -> Void

  init(
    until: Until = .atOnce, end: @escaping @Sendable () -> Void = {},
    _ begin: @escaping @Sendable (Operation) -> Void
  ) {
    self.begin = begin
    self.until = until
    self.end = end
  }

  init(until: Until = .atOnce, end: @escaping @Sendable () -> Void = {}) {
    self.init(until: until, end: end) { _ in }
  }
}

// MARK: The subject of each kind

private final class BlockSubject: BlockOperation, @unchecked Sendable {
  // Sendable: it never changes.
  private let work: Work
  private let cancelled = Gate()

  init(_ work: Work) { self.work = work }

  override func main() {
    work.begin(self)
    switch work.until {
    case .atOnce: break
    case .open(let gate): gate.wait()
    case .cancelled: cancelled.wait()
    }
    work.end()
  }

  override func cancel() {
    super.cancel()
    cancelled.open()
  }
}

extension Work {
  /// Runs the work of an operation that finishes by a call.
  fileprivate func run(_ operation: AsyncOperation, _ finish: @escaping @Sendable () -> Void) {
    begin(operation)
    switch until {
    case .atOnce:
      DispatchQueue.global().async { [end] in
        end()
        finish()
      }
    case .open(let gate):
      gate.whenOpen { [end] in
        end()
        finish()
      }
    case .cancelled:
      break
    }
  }

  fileprivate func wakeUp(_ finish: () -> Void) {
    guard case .cancelled = until else { return }
    end()
    finish()
  }

  /// Runs the work of an operation with an `async` body.
  fileprivate func run(_ operation: Operation) async {
    begin(operation)
    switch until {
    case .atOnce: await Task.yield()
    case .open(let gate): await gate.opened()
    case .cancelled: await untilCancelled()
    }
    end()
  }
}

private final class AsyncSubject: AsyncOperation, @unchecked Sendable {
  // Sendable: it never changes.
  private let work: Work

  init(_ work: Work) {
    self.work = work
    super.init()
  }

  override func main() { work.run(self) { self.finish() } }

  override func didCancel() { work.wakeUp { self.finish() } }
}

private final class ResultSubject: ResultOperation<Int>, @unchecked Sendable {
  // Sendable: it never changes.
  private let work: Work

  init(_ work: Work) {
    self.work = work
    super.init()
  }

  override func main() { work.run(self) { self.finish(with: .success(1)) } }

  override func didCancel() { work.wakeUp { self.finish() } }
}

private func taskSubject(_ work: Work) -> Operation {
  let operation = Box<WeakOperation?>(nil)
  let subject = TaskOperation {
    if let operation = operation.value?.operation { await work.run(operation) }
    return 1
  }
  operation.set(WeakOperation(operation: subject))
  return subject
}
