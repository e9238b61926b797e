import Foundation

@testable import AsyncOperations
@testable import TestSupport

/// A typical handwritten operation, with one mistake in it.
final class BrokenOperation: Operation, Explorable, @unchecked Sendable {
  enum Mistake: String, CaseIterable {
    /// Changes its state and does not emit the end.
    case noEmission
    /// Becomes finished on every call of `end()`, started or not.
    case finishedBeforeStart
    /// Emits the end before the state changes.
    case emissionBeforeWrite
    case doubleEmission
    /// Keeps two flags that are not changed together.
    case unsynchronisedState
    /// Follows “change the state under a lock, emit outside it” literally.
    ///
    /// An end can overtake the emission of the start.
    case slowEmission
    /// Reads its state and changes it in two steps.
    case everyFinishWins
    /// Does not check for a cancel or a finish during the emission of its start.
    case runsItsBodyAnyway
  }

  private struct State {
    var wasStarted = false
    var executes = false
    var isOver = false
  }

  // Sendable: these never change, and the state is behind its lock.
  let record: ExplorationRecord
  private let mistake: Mistake
  private let state = Box(State())

  init(_ mistake: Mistake, _ record: ExplorationRecord) {
    self.mistake = mistake
    self.record = record
  }

  override var isAsynchronous: Bool { true }
  override var isExecuting: Bool { state.value.executes }
  override var isFinished: Bool { state.value.isOver }

  override func start() {
    let mayStart = state.change { state in
      guard !state.wasStarted, !state.isOver else { return false }
      state.wasStarted = true
      state.executes = true
      return true
    }
    guard mayStart else { return }
    if mistake == .slowEmission { record.stops.stop() }
    emit("isExecuting")
    guard !isFinished || mistake == .runsItsBodyAnyway else { return }
    record.body(of: self)
  }

  func end() -> Bool {
    guard mayEnd() else { return false }
    if mistake == .emissionBeforeWrite { emitEnd() }
    if mistake == .unsynchronisedState {
      state.change { $0.isOver = true }
      record.stops.stop()
      state.change { $0.executes = false }
    } else {
      state.change { state in
        state.isOver = true
        state.executes = false
      }
    }
    switch mistake {
    case .noEmission, .emissionBeforeWrite:
      break
    case .doubleEmission:
      emitEnd()
      emitEnd()
    case .finishedBeforeStart, .unsynchronisedState, .slowEmission, .everyFinishWins,
      .runsItsBodyAnyway:
      emitEnd()
    }
    return true
  }

  func timeOut() -> Bool { false }

  private func mayEnd() -> Bool {
    let state = state.value
    if mistake == .everyFinishWins {
      record.stops.stop()
      return state.wasStarted && !state.isOver
    }
    return (state.wasStarted || mistake == .finishedBeforeStart) && !state.isOver
  }

  private func emitEnd() {
    emit("isExecuting")
    emit("isFinished")
  }

  private func emit(_ key: String) {
    record.emit(key, of: self) { didChangeValue(forKey: key) }
  }
}
