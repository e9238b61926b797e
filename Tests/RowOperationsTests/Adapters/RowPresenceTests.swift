import Dispatch
import RowOperationsTesting
import Testing

@testable import RowOperations
@testable import TestSupport

extension Adapters {
  @Suite("A row without a cell", .timeLimit(.minutes(10)))
  @MainActor
  struct RowPresenceTests {
    private typealias Presence = RowPresence<Int, TrackerRig.Loaded>
    private let rig = TrackerRig()

    @Test("A row that is evaluated ahead and never appears does not load [21]")
    func evaluatedAhead() {
      let row = EvaluatedRow(5, in: rig)
      #expect(row.kinds == [.waiting])
      row.disappear()
      #expect(rig.violations == [])
      #expect(rig.tracker.metrics.started == 0)
      rig.tracker.setValue(.init(row: 5, generation: 0), for: 5)
      row.endPass()
      #expect(row.kinds == [.waiting, .loaded], "It is shown with its value when it appears.")
      #expect(rig.violations == [])
    }

    @Test("A row that appears repeatedly is displayed once and does not restart its load [21]")
    func appearsTwice() {
      let row = EvaluatedRow(5, in: rig)
      row.appear()
      row.endPass()
      row.appear()
      row.appear()
      #expect(rig.violations == [])
      #expect(rig.starts(of: 5) == 1)
      row.disappear()
      #expect(rig.violations == [])
      #expect(rig.displayed == [])
      row.appear()
      row.endPass()
      #expect(rig.starts(of: 5) == 1, "It came back within the grace.")
    }

    @Test("A view whose state ends leaves nothing in its tracker", arguments: [true, false])
    func leavesNothing(hasAppeared: Bool) async {
      let row = EvaluatedRow(5, in: rig)
      if hasAppeared { row.appear() }
      rig.tracker.endPass()
      #expect(Array(rig.tracker.core.engine.cells.ids).count == 1)
      row.end()
      // The end of the view has the turn before this one.
      let left = await withCheckedContinuation { turn in
        DispatchQueue.main.async { [rig] in
          turn.resume(returning: Array(rig.tracker.core.engine.cells.ids).count)
        }
      }
      #expect(left == 0)
    }

    @Test("A state that ends on another thread ends the display too [21]")
    func endsElsewhere() async {
      let place = Box<Presence?>(Presence {})
      place.value?.appeared(5, in: rig.tracker)
      rig.tracker.endPass()
      #expect(rig.displayed == [5])
      await Task.detached { place.set(nil) }.value
      await rig.tracker.waitUntil { [rig] _ in rig.displayed.isEmpty }
      #expect(rig.violations == [])
    }

    @Test("A view on screen that gets another row shows and loads only that row [21]")
    func changes() {
      let row = EvaluatedRow(5, in: rig)
      row.appear()
      row.load()
      #expect(row.shown.last?.value?.row == 5)
      row.place(6)
      #expect(row.shown.last?.value == nil)
      #expect(rig.displayed == [6])
      row.load()
      #expect(row.shown.last?.value?.row == 6)
      rig.tracker.setValue(.init(row: 5, generation: 9), for: 5)
      row.endPass()
      #expect(row.shown.last?.value?.row == 6)
      #expect(row.kinds == [.waiting, .loading, .loaded, .waiting, .loading, .loaded])
    }

    @Test("A view that gets another tracker leaves the previous one")
    func changesTracker() {
      let other = TrackerRig()
      let row = EvaluatedRow(5, in: rig)
      row.appear()
      row.place(5, in: other)
      #expect(rig.displayed == [])
      #expect(other.displayed == [5])
      row.load()
      #expect(row.shown.last?.value?.row == 5)
      #expect(rig.violations == [] && other.violations == [])
      #expect(
        rig.tracker.store.removalObservers.count == 0
          && other.tracker.store.removalObservers.count == 1)
      #expect(rig.tracker.outermostViews.isEmpty && other.tracker.outermostViews.count == 1)
    }

    @Test("An evaluation runs no code of the app; its effects wait for the next turn")
    func quiet() {
      let row = EvaluatedRow(5, in: rig)
      row.appear()
      row.endPass()
      let events = rig.recorder.events.count
      row.place(6)
      #expect(rig.recorder.events.count == events)
      rig.tracker.endPass()
      #expect(rig.recorder.events.count > events)
    }

    @Test("An evaluation requests a turn if the view is new, or has another row on screen")
    func turns() {
      func requestsTurn(_ evaluate: () -> Void) -> Bool {
        rig.tracker.endPass()
        let wasRequested = rig.tracker.core.engine.turns.isRequested
        evaluate()
        return !wasRequested && rig.tracker.core.engine.turns.isRequested
      }
      var row: EvaluatedRow?
      #expect(requestsTurn { row = EvaluatedRow(5, in: rig) })
      row?.appear()
      #expect(!requestsTurn { row?.place(5) })
      #expect(requestsTurn { row?.place(6) })
      row?.endPass()
      #expect(rig.rows(in: .loading).contains(6))
    }

    // MARK: Evaluations

    @Test("A row that loads on screen is evaluated once per phase, three times in all")
    func evaluations() {
      let row = EvaluatedRow(5, in: rig)
      row.appear()
      row.load()
      #expect(row.kinds == [.waiting, .loading, .loaded])
      row.endPass()
      #expect(row.shown.count == 3)
    }

    @Test(
      "A row that comes on screen with its value is evaluated once, in a new or an old view")
    func evaluationsOfKnownRow() {
      rig.tracker.setValue(.init(row: 5, generation: 0), for: 5)
      let row = EvaluatedRow(5, in: rig)
      row.appear()
      row.endPass()
      #expect(row.kinds == [.loaded])
      row.disappear()
      row.endPass()
      row.appear()
      row.endPass()
      #expect(row.kinds == [.loaded], "The old view shows the same value again.")
    }

    @Test("The evaluation of a list for other reasons causes no further evaluation of its rows")
    func evaluationsOfList() {
      let row = EvaluatedRow(5, in: rig)
      row.appear()
      row.load()
      row.place(5)
      row.endPass()
      #expect(row.kinds == [.waiting, .loading, .loaded, .loaded])
    }

    // MARK: Recovery

    @Test("A removed row on screen loads again by itself")
    func removed() {
      let row = EvaluatedRow(5, in: rig)
      row.appear()
      row.load()
      rig.tracker.remove([5])
      row.update()
      #expect(row.kinds.last == .waiting)
      row.load()
      #expect(row.kinds == [.waiting, .loading, .loaded, .waiting, .loading, .loaded])
      #expect(rig.starts(of: 5) == 2)
      #expect(rig.violations == [])
    }

    @Test("A row that was removed off screen loads again when it comes back")
    func removedOffScreen() {
      let row = EvaluatedRow(5, in: rig)
      row.appear()
      row.load()
      row.disappear()
      rig.tracker.removeAll()
      row.update()
      #expect(row.shown.count == 3)
      row.appear()
      row.load()
      #expect(row.kinds.suffix(3) == [.waiting, .loading, .loaded])
    }

    @Test("A covered list displays no rows, and its rows load when it comes back")
    func covered() {
      let row = EvaluatedRow(5, in: rig)
      row.appear()
      row.listCovered(true)
      row.endPass()
      #expect(rig.displayed == [])
      #expect(rig.starts(of: 5) == 0)
      row.listCovered(false)
      row.load()
      #expect(row.kinds.last == .loaded)
    }

    @Test("A row that the scroll view does not show is off screen until it shows it again")
    func scrolled() {
      let row = EvaluatedRow(5, in: rig)
      row.appear()
      row.load()
      row.scroll(isVisible: false)
      row.endPass()
      #expect(rig.displayed == [])
      row.appear()
      #expect(rig.displayed == [])
      row.scroll(isVisible: true)
      row.endPass()
      #expect(rig.displayed == [5] && row.kinds == [.waiting, .loading, .loaded])
      row.scroll(isVisible: false)
      row.disappear()
      row.appear()
      #expect(rig.displayed == [5], "it appears anew")
      #expect(rig.violations == [])
    }

    @Test("A row that the scroll view shows is on screen, even if it never appeared")
    func scrolledAlone() {
      let row = EvaluatedRow(5, in: rig)
      row.scroll(isVisible: true)
      #expect(rig.displayed == [5])
      row.listCovered(true)
      row.scroll(isVisible: true)
      #expect(rig.displayed == [], "its list is covered")
    }
  }
}
