import RowOperationsTesting
import Testing

@testable import RowOperations

extension Adapters {
  @Suite("Trackers of a list whose rows are not the list's ids", .timeLimit(.minutes(10)))
  @MainActor
  struct AddedTrackersTests {
    @Test("Trackers with other rows follow the list, and load what is on screen")
    func follow() async throws {
      let view = WatchedList(rows: 100)
      let names = DisplayTracker<String, String> { $0.row }
      let ids = try #require(view.relay.ids as? OrderReader<Int>)
      view.relay.add(RowFeed(names, rows: ids.rows { ["name \($0)"] }))
      let labels = (0..<200).map { SimulatedCell(number: 1_000 + $0) }
      view.list.layOut()
      view.list.jump(to: 40)
      for (cell, row) in zip(view.list.visibleCells, view.list.visibleRows) {
        names.bind(labels[row], to: "name \(row)", in: cell) { _, _ in }
      }
      view.look()
      names.endPass()
      #expect(names.displayedRows == Set(view.list.visibleRows.map { "name \($0)" }))
      await names.waitUntilIdle()
      // The rows next to the screen are prefetched, as a window of the items holds them.
      let below = (view.list.visibleRows.last ?? 0) + 1
      #expect(names.phase(of: "name \(below)") == .loaded("name \(below)"))
    }

    @Test("A tracking that the app stops while it reads ids shows the list to no other tracker")
    func stoppedAmidReading() throws {
      let view = WatchedList(rows: 100)
      let (names, captions) = (
        DisplayTracker<String, String> { $0.row }, DisplayTracker<String, String> { $0.row }
      )
      let ids = try #require(view.relay.ids as? OrderReader<Int>)
      let rows = ids.rows { row in
        view.relay.stop()
        return ["name \(row)"]
      }
      view.relay.add(RowFeed(names, captions, rows: rows))
      view.list.layOut()
      view.look()
      #expect(captions.core.engine.windows.isEmpty)
    }

    @Test("Trackers that are added to a covered list are suspended until it is back")
    func covered() throws {
      let view = WatchedList(rows: 100)
      let names = DisplayTracker<String, String> { $0.row }
      view.list.layOut()
      view.look()
      view.relay.cover(.suspended)
      let ids = try #require(view.relay.ids as? OrderReader<Int>)
      view.relay.add(RowFeed(names, rows: ids.rows { ["name \($0)"] }))
      #expect(names.core.engine.isSuspended)
      let label = SimulatedCell(number: 1_000)
      names.bind(label, to: "name 0", in: view.list.visibleCells[0]) { _, _ in }
      view.relay.resume()
      view.look()
      names.endPass()
      #expect(names.displayedRows == ["name 0"])
    }
  }
}

@Suite("The lists around a row")
@MainActor
struct EnclosingListsTests {
  @Test("A row belongs to the nearest list that has its tracker, else to the nearest")
  func nearest() {
    let (posts, avatars, other) = (
      TrackerRig().tracker, TrackerRig().tracker, TrackerRig().tracker
    )
    let (outer, middle, inner) = (RowList<Int>(), RowList<Int>(), RowList<Int>())
    let none = EnclosingLists()
    #expect(none.list(of: posts) == nil && none.nearest == nil)
    let one = none.inside(outer, of: [avatars])
    #expect(one.list(of: posts) === outer)
    let two = one.inside(middle, of: [posts])
    #expect(two.list(of: posts) === middle && two.list(of: avatars) === outer)
    #expect(two.list(of: other) === middle && two.nearest === middle)
    let three = two.inside(inner, of: [posts])
    #expect(three.list(of: posts) === inner && three.list(of: avatars) === outer)
  }
}
