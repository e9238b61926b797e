import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

/// Finishes as soon as it is started.
final class QuickOperation: AsyncOperation, @unchecked Sendable {
  override func main() { finish() }
}

/// Executes until other code finishes it.
final class OpenOperation: AsyncOperation, @unchecked Sendable {
  override func main() {}
}

/// Runs a closure once, after the system has read `isReady` and before it has the value.
final class ReadinessProbe: AsyncOperation, @unchecked Sendable {
  // Sendable: it never changes.
  struct Read: Sendable {
    var act: (@Sendable () -> Void)?
  }

  let nextRead = Box(Read())

  override var isReady: Bool {
    let isReady = super.isReady
    nextRead.exchanged(Read()).act?()
    return isReady
  }

  override func main() { finish() }
}

/// Continues after a cancel, until a test finishes it.
final class Stubborn: ResultOperation<Int>, @unchecked Sendable {
  // Sendable: it never changes.
  let began = Gate()

  override func main() { began.open() }
}

/// Sleeps until a cancel wakes it.
final class Sleeper: ResultOperation<Int>, @unchecked Sendable {
  // Sendable: they never change, or guard themselves.
  let wakes = Box()
  private let isDeaf: Bool

  init(isDeaf: Bool = false) {
    self.isDeaf = isDeaf
    super.init()
  }

  override func main() {}

  override func didCancel() {
    wakes.add()
    if !isDeaf { finish() }
  }
}

extension TaskOperation where Value == Int {
  /// An operation whose body has begun, and returns 1 when the gate is open, cancelled or not.
  static func begun(
    until mayEnd: Gate, exclusiveIn category: ExclusionCategory? = nil
  ) async -> TaskOperation {
    let began = Gate()
    let operation = TaskOperation {
      began.open()
      await mayEnd.opened()
      return 1
    }
    if let category { operation.exclusive(in: category) }
    OperationQueue(width: 1).enqueue(operation)
    await began.opened()
    return operation
  }
}

/// Shows whether an operation is still alive, without keeping it.
struct WeakOperation: Sendable {
  weak var operation: AsyncOperation?
}
