import Foundation
import RowOperations
import RowOperationsTesting

/// A list that a tracker loads, with all slots taken by loads that wait for a gate.
@MainActor
final class TrackedHost: RowHost {
  static let slots = 4

  let tracker: DisplayTracker<String, Int>
  private let gate = LoadGate<String, Int>()
  private let held = (0..<slots).map { "held \($0)" }
  private let heldCells = (0..<slots).map { _ in Cell() }

  init(retention: Retention<Int> = .none, prefetchLimit: Int = 32) {
    var configuration = TrackerConfiguration<String, Int>()
    configuration.slots = UpdateSlots(Self.slots)
    configuration.retention = retention
    configuration.prefetchLimit = prefetchLimit
    tracker = DisplayTracker(configuration: configuration) { [gate] in try await gate.load($0) }
  }

  func show(_ row: String, in cell: Cell) {
    tracker.bind(cell, to: row) { cell, phase in
      cell.text = phase.value == nil ? "…" : "loaded"
    }
  }

  func willDisplay(_ cell: Cell) { tracker.willDisplay(cell) }

  func didEndDisplaying(_ cell: Cell) { tracker.didEndDisplaying(cell) }

  /// Takes all slots.
  func close() async {
    showHeld()
    await gate.waitForLoads(Set(held))
  }

  /// Takes all slots without waiting for the loads to begin.
  func closeNow() {
    showHeld()
    tracker.endPass()
    precondition(tracker.metrics.started == Self.slots, "All slots are taken by loads.")
  }

  private func showHeld() {
    for (row, cell) in zip(held, heldCells) {
      show(row, in: cell)
      willDisplay(cell)
    }
  }

  /// Ends the loads that take the slots, and waits until the tracker is idle.
  func drain() async {
    gate.openAll { _ in 0 }
    await tracker.waitUntilIdle()
  }

  /// Makes the next `close` load the same rows again.
  func forgetHeld() {
    for cell in heldCells { didEndDisplaying(cell) }
    tracker.remove(held)
    tracker.endPass()
  }
}

/// The same list with the plain recipe.
@MainActor
final class RecipeHost: RowHost {
  private let recipe: PlainRecipe<String, Int>
  private let held = (0..<TrackedHost.slots).map { "held \($0)" }
  private let begun = DispatchSemaphore(value: 0)
  private let gate = DispatchSemaphore(value: 0)

  init() {
    recipe = PlainRecipe(width: TrackedHost.slots) { [begun, gate] _ in
      begun.signal()
      gate.wait()
      return 0
    } show: { _, _ in
    }
  }

  func show(_ row: String, in cell: Cell) {
    cell.row = row
    cell.text = "…"
  }

  func willDisplay(_ cell: Cell) { recipe.willDisplay(cell.row) }

  func didEndDisplaying(_ cell: Cell) { recipe.didEndDisplaying(cell.row) }

  /// Takes all threads of the queue.
  func close() {
    for row in held { recipe.willDisplay(row) }
    for _ in held { begun.wait() }
  }

  /// Ends the loads that take the threads, and waits until the queue is empty.
  func drain() async {
    for _ in held { gate.signal() }
    let queue = recipe.queue
    await withCheckedContinuation { continuation in
      queue.addBarrierBlock { continuation.resume() }
    }
  }

  /// Makes the next `close` load the same rows again.
  func forgetHeld() { for row in held { recipe.didEndDisplaying(row) } }
}
