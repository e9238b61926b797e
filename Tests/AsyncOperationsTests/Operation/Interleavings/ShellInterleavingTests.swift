import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("All interleavings of real threads at an operation", .timeLimit(.minutes(10)))
struct ShellInterleavingTests {
  private static let pairs: [[Deed]] = Deed.allCases.indices.flatMap { first in
    Deed.allCases[first...].map { [Deed.allCases[first], $0] }
  }

  @Test(
    "Two threads break no rule, before and after the start, a finish or a cancel",
    arguments: pairs, [[], [.start], [.finish], [.cancel]] as [[Deed]])
  func twoThreads(deeds: [Deed], before: [Deed]) async {
    for bodyFinishes in before.isEmpty ? [false, true] : [false] {
      let explorer = await onThread {
        ShellExplorer(deeds, after: before, bodyFinishes: bodyFinishes) { ExploredOperation($0) }
      }
      #expect(explorer.violations.isEmpty)
    }
  }

  @Test("Three threads on a pending operation break no rule in more than 300 orders")
  func threeThreads() async {
    let explorer = await onThread {
      ShellExplorer([.start, .cancel, .finish], bodyFinishes: true) { ExploredOperation($0) }
    }
    #expect(explorer.violations.isEmpty)
    #expect(explorer.runCount > 300)
  }

  @Test("The explorer detects an emission after the end")
  func detects() async {
    let explorer = await onThread { ShellExplorer([.start, .finish]) { BrokenOperation($0) } }
    #expect(explorer.violations["isExecuting was emitted after isFinished"] != nil)
  }
}

/// Follows “change the state under a lock, emit outside it” literally.
///
/// An end can overtake the emission of the start.
private final class BrokenOperation: Operation, Explorable, @unchecked Sendable {
  private enum State { case pending, executing, finished }
  // Sendable: these never change, and the state is behind its lock.
  let record: ExplorationRecord
  private let state = Box(State.pending)

  init(_ record: ExplorationRecord) { self.record = record }

  override var isAsynchronous: Bool { true }
  override var isExecuting: Bool { state.value == .executing }
  override var isFinished: Bool { state.value == .finished }

  override func start() {
    state.set(.executing)
    record.stops.stop()
    emit("isExecuting")
    if isExecuting { record.body(of: self) }
  }

  func end() -> Bool {
    let hasEnded = state.change { state in
      guard state == .executing else { return false }
      state = .finished
      return true
    }
    if hasEnded {
      emit("isExecuting")
      emit("isFinished")
    }
    return hasEnded
  }

  func timeOut() -> Bool { false }

  private func emit(_ key: String) {
    record.emit(key, of: self) { didChangeValue(forKey: key) }
  }
}
