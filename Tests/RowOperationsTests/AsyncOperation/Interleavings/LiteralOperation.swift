import Foundation

@testable import RowOperations

/// What one writes who takes “change the state under a lock, emit outside it” to the letter.
///
/// A finish does not know that the emission of the start is still on its way, and overtakes it.
final class LiteralOperation: Operation, Explorable, @unchecked Sendable {
  private enum State { case pending, executing, finished }

  // Sendable: this never changes, and the state is behind its lock.
  let record: ExplorationRecord
  private let state = Box(State.pending)

  init(_ record: ExplorationRecord) { self.record = record }

  override var isAsynchronous: Bool { true }
  override var isExecuting: Bool { state.value == .executing }
  override var isFinished: Bool { state.value == .finished }

  override func start() {
    let mayStart = state.change { state in
      guard state == .pending else { return false }
      state = .executing
      return true
    }
    guard mayStart else { return }
    emit("isExecuting")
    guard isExecuting else { return }
    record.body(of: self)
  }

  func end() -> Bool {
    let decides = state.change { state in
      guard state == .executing else { return false }
      state = .finished
      return true
    }
    guard decides else { return false }
    emit("isExecuting")
    emit("isFinished")
    return true
  }

  private func emit(_ key: String) {
    record.emit(key, of: self) { didChangeValue(forKey: key) }
  }
}
