import Foundation
import RowOperationsTesting
import Testing

@testable import RowOperations

extension Adapters {
  @Suite("A list behind an adapter")
  @MainActor
  struct ListRelayTests {
    private func isMoving(_ view: WatchedList) -> Bool {
      view.rig.tracker.core.engine.gate.isMoving
    }

    @Test(
      "The quiet time settles a list whose fling a finger stopped [18]",
      arguments: [ListBehavior.tableView, .collectionView])
    func stopped(behavior: ListBehavior) {
      let view = WatchedList(behavior)
      view.reportsScrolls = true
      view.list.layOut()
      view.look()
      view.list.beginDrag()
      view.list.drag(by: 20)
      view.list.endDrag(velocity: 3)
      for _ in 0..<10 {
        view.rig.clock.advance(by: .milliseconds(16))
        view.list.advance(by: .milliseconds(16))
        view.look()
      }
      view.list.stop()
      #expect(isMoving(view))
      view.rig.clock.advance(by: .milliseconds(150))
      view.look()
      #expect(!isMoving(view))
      view.check()
    }

    @Test("A list that scrolls up prefetches the rows above, the nearest first [13]")
    func upward() {
      let view = WatchedList { $0.slots = UpdateSlots(1) }
      view.list.layOut()
      view.list.jump(to: 500)
      view.look()
      view.list.beginDrag()
      view.list.drag(by: -88)
      view.look()
      let top = view.list.visibleRows[0]
      let above = view.rig.waitingByPriority.filter { $0 < top }
      #expect(above.count > 20 && above == Array((top - above.count..<top).reversed()))
      view.check()
    }

    @Test("An estimated landing counts unless the app has reported one since the last drag")
    func estimatedLanding() {
      let relay = ListRelay(TrackerRig().tracker, ids: OrderReader<Int>.lookUp { $0[1] })
      var landings: [String] = []
      func lift(isExact: Bool) {
        let part = CGRect(x: 0, y: 400, width: 320, height: 600)
        relay.fingerLifted(
          at: .zero, restingAt: part.origin, landingOn: part, isExact: isExact
        ) { _ in
          landings.append(isExact ? "exact" : "estimated")
          return []
        }
      }
      lift(isExact: false)
      lift(isExact: true)
      lift(isExact: false)
      lift(isExact: true)
      #expect(landings == ["estimated", "exact", "exact"])
      relay.dragBegan()
      lift(isExact: false)
      #expect(landings == ["estimated", "exact", "exact", "estimated"])
    }

    @Test("A relay finds the cells and hosts that were bound before, not the views in hosts")
    func outermost() {
      let rig = TrackerRig()
      let cells = (0..<3).map { SimulatedCell(number: $0) }
      rig.tracker.bind(cells[1], to: 1, in: cells[0]) { _, _ in }
      rig.tracker.bind(cells[2], to: 2) { _, _ in }
      let found = rig.tracker.outermostViews.compactMap { ($0 as? SimulatedCell)?.number }
      #expect(found.sorted() == [0, 2])
    }

    @Test("A cell in a section that the list lacks makes the relay count the items again")
    func lackingSection() {
      let rig = TrackerRig()
      let relay = ListRelay(rig.tracker, ids: .sections { [[1, 2, 3]] })
      var counts = 0
      var layout = ListLayout()
      layout.sectionCount = 1
      layout.itemCount = { _ in
        counts += 1
        return 3
      }
      relay.laidOut(layout)
      let cell = SimulatedCell(number: 0)
      layout.cells = [.init(cell, at: .init(section: 1, row: 0))]
      let before = counts
      relay.laidOut(layout)
      #expect(counts > before)
    }

    @Test("The search for a far row in a list that does not count its items goes on in later turns")
    func farRow() async {
      let (rig, watcher) = (TrackerRig(), CountingWatcher())
      let relay = ListRelay(rig.tracker, ids: .sections { [Array(0..<20_000)] })
      relay.watched(by: watcher)
      watcher.share = { _ in 1 }
      let cell = SimulatedCell(number: 0)
      rig.tracker.bind(cell, to: 15_000) { _, _ in }
      await turn()
      var layout = ListLayout.uncounted()
      layout.cells = [.init(cell, at: nil)]
      var looks = 0
      repeat {
        looks += 1
        watcher.looks = 0
        relay.laidOut(layout)
        await turn()
      } while watcher.looks > 0 && looks < 100
      #expect((2..<100).contains(looks))
      #expect(relay.index(ofRowIn: cell) == 15_000)
    }

    @Test("In a table with columns, a pinned row far from the others is not counted as on screen")
    func columns() {
      let rig = TrackerRig()
      let relay = ListRelay(rig.tracker, ids: .sections { [Array(0..<20)] })
      var layout = ListLayout(rows: 20)
      for (number, row) in [0, 0, 0, 5, 5, 5, 6, 6, 6].enumerated() {
        let cell = SimulatedCell(number: number)
        rig.tracker.bind(cell, to: row) { _, _ in }
        layout.cells.append(.init(cell, at: .init(row: row)))
      }
      relay.laidOut(layout)
      let shown = relay.links.map { $0.tracker.shownPositions(inList: $0.list) }
      #expect(shown == [5..<7])
    }

    @Test("Items of a section off screen are counted again only if the size of the content changes")
    func countedSections() {
      let rig = TrackerRig()
      var reads = 0
      let read: @MainActor () -> [[Int]] = {
        reads += 1
        return [[0, 1, 2], [3, 4, 5, 6]]
      }
      let relay = ListRelay(rig.tracker, ids: .sections(read))
      let cell = SimulatedCell(number: 0)
      rig.tracker.bind(cell, to: 0) { _, _ in }
      var count = 3
      var counted: [Int] = []
      var layout = ListLayout()
      layout.sectionCount = 2
      layout.itemCount = { section in
        counted.append(section)
        return section == 0 ? 3 : count
      }
      layout.cells = [.init(cell, at: .init(row: 0))]
      relay.laidOut(layout)
      counted = []
      relay.laidOut(layout)
      #expect(counted == [0] && reads == 1)
      count = 4
      layout.contentSize.height = 100
      relay.laidOut(layout)
      #expect(counted.contains(1) && reads == 2)
    }

    @Test("A relay forwards each event to all its trackers")
    func several() {
      let images = TrackerRig()
      let titles = DisplayTracker<Int, String> { "\($0.row)" }
      let relay = ListRelay(images.tracker, titles, ids: OrderReader<Int>.lookUp { $0[1] })
      let cell = SimulatedCell(number: 0)
      images.tracker.bind(cell, to: 4) { _, _ in }
      titles.bind(cell, to: 4) { _, _ in }
      relay.willDisplay(cell)
      let layout = ListLayout(rows: 6, cells: [.init(cell, at: .init(row: 4))])
      relay.laidOut(layout)
      images.tracker.endPass()
      titles.endPass()
      #expect(images.rows(in: .loading).union(images.waitingByPriority) == [2, 3, 4, 5])
      #expect([2, 3, 4, 5].allSatisfy { titles.phase(of: $0).isPending })
      relay.didEndDisplaying(cell)
      relay.cover(.suspended)
      images.tracker.endPass()
      #expect(images.displayed == [])
    }
  }
}
