import Foundation
import Testing

@testable import RowOperations
@testable import TestSupport

@Suite("Stages of an update", .timeLimit(.minutes(10)))
struct UpdateStageTests {
  private struct Failure: Error, Equatable {}

  private typealias Update = UpdateOperation<String, Int>

  private static let token = RowToken(row: "row", generation: 1)
  private static let stages: [UpdateStage] = [.fetch, .decode, "digest", .apply]

  /// An update of four stages; each records its entry and waits for its gate.
  private final class Stepwise: Sendable {
    let entered = Log<UpdateStage>([])
    let inStage = stages.map { _ in Gate() }
    let leave = stages.map { _ in Gate() }

    var operation: Update {
      Update(token: UpdateStageTests.token) { context in
        for (index, stage) in stages.enumerated() {
          try await context.stage(stage) {
            self.entered.append(stage)
            self.inStage[index].open()
            await self.leave[index].opened()
          }
        }
        return 1
      }
    }
  }

  // MARK: Checks around each stage

  @Test("An update that is cancelled in a stage enters no later stage", arguments: stages.indices)
  func cancelledInStage(index: Int) async {
    let steps = Stepwise()
    let operation = steps.operation
    for earlier in 0..<index { steps.leave[earlier].open() }
    OperationQueue(width: 1).enqueue(operation)
    await steps.inStage[index].opened()
    #expect(operation.currentStage == Self.stages[index])
    operation.cancel()
    steps.leave[index].open()
    await #expect(throws: CancellationError.self) { try await operation.value }
    #expect(steps.entered.value == Array(Self.stages[...index]))
    #expect(operation.cancelledAt == Self.stages[index] && operation.currentStage == nil)
  }

  @Test("An update that is cancelled between two stages does not enter the second one")
  func cancelledBetween() async {
    let entered = Box()
    let betweenStages = Gate()
    let goOn = Gate()
    let operation = Update(token: Self.token) { context in
      try await context.stage(.fetch) {}
      betweenStages.open()
      await goOn.opened()
      return try await context.stage(.decode) { entered.add() }
    }
    OperationQueue(width: 1).enqueue(operation)
    await betweenStages.opened()
    #expect(operation.currentStage == nil)
    operation.cancel()
    goOn.open()
    await #expect(throws: CancellationError.self) { try await operation.value }
    #expect(entered.value == 0 && operation.cancelledAt == .decode)
  }

  @Test("An update that is cancelled before its start never calls its closure")
  func cancelledBeforeStart() async {
    let ran = Box()
    let operation = Update(token: Self.token) { _ in ran.add() }
    operation.cancel()
    OperationQueue(width: 1).enqueue(operation)
    await #expect(throws: CancellationError.self) { try await operation.value }
    #expect(ran.value == 0 && operation.cancelledAt == nil)
  }

  @Test("An update that is cancelled after its last stage has no value")
  func cancelledAfterLastStage() async {
    let afterStages = Gate()
    let goOn = Gate()
    let operation = Update(token: Self.token) { context in
      try await context.stage(.fetch) {}
      afterStages.open()
      await goOn.opened()
      return 1
    }
    OperationQueue(width: 1).enqueue(operation)
    await afterStages.opened()
    operation.cancel()
    goOn.open()
    await #expect(throws: CancellationError.self) { try await operation.value }
    #expect(operation.cancelledAt == .apply)
  }

  @Test("A stage that fails after a cancel keeps its own error, and the update records the stage")
  func ownErrorWhenCancelled() async {
    let inStage = Gate()
    let operation = Update(token: Self.token) { context in
      try await context.stage(.fetch) {
        inStage.open()
        while !Task.isCancelled { await Task.yield() }
        throw Failure()
      }
    }
    OperationQueue(width: 1).enqueue(operation)
    await inStage.opened()
    operation.cancel()
    await #expect(throws: Failure()) { try await operation.value }
    #expect(operation.cancelledAt == .fetch)
  }

  @Test("A long stage can check for a cancel itself")
  func checkCancellation() async {
    let inStage = Gate()
    let goOn = Gate()
    let operation = Update(token: Self.token) { context in
      try await context.stage(.decode) {
        try context.checkCancellation()
        inStage.open()
        await goOn.opened()
        try context.checkCancellation()
        return 1
      }
    }
    OperationQueue(width: 1).enqueue(operation)
    await inStage.opened()
    operation.cancel()
    goOn.open()
    await #expect(throws: CancellationError.self) { try await operation.value }
    #expect(operation.cancelledAt == .decode)
  }

  // MARK: Nesting and isolation

  @Test("A nested stage returns to its outer stage; the innermost stage stops first")
  func nested() async {
    let stages = Log<UpdateStage?>([])
    let operation = Box<Update?>(nil)
    let update = Update(token: Self.token) { context in
      try await context.stage("outer") {
        stages.append(operation.value?.currentStage)
        try await context.stage("inner") { stages.append(operation.value?.currentStage) }
        stages.append(operation.value?.currentStage)
        try await context.stage("last") { operation.value?.cancel() }
        return 1
      }
    }
    operation.set(update)
    await #expect(throws: CancellationError.self) {
      try await OperationQueue(width: 1).value(of: update)
    }
    operation.set(nil)
    #expect(stages.value == ["outer", "inner", "outer"])
    #expect(update.cancelledAt == "last" && update.currentStage == nil)
  }

  @Test("A stage that is called on the main actor runs on it")
  @MainActor
  func isolation() async throws {
    var count = 0
    let context = UpdateContext<String, Int>(token: Self.token)
    try await context.stage(.apply) {
      MainActor.assertIsolated()
      count += 1
      await Task.yield()
      count += 1
    }
    #expect(count == 2)
  }

  @Test("A closure for the cancel is called once, also if the update was cancelled before")
  func whenCancelled() async {
    let (early, late, began, goOn, ended) = (Box(), Box(), Gate(), Gate(), Gate())
    let operation = Update(token: Self.token) { context in
      context.whenCancelled { early.add() }
      began.open()
      await goOn.opened()
      context.whenCancelled { late.add() }
      ended.open()
      return 1
    }
    OperationQueue(width: 1).enqueue(operation)
    await began.opened()
    operation.cancel()
    #expect(early.value == 1)
    goOn.open()
    await ended.opened()
    #expect(early.value == 1 && late.value == 1)
  }

  // MARK: Without an operation

  @Test("A context without an operation follows the cancellation of its task")
  func aloneContext() async throws {
    let context = UpdateContext<String, Int>(token: Self.token)
    let value = try await context.stage(.fetch) { 1 }
    #expect(value == 1 && context.row == "row")
    let gate = Gate()
    let task = Task {
      await gate.opened()
      #expect(throws: CancellationError.self) { try context.checkCancellation() }
      return try await context.stage(.decode) { 2 }
    }
    task.cancel()
    gate.open()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("Stages are equal by name, tokens by row and generation")
  func values() {
    #expect(UpdateStage("fetch") == .fetch && UpdateStage.decode.description == "decode")
    #expect(Set<UpdateStage>([.fetch, "fetch", .apply]).count == 2)
    #expect(RowToken(row: 1, generation: 1) != RowToken(row: 1, generation: 2))
    #expect(RowToken(row: 1, generation: 1) == RowToken(row: 1, generation: 1))
  }
}
