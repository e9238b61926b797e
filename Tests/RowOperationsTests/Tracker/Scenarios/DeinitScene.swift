import RowOperationsTesting

@testable import RowOperations

extension DeinitTests {
  /// Runs a closure when it is released.
  final class Caller: @unchecked Sendable {
    // Sendable: it is immutable. The main actor creates and releases it.
    private let call: @MainActor () -> Void

    init(_ call: @escaping @MainActor () -> Void = {}) { self.call = call }

    deinit {
      MainActor.assumeIsolated { [call] in call() }
    }
  }

  /// A call that an object makes in its deinit.
  enum Call: CaseIterable, Sendable {
    case prefetch, setValue, bind, willDisplay, remove, endPass
  }

  /// A tracker with cells in several states, and the calls that deinits made.
  @MainActor
  final class Scene {
    let tracker: Tracker
    /// A cell on screen with row 9, which has a value.
    let shown = SimulatedCell(number: 0)
    /// A cell that is bound to row 8 and never displayed.
    let prepared = SimulatedCell(number: 1)
    /// A cell that the tracker does not know.
    let spare = SimulatedCell(number: 2)
    /// Whether each call that a deinit made took effect before it returned.
    private(set) var effects: [Bool] = []

    init(
      retention: Retention<Caller> = .count(200),
      operation: @escaping @MainActor (RowToken<Int>) -> UpdateOperation<Int, Caller>? = { _ in
        nil
      }
    ) {
      var configuration = TrackerConfiguration<Int, Caller>()
      configuration.retention = retention
      configuration.clock = ManualClock()
      tracker = Tracker(configuration: configuration, operation: operation)
      tracker.bind(shown, to: 9) { _, _ in }
      tracker.willDisplay(shown)
      tracker.setValue(Caller(), for: 9)
      tracker.bind(prepared, to: 8) { _, _ in }
      takeTurns()
    }

    /// Takes some turns, since an object can be released a turn after its last use.
    func takeTurns() {
      for _ in 0..<4 { tracker.endPass() }
    }

    /// An object that makes a call in its deinit.
    func caller(_ call: Call) -> Caller {
      Caller { [weak self] in self?.make(call) }
    }

    /// A render closure that holds an object.
    func holding(
      _ caller: Caller
    ) -> @MainActor (SimulatedCell, RowPhase<Caller>) -> Void {
      { _, _ in withExtendedLifetime(caller) {} }
    }

    func make(_ call: Call) {
      let isEffective = perform(call)
      effects.append(isEffective)
    }

    private func perform(_ call: Call) -> Bool {
      switch call {
      case .prefetch:
        tracker.prefetch([7])
        return tracker.knownID(of: 7).map { tracker.core.engine.rows[$0].isPrefetched } ?? false
      case .setValue:
        tracker.setValue(Caller(), for: 7)
        return tracker.phase(of: 7).kind == .loaded
      case .bind:
        var phases: [LoadPhase] = []
        tracker.bind(spare, to: 7) { _, phase in phases.append(phase.kind) }
        return phases == [.waiting]
      case .willDisplay:
        tracker.willDisplay(prepared)
        return state(of: prepared)?.isDisplayed ?? false
      case .remove:
        tracker.remove([9])
        return tracker.phase(of: 9).kind == .waiting && state(of: shown)?.row == nil
      case .endPass:
        let turns = tracker.metrics.turns
        tracker.endPass()
        return tracker.metrics.turns == turns + 1
      }
    }

    private func state(of cell: SimulatedCell) -> CellState? {
      tracker.core.state.cells.id(at: cell).map { tracker.core.engine.cells[$0] }
    }
  }
}
