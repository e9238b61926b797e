import Foundation
import Testing

@testable import RowOperations
@testable import TestSupport

@Suite("Previews of an update without a tracker", .timeLimit(.minutes(10)))
struct UpdateStepTests {
  private typealias Update = UpdateOperation<String, Int>

  private static let token = RowToken(row: "row", generation: 3)

  /// An update that shows values when the test calls for them, and ends when the gate opens.
  private final class Rig: Sendable {
    let shown = Log<Int>([])
    let applied = Log<Int>([])
    let began = Gate()
    let end = Gate()
    let context = Box<UpdateContext<String, Int>?>(nil)
    let isCurrent = Box(true)
    let queue = OperationQueue(width: 1)

    /// - Parameter showsAlone: Whether the update has no other closure for the screen.
    @MainActor
    func start(showsAlone: Bool = false) async -> Update {
      var isTokenCurrent: (@MainActor (RowToken<String>) -> Bool)?
      var apply: (@MainActor (RowToken<String>, Int) -> Void)?
      if !showsAlone {
        isTokenCurrent = { [isCurrent] _ in isCurrent.value }
        apply = { [applied] _, value in applied.append(value) }
      }
      let update = Update(
        token: UpdateStepTests.token, isCurrent: isTokenCurrent, apply: apply,
        show: { [shown] token, value in
          MainActor.preconditionIsolated()
          #expect(token == UpdateStepTests.token)
          shown.append(value)
        },
        update: { [context, began, end] own in
          context.set(own)
          began.open()
          await end.opened()
          return 100
        })
      queue.enqueue(update)
      await began.opened()
      return update
    }
  }

  /// Waits for the blocks that are in the main queue.
  @MainActor
  private func mainQueueTurn() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async { continuation.resume() }
    }
  }

  @Test("The newest preview of a turn is shown, then the final value is applied")
  @MainActor
  func newest() async throws {
    let rig = Rig()
    let update = await rig.start()
    for value in 1...9 { rig.context.value?.show(value) }
    rig.context.value?.report(progress: 0.5)
    #expect(rig.shown.value == [], "a value is never rendered on the thread that calls show")
    await mainQueueTurn()
    #expect(rig.shown.value == [9])
    rig.context.value?.report(progress: 0.7)
    await mainQueueTurn()
    #expect(rig.shown.value == [9], "a progress report does not render the value again")
    rig.context.value?.show(10)
    await mainQueueTurn()
    rig.end.open()
    #expect(try await update.value == 100)
    #expect(rig.shown.value == [9, 10] && rig.applied.value == [100])
  }

  @Test("An update shows previews also if it applies nothing")
  @MainActor
  func showsAlone() async throws {
    let rig = Rig()
    let update = await rig.start(showsAlone: true)
    rig.context.value?.show(1)
    await mainQueueTurn()
    rig.end.open()
    #expect(try await update.value == 100)
    #expect(rig.shown.value == [1] && rig.applied.value == [])
  }

  @Test("No preview is shown after a cancel, not even one that was pending")
  @MainActor
  func cancelled() async throws {
    let rig = Rig()
    let update = await rig.start()
    rig.context.value?.show(1)
    update.cancel()
    rig.context.value?.show(2)
    await mainQueueTurn()
    rig.end.open()
    _ = try? await update.value
    await mainQueueTurn()
    #expect(rig.shown.value == [] && rig.applied.value == [])
  }

  @Test("No preview is shown while the token is outdated")
  @MainActor
  func notCurrent() async throws {
    let rig = Rig()
    let update = await rig.start()
    rig.isCurrent.set(false)
    rig.context.value?.show(1)
    await mainQueueTurn()
    rig.isCurrent.set(true)
    rig.context.value?.show(2)
    await mainQueueTurn()
    rig.end.open()
    #expect(try await update.value == 100)
    #expect(rig.shown.value == [2] && rig.applied.value == [100])
  }

  @Test("No preview is shown after the end")
  @MainActor
  func ended() async throws {
    let rig = Rig()
    let update = await rig.start()
    rig.end.open()
    #expect(try await update.value == 100)
    rig.context.value?.show(1)
    await mainQueueTurn()
    #expect(rig.shown.value == [])
  }

  @Test("A context without an operation forwards previews and progress")
  func context() {
    let shown = Log<Int>([])
    let reported = Log<Double>([])
    let context = UpdateContext<String, Int>(
      token: Self.token, shown: { shown.append($0) }, reported: { reported.append($0) })
    context.show(1)
    for progress in [0.5, 2, -1, .nan] { context.report(progress: progress) }
    #expect(shown.value == [1] && reported.value == [0.5, 1, 0])
    UpdateContext<String, Int>(token: Self.token).show(1)
  }
}
