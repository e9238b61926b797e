import Foundation

@testable import AsyncOperations
@testable import TestSupport

/// The body of an operation or of a permit.
final class MixBody: Sendable {
  let operation = Box(WeakOperation())
  private let witness: MixWitness
  private let holder: MixWitness.Holder?
  private let yields: Int
  private let fails: Bool
  private let isStubborn: Bool
  private let runs = Box()
  private let lateAttempts = Box()

  init(
    _ witness: MixWitness, _ holder: MixWitness.Holder?, yields: Int, fails: Bool, isStubborn: Bool
  ) {
    self.witness = witness
    self.holder = holder
    self.yields = yields
    self.fails = fails
    self.isStubborn = isStubborn
  }

  func run() async throws -> Int {
    if runs.add() > 1 { witness.violated("a body ran twice") }
    return try await work()
  }

  func attempt(_ number: Int) async throws -> Int {
    if let operation = operation.value.operation, witness.wasCancelled(operation) {
      // One may have been decided before the cancel.
      if lateAttempts.add() > 1 { witness.violated("attempts began after a cancel") }
    }
    if number < yields { throw Failure() }
    return try await work()
  }

  func runNow() {
    witness.enter(holder)
    sched_yield()
    witness.leave(holder)
  }

  private func work() async throws -> Int {
    witness.enter(holder)
    defer { witness.leave(holder) }
    for _ in 0..<yields {
      if !isStubborn { try Task.checkCancellation() }
      await Task.yield()
    }
    if fails { throw Failure() }
    return 1
  }
}

/// An operation that ends by a call.
final class MixCallback: ResultOperation<Int>, @unchecked Sendable {
  // Sendable: it never changes.
  private let body: MixBody
  private let isSynchronous: Bool

  init(_ body: MixBody, isSynchronous: Bool) {
    self.body = body
    self.isSynchronous = isSynchronous
    super.init()
  }

  override func main() {
    guard !isSynchronous else {
      body.runNow()
      finishIfUndecided(with: .success(1))
      return
    }
    // Its work is unknown, so a turn may end before it.
    DispatchQueue.global().async { self.finishIfUndecided(with: .success(1)) }
  }
}
