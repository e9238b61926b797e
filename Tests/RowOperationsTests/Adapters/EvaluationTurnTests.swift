import RowOperationsTesting
import Testing

@testable import RowOperations

extension Adapters {
  @Suite("The turn after the evaluation of a row's view")
  @MainActor
  struct EvaluationTurnTests {
    private let rig = TrackerRig()

    private var isTurnRequested: Bool { rig.tracker.core.engine.turns.isRequested }

    @Test("The evaluation of a new row requests a turn, also if nothing is to be performed yet")
    func newRow() {
      _ = EvaluatedRow(5, in: rig)
      var engine = rig.tracker.core.engine
      #expect(engine.pendingEffects == 0 && isTurnRequested)
    }

    @Test("A view on screen that is evaluated with another row requests a turn, which loads it")
    func changedRow() {
      let row = EvaluatedRow(5, in: rig)
      row.appear()
      row.endPass()
      #expect(!isTurnRequested)
      row.place(6)
      #expect(isTurnRequested)
      row.endPass()
      #expect(rig.rows(in: .loading).contains(6))
    }

    @Test("An evaluation that changes nothing requests no turn")
    func sameRow() {
      let row = EvaluatedRow(5, in: rig)
      row.endPass()
      #expect(!isTurnRequested)
      row.place(5)
      #expect(row.shown.count == 2 && !isTurnRequested)
    }
  }
}
