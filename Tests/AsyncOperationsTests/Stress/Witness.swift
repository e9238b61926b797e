import Foundation

@testable import AsyncOperations
@testable import TestSupport

/// Counts the events of one operation under stress, and reports violations at the end.
final class Witness: Sendable {
  struct Counts: Sendable {
    var bodies = 0
    var ends = 0
    var completions = 0
    var started = 0
    var cancelled = 0
    var willFinish = 0
    /// The number of calls of finish that returned true.
    var decisions = 0
    /// The violations found in readings of the state.
    var misreadings: [String] = []
  }

  private let counts = Box(Counts())
  /// Whether it was cancelled before any thread could start it.
  let wasCancelledEarly: Bool

  init(wasCancelledEarly: Bool = false) { self.wasCancelledEarly = wasCancelledEarly }

  func count(_ count: WritableKeyPath<Counts, Int> & Sendable) {
    counts.change { $0[keyPath: count] += 1 }
  }

  func record(_ misreading: String?) {
    if let misreading { counts.change { $0.misreadings.append(misreading) } }
  }

  /// Counts completions as well, so an operation has no other completion block.
  ///
  /// - Parameter token: Lives as long as a completion block may come.
  func watch(_ operation: Operation, keeping token: AnyObject & Sendable) {
    operation.completionBlock = {
      withExtendedLifetime(token) { self.count(\.completions) }
    }
    (operation as? AsyncOperation)?.addObserver(
      OperationObserver(
        started: { _ in self.count(\.started) }, cancelled: { _ in self.count(\.cancelled) },
        willFinish: { _ in self.count(\.willFinish) }))
  }

  /// Whether the completion block has run; it may run some time after the end.
  var isComplete: Bool { counts.value.completions > 0 }

  /// The violations that show only after the operation is gone.
  var lateViolations: [String] {
    let completions = counts.value.completions
    return completions > 1 ? ["the completion block ran \(completions) times"] : []
  }

  func violations(of operation: Operation) -> [String] {
    let counts = counts.value
    var violations = counts.misreadings
    func expect(_ holds: Bool, _ violation: String) { if !holds { violations.append(violation) } }
    expect(operation.isFinished, "it has not finished")
    expect(!operation.isExecuting, "it still executes")
    expect(counts.bodies <= 1, "the body ran twice")
    expect(counts.ends <= counts.bodies, "the body ended without having run")
    expect(counts.completions == 1, "the completion block ran \(counts.completions) times")
    expect(counts.decisions <= 1, "two calls of finish have decided")
    if wasCancelledEarly {
      expect(counts.bodies == 0, "the body ran after an early cancel")
      expect(operation.isCancelled, "an early cancel was lost")
    }
    guard operation is AsyncOperation else { return violations }
    expect(counts.willFinish == 1, "willFinish was told \(counts.willFinish) times")
    expect(counts.started <= 1, "started was told twice")
    expect(
      counts.cancelled == (operation.isCancelled ? 1 : 0),
      "cancelled was told \(counts.cancelled) times")
    guard let operation = operation as? ResultOperation<Int> else { return violations }
    expect(operation.result != nil, "it finished without a result")
    return violations
  }
}

/// Samples the state of operations repeatedly, from a thread of its own.
final class Sampler: Sendable {
  private let isOver = Box(false)
  private let hasStopped = Gate()

  init(_ subjects: [(operation: Operation, witness: Witness)]) {
    Thread.detachNewThread { [isOver, hasStopped] in
      var last = subjects.map { _ in Reading() }
      while !isOver.value {
        for (index, subject) in subjects.enumerated() {
          let reading = subject.operation.reading
          subject.witness.record(Chronicle.violation(reading: reading, after: last[index]))
          last[index] = reading
        }
        // Pauses, because the loop would take a core from the operations.
        Thread.sleep(forTimeInterval: 0.000_05)
      }
      hasStopped.open()
    }
  }

  func stop() async {
    isOver.set(true)
    await hasStopped.opened()
  }
}
