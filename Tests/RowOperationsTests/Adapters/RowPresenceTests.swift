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

    @Test("A row whose body is evaluated ahead and that never appears loads nothing [21]")
    func evaluatedAhead() {
      let presence = Presence {}
      #expect(presence.phase(of: 5, in: rig.tracker).kind == .waiting)
      presence.disappeared()
      #expect(rig.violations == [])
      #expect(rig.tracker.metrics.started == 0)
      rig.tracker.setValue(.init(row: 5, generation: 0), for: 5)
      #expect(presence.phase(of: 5, in: rig.tracker).kind == .loaded)
    }

    @Test("A row that appears again and again is displayed once and restarts nothing [21]")
    func appearsTwice() async {
      let presence = Presence {}
      presence.appeared(5, in: rig.tracker)
      rig.tracker.endPass()
      presence.appeared(5, in: rig.tracker)
      presence.appeared(5, in: rig.tracker)
      #expect(rig.violations == [])
      #expect(rig.starts(of: 5) == 1)
      presence.disappeared()
      #expect(rig.violations == [])
      #expect(rig.displayed == [])
      presence.appeared(5, in: rig.tracker)
      rig.tracker.endPass()
      #expect(rig.starts(of: 5) == 1, "It came back within the grace.")
    }

    @Test("A row that never disappears has left when its state is gone [21]")
    func neverDisappears() async {
      var presence: Presence? = Presence {}
      presence?.appeared(5, in: rig.tracker)
      rig.tracker.endPass()
      #expect(rig.displayed == [5])
      presence = nil
      await rig.tracker.waitUntil { [rig] _ in rig.displayed.isEmpty }
      #expect(rig.violations == [])
    }

    @Test("A state that ends on another thread ends the display as well [21]")
    func endsElsewhere() async {
      let place = Box<Presence?>(Presence {})
      place.value?.appeared(5, in: rig.tracker)
      rig.tracker.endPass()
      #expect(rig.displayed == [5])
      await Task.detached { place.set(nil) }.value
      await rig.tracker.waitUntil { [rig] _ in rig.displayed.isEmpty }
      #expect(rig.violations == [])
    }

    @Test("A place that is given another row never shows the row before [21]")
    func changes() async {
      var changes = 0
      let presence = Presence { changes += 1 }
      presence.appeared(5, in: rig.tracker)
      rig.tracker.endPass()
      rig.arrive(5)
      rig.tracker.endPass()
      #expect(presence.phase(of: 5, in: rig.tracker).value?.row == 5)
      // Its body is evaluated with the new row before anything else is told.
      #expect(presence.phase(of: 6, in: rig.tracker).value == nil)
      presence.changed(to: 6, in: rig.tracker)
      let before = changes
      rig.tracker.endPass()
      rig.arrive(6)
      rig.tracker.endPass()
      #expect(changes > before)
      #expect(presence.phase(of: 6, in: rig.tracker).value?.row == 6)
      #expect(rig.displayed == [6])
      rig.tracker.setValue(.init(row: 5, generation: 9), for: 5)
      rig.tracker.endPass()
      #expect(presence.phase(of: 6, in: rig.tracker).value?.row == 6)
    }

    @Test("A place off screen that is given another row is bound when it appears [21]")
    func changesOffScreen() {
      let presence = Presence {}
      presence.changed(to: 6, in: rig.tracker)
      rig.tracker.endPass()
      #expect(rig.displayed == [])
      presence.appeared(6, in: rig.tracker)
      #expect(rig.displayed == [6])
    }

    @Test("A place that is given another tracker leaves the one before")
    func changesTracker() {
      let other = TrackerRig()
      let presence = Presence {}
      presence.appeared(5, in: rig.tracker)
      presence.changed(to: 5, in: other.tracker)
      #expect(rig.displayed == [])
      #expect(other.displayed == [5])
      #expect(rig.violations == [] && other.violations == [])
    }

    @Test("A row that the model has removed and brought back is bound anew when it appears")
    func removed() {
      let presence = Presence {}
      presence.appeared(5, in: rig.tracker)
      rig.tracker.remove([5])
      presence.appeared(5, in: rig.tracker)
      #expect(rig.displayed == [5])
      #expect(rig.violations == [])
    }
  }
}
