import Foundation
import Testing

@testable import AsyncOperations
@testable import RowOperations
@testable import TestSupport

@Suite("UpdateOperation", .timeLimit(.minutes(10)))
struct UpdateOperationTests {
  private struct Failure: Error, Equatable {}

  private typealias Update = UpdateOperation<String, Int>

  private static let token = RowToken(row: "row", generation: 3)

  // MARK: Without a list

  @Test("An update runs in any queue and ends with the value of its closure")
  func alone() async throws {
    let operation = Update(token: Self.token) { context in
      #expect(context.row == "row" && context.token == Self.token)
      let data = try await context.stage(.fetch) { [20, 1] }
      return try await context.stage(.decode) { data.reduce(0, +) }
    }
    let value = try await OperationQueue(width: 1).value(of: operation)
    #expect(value == 21)
    #expect(operation.token == Self.token)
    #expect(operation.currentStage == nil && operation.cancelledAt == nil)
  }

  @Test(
    "The body of an update has the quality of service of its operation, or else of its owner",
    arguments: zip([QualityOfService.default, .background], [TaskPriority.utility, .background]))
  func qualityOfService(own: QualityOfService, expected: TaskPriority) async throws {
    let operation = UpdateOperation<String, TaskPriority?>(token: Self.token) { _ in
      Task.basePriority
    }
    operation.qualityOfService = own
    operation.tracked.report(
      to: EndedOwner(), as: UpdateID(index: 0, generation: 0), claim: .displayed,
      qualityOfService: .utility, clock: nil)
    operation.start()
    #expect(try await operation.value == expected)
  }

  @Test("The closure's error is the result, unchanged")
  func errors() async {
    let operation = Update(token: Self.token) { context in
      try await context.stage(.fetch) { throw Failure() }
    }
    await #expect(throws: Failure()) { try await OperationQueue(width: 1).value(of: operation) }
    #expect(operation.cancelledAt == nil)
  }

  @Test("A subclass overrides update(_:)")
  func subclass() async throws {
    let value = try await OperationQueue(width: 1).value(of: LengthUpdate(token: Self.token))
    #expect(value == 3)
  }

  @Test("An update without a closure and without an override fails with an error that says so")
  func missingUpdate() async {
    let operation = Update(token: Self.token)
    let error = await #expect(throws: OperationError.self) {
      try await OperationQueue(width: 1).value(of: operation)
    }
    #expect(error?.code == .missingUpdate)
    #expect(error?.description.isEmpty == false)
  }

  @Test("A finished update releases its closures")
  func letsGo() async throws {
    let gates = [Gate(), Gate(), Gate()]
    let operation = update(capturing: gates.map(Token.init))
    _ = try await OperationQueue(width: 1).value(of: operation)
    for gate in gates { await gate.opened() }
    #expect(operation.isFinished)
  }

  private func update(capturing tokens: [Token]) -> Update {
    Update(
      token: Self.token, isCurrent: { _ in withExtendedLifetime(tokens[0]) { true } },
      apply: { _, _ in withExtendedLifetime(tokens[1]) {} }
    ) { _ in
      withExtendedLifetime(tokens[2]) { 1 }
    }
  }

  // MARK: Applying

  @Test("An update applies its value once, on the main actor, in the stage apply")
  func applies() async throws {
    let applied = Log<Int>([])
    let stage = Box<UpdateStage?>(nil)
    let operation = Box<Update?>(nil)
    let update = Update(
      token: Self.token, isCurrent: { $0 == Self.token },
      apply: { token, value in
        MainActor.preconditionIsolated()
        #expect(token == Self.token)
        applied.append(value)
        stage.set(operation.value?.currentStage)
      }
    ) { _ in 7 }
    operation.set(update)
    let value = try await OperationQueue(width: 1).value(of: update)
    operation.set(nil)
    #expect(value == 7 && applied.value == [7])
    #expect(stage.value == .apply && update.currentStage == nil && update.cancelledAt == nil)
  }

  @Test("A value with an outdated token is dropped")
  func notCurrent() async {
    let applied = Box()
    let operation = Update(
      token: Self.token, isCurrent: { _ in false }, apply: { _, _ in applied.add() }
    ) { _ in 7 }
    await #expect(throws: CancellationError.self) {
      try await OperationQueue(width: 1).value(of: operation)
    }
    #expect(applied.value == 0)
    #expect(operation.cancelledAt == .apply && !operation.isCancelled)
  }

  @Test("The task of an update that someone finishes is cancelled")
  func finishedOutside() async {
    let (began, isCancelled) = (Gate(), Gate())
    let operation = Update(token: Self.token) { _ in
      began.open()
      await untilCancelled()
      isCancelled.open()
      return 1
    }
    operation.start()
    await began.opened()
    operation.finish(with: .success(2))
    await isCancelled.opened()
  }

  @Test("An update that its isCurrent closure cancels does not apply its value")
  func cancelledByIsCurrent() async {
    let applied = Box()
    let operation = Box<Update?>(nil)
    let update = Update(
      token: Self.token,
      isCurrent: { _ in
        operation.value?.cancel()
        return true
      }, apply: { _, _ in applied.add() }
    ) { _ in 7 }
    operation.set(update)
    await #expect(throws: CancellationError.self) {
      try await OperationQueue(width: 1).value(of: update)
    }
    operation.set(nil)
    #expect(applied.value == 0 && update.cancelledAt == .apply)
  }

  @Test("After cancel() has returned on the main actor, neither isCurrent nor apply runs")
  @MainActor
  func neverAfterCancel() async {
    for round in 0..<300 {
      let isCancelled = Box(false)
      let operation = Update(
        token: Self.token,
        isCurrent: { _ in
          #expect(!isCancelled.value)
          return true
        }, apply: { _, _ in #expect(!isCancelled.value) }
      ) { context in try await context.stage(.fetch) { 7 } }
      OperationQueue(width: 1).enqueue(operation)
      // At a different moment of the update in each round.
      for _ in 0..<round % 20 { await Task.yield() }
      operation.cancel()
      isCancelled.set(true)
      _ = try? await operation.value
    }
  }

  @Test("A cancel or a timeout during the apply does nothing, since the value is decided")
  func cancelledInApply() async throws {
    struct TimedOut: Error {}
    for _ in 0..<50 {
      let own = Box<Update?>(nil)
      let finishedInApply = Box(true)
      let operation = Update(
        token: Self.token,
        apply: { _, _ in
          let operation = own.value
          operation?.cancel()
          let isEnded = operation?.cancel(throwing: TimedOut())
          finishedInApply.set(operation?.isFinished != false || isEnded != false)
        }
      ) { _ in 7 }
      own.set(operation)
      let misuses = Misuses(of: operation)
      #expect(try await OperationQueue(width: 1).value(of: operation) == 7)
      #expect(!operation.isCancelled && operation.cancelledAt == nil && !finishedInApply.value)
      #expect(misuses.codes == [])
      own.set(nil)
    }
  }

  enum Ending: CaseIterable {
    case finished, cancelledBeforeStart, endedWhileItUpdates, dropped
  }

  @Test(
    "The screen that the closures capture is released on the main thread",
    arguments: Ending.allCases)
  func releasedOnMain(ending: Ending) async throws {
    final class Screen: Sendable {
      let isGone: Gate
      let wasOnMain: Box<Bool>
      init(_ isGone: Gate, _ wasOnMain: Box<Bool>) {
        self.isGone = isGone
        self.wasOnMain = wasOnMain
      }
      deinit {
        wasOnMain.set(dispatchIsOnMain())
        isGone.open()
      }
    }
    let (isGone, wasOnMain, began, mayEnd) = (Gate(), Box(false), Gate(), Gate())
    // Inlined, it would keep its own reference to the screen until its caller drops the update.
    @inline(never)
    @Sendable func update() -> Update {
      let screen = Screen(isGone, wasOnMain)
      return Update(token: Self.token, apply: { _, _ in withExtendedLifetime(screen) {} }) { _ in
        began.open()
        if ending == .endedWhileItUpdates { await mayEnd.opened() }
        return 7
      }
    }
    let queue = OperationQueue(width: 1)
    switch ending {
    case .finished:
      _ = try await queue.value(of: update())
    case .cancelledBeforeStart:
      await onThread {
        let operation = update()
        operation.cancel()
        operation.start()
      }
    case .endedWhileItUpdates:
      let operation = update()
      queue.enqueue(operation)
      await began.opened()
      operation.cancel(throwing: CancellationError())
      mayEnd.open()
    case .dropped:
      await onThread { _ = update() }
    }
    await isGone.opened()
    #expect(wasOnMain.value)
  }

  @Test("An update that another thread finishes does not apply its value")
  func finishedByOther() async throws {
    let applied = Box()
    let inUpdate = Gate()
    let isFinished = Gate()
    let left = Gate()
    let operation = Update(token: Self.token, apply: { _, _ in applied.add() }) { _ in
      inUpdate.open()
      await isFinished.opened()
      left.open()
      return 7
    }
    OperationQueue(width: 1).enqueue(operation)
    await inUpdate.opened()
    operation.finish(with: .success(8))
    isFinished.open()
    await left.opened()
    await MainActor.run {}
    #expect(applied.value == 0)
    #expect(try operation.result?.get() == 8)
  }
}

private final class LengthUpdate: UpdateOperation<String, Int>, @unchecked Sendable {
  override func update(_ context: UpdateContext<String, Int>) async throws -> Int {
    try await context.stage("length") { context.row.count }
  }
}

private let mainQueueKey: DispatchSpecificKey<Bool> = {
  let key = DispatchSpecificKey<Bool>()
  DispatchQueue.main.setSpecific(key: key, value: true)
  return key
}()

private func dispatchIsOnMain() -> Bool { DispatchQueue.getSpecific(key: mainQueueKey) == true }

/// Notes the updates that end.
private final class EndedOwner: UpdateOwner {
  let ended = Log<Int32>([])

  func receive(_ news: UpdateNews) {
    if let id = news.ended { ended.append(id.index) }
  }
}
