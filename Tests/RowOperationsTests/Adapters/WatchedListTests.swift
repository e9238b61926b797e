import Foundation
import RowOperationsTesting
import Testing

@testable import RowOperations
@testable import TestSupport

extension Adapters {
  @Suite("A watched list without forwarded events", .timeLimit(.minutes(10)))
  @MainActor
  struct WatchedListTests {
    nonisolated static let behaviors: [ListBehavior] = [.tableView, .collectionView]

    @Test("Rows on screen load, and rows that left the screen do not", arguments: behaviors)
    func displays(behavior: ListBehavior) {
      let view = WatchedList(behavior)
      view.list.layOut()
      view.look()
      view.check()
      #expect(view.rig.rows(in: .loading).isSubset(of: view.list.visibleRows))
      view.list.jump(to: 500)
      view.look()
      view.check()
    }

    @Test("The ids are read once for each screen that scrolls by, and when their number changes")
    func reads() {
      let view = WatchedList()
      view.list.layOut()
      view.look()
      for offset in stride(from: 0, to: 4_000, by: 90) {
        view.list.jump(to: offset / 44)
        view.look()
      }
      // 90 rows scroll by, on screens of 14 or 15.
      let reads = view.reads
      #expect((4...8).contains(reads), "\(reads) reads")
      view.look()
      #expect(view.reads == reads)
      view.ids.insert(5_000, at: 3)
      view.list.update(to: view.ids)
      view.look()
      view.check()
      #expect(view.reads == reads + 1)
    }

    @Test("dataChanged causes a read of the ids after the next layout")
    func dataChanged() {
      let view = WatchedList()
      view.list.layOut()
      view.look()
      view.ids[700] = 7_000
      view.relay.dataChanged()
      #expect(view.reads == 1)
      view.lookIfWanted()
      #expect(view.reads == 2)
      view.lookIfWanted()
      #expect(view.reads == 2)
    }

    @Test(
      "The tracker prefetches in the list's order, across sections of any size",
      arguments: [1, 3, 7])
    func prefetches(sectionSize: Int) {
      let view = WatchedList(sectionSize: sectionSize)
      view.list.layOut()
      view.look()
      let prefetched = view.rig.recorder.rows { if case .prefetched = $0 { true } else { false } }
      let visible = view.list.visibleRows.count
      #expect(prefetched == Array(visible..<visible + Int((2.5 * Double(visible)).rounded(.up))))
    }

    @Test("In Low Data Mode the tracker prefetches nothing and cancels its prefetches")
    func lowData() {
      let view = WatchedList()
      view.list.layOut()
      view.look()
      #expect(view.rig.isWaiting(20))
      var layout = view.layout
      layout.isDataConstrained = true
      view.relay.laidOut(layout)
      view.rig.tracker.endPass()
      #expect(!view.rig.isWaiting(20))
      view.look()
      #expect(view.rig.isWaiting(20), "Low Data Mode is off again")
      view.relay.prefetchesInLowDataMode = true
      view.relay.laidOut(layout)
      view.rig.tracker.endPass()
      #expect(view.rig.isWaiting(20))
      view.check()
    }

    @Test("A header and the views in it are displayed while it is on screen")
    func headers() {
      let view = WatchedList()
      let (header, avatar) = (SimulatedCell(number: 800), SimulatedCell(number: 801))
      view.rig.tracker.bind(avatar, to: 5_000, in: header) { _, _ in }
      view.list.layOut()
      view.others = [header]
      view.look()
      #expect(view.rig.displayed.contains(5_000))
      view.others = []
      view.look()
      view.check()
    }

    @Test("A view with a forwarded display stays displayed until its end is forwarded")
    func forwardedView() {
      let view = WatchedList()
      let header = SimulatedCell(number: 800)
      view.watcher.place = { $0 === header ? .outside : .cell }
      view.rig.tracker.bind(header, to: 5_000) { _, _ in }
      view.list.layOut()
      view.relay.willDisplay(header)
      view.look()
      view.relay.cover(.suspended)
      view.relay.resume()
      view.look()
      #expect(view.rig.displayed.contains(5_000))
      view.relay.didEndDisplaying(header)
      view.look()
      view.check()
    }

    @Test("A layout that is reported amid another one causes one more look, others do not")
    func nestedLayout() {
      let view = WatchedList()
      view.list.layOut()
      view.whenRead = { [unowned view] in
        view.whenRead = {}
        view.relay.laidOut(view.layout)
      }
      view.look()
      #expect(view.reads > 0 && view.watcher.looks == 1)
      view.look()
      #expect(view.watcher.looks == 0)
    }

    @Test("Each forwarded call causes a look, since it may be late or wrong")
    func forwardedCalls() {
      let view = WatchedList()
      let cell = SimulatedCell(number: 900)
      view.relay.willDisplay(cell)
      #expect(view.watcher.looks == 1)
      view.relay.didEndDisplaying(cell)
      #expect(view.watcher.looks == 2)
    }

    @Test(
      "A bound cell that is on screen and in no layout causes another look",
      arguments: [true, false])
    func missedCell(isOnScreen: Bool) async {
      let view = WatchedList()
      view.watcher.share = { _ in isOnScreen ? 1 : 0 }
      let cell = SimulatedCell(number: 900)
      view.rig.tracker.bind(cell, to: 5) { _, _ in }
      view.watcher.looks = 0
      await turn()
      #expect(view.watcher.looks == (isOnScreen ? 1 : 0))
    }

    @Test("Where half of a row must be in sight, only such a row counts as seen")
    func halfInSight() {
      let seen = Box<[Int]>([])
      let view = WatchedList(rows: 4) {
        $0.impressionShare = 0.5
        $0.onImpression = { row in seen.change { $0.append(row) } }
      }
      var share = 0.49
      view.watcher.share = { [app = view.app] cell in
        let row = (cell as? SimulatedCell).flatMap { app.content(of: $0)?.row }
        return row == 1 ? 1 : row == 2 ? share : 0
      }
      view.list.layOut()
      view.look()
      view.rig.clock.advance(by: .milliseconds(900))
      view.look()
      share = 0.5
      view.look()
      view.rig.clock.advance(by: .milliseconds(999))
      view.look()
      #expect(seen.value == [1])
      view.rig.clock.advance(by: .milliseconds(1))
      view.look()
      #expect(seen.value == [1, 2])
    }

    @Test("A fling lands on rows across sections")
    func landing() {
      let view = WatchedList(sectionSize: 7)
      var expected: [Int] = []
      view.forwards = { event in
        if case .scrollWillEnd(let rows) = event { expected = rows }
        return []
      }
      view.reportsScrolls = true
      view.list.layOut()
      view.look()
      view.list.beginDrag()
      view.list.drag(by: 20)
      view.list.endDrag(velocity: 3)
      let landed = view.rig.recorder.rows { if case .landing = $0 { true } else { false } }
      #expect(landed.count == 14 && expected.starts(with: landed))
    }

    @Test("Views that were bound before the list is watched are known as those bound later")
    func boundBefore() {
      let (rig, watcher) = (TrackerRig(), CountingWatcher())
      let relay = ListRelay(rig.tracker, ids: .sections { [[1, 2, 3]] })
      let header = SimulatedCell(number: 0)
      rig.tracker.bind(header, to: 1) { _, _ in }
      watcher.place = { _ in .inside }
      relay.watched(by: watcher)
      #expect(relay.looseViews().map(ObjectIdentifier.init) == [ObjectIdentifier(header)])
    }

    @Test("Bound views that are no cells are known, also those that were in no view at first")
    func looseViews() {
      let view = WatchedList()
      let bound = (0..<4).map { SimulatedCell(number: $0) }
      var places: [ViewPlace] = [.cell, .inside, .outside, .unplaced]
      view.watcher.place = { view in
        bound.firstIndex { $0 === view }.map { places[$0] } ?? .cell
      }
      for cell in bound { view.rig.tracker.bind(cell, to: 5_000 + cell.number) { _, _ in } }
      func loose() -> Set<Int> {
        Set(view.relay.looseViews().compactMap { ($0 as? SimulatedCell)?.number })
      }
      #expect(loose() == [1, 2])
      places[3] = .inside
      #expect(loose() == [1, 2, 3])
    }

    @Test("A list that is back reports all its cells once, later only those that appear")
    func back() {
      let view = WatchedList()
      view.list.layOut()
      view.look()
      view.relay.cover(.suspended)
      view.relay.cover(.suspended, if: false)
      var lines: [String] = []
      view.rig.tracker.recordEvents { lines.append($0) }
      view.look()
      #expect(lines.joined().contains("W"))
      lines = []
      view.look()
      #expect(!lines.joined().contains("W"))
      view.check()
    }

    @Test("A list that is no longer watched displays no rows")
    func stopped() {
      let view = WatchedList()
      view.list.layOut()
      view.look()
      view.relay.stop()
      view.look()
      #expect(view.rig.displayed == [])
      #expect(!view.rig.isWaiting(20), "its order is gone")
      #expect(view.rig.violations == [])
    }

    @Test(
      "Once a render in a layout has covered the list or stopped its tracking, no row is displayed",
      arguments: [true, false])
    func endedByRender(isStop: Bool) {
      let rig = TrackerRig()
      let relay = ListRelay(rig.tracker, ids: .sections { [Array(0..<9)] })
      var layout = ListLayout(rows: 9)
      var isArmed = false
      for row in 0..<9 {
        let cell = SimulatedCell(number: row)
        rig.tracker.bind(cell, to: row) { _, _ in
          guard isArmed else { return }
          isArmed = false
          if isStop { relay.stop() } else { relay.cover(.hidden) }
        }
        layout.cells.append(.init(cell, at: .init(row: row)))
      }
      for cells in [layout.cells, []] {
        var shown = layout
        shown.cells = cells
        relay.laidOut(shown)
        rig.tracker.endPass()
      }
      // Their cells are rendered as they come back.
      for row in 0..<9 { rig.tracker.setValue(.init(row: row, generation: 9), for: row) }
      rig.tracker.endPass()
      isArmed = true
      relay.laidOut(layout)
      rig.tracker.endPass()
      #expect(!isArmed && rig.displayed == [] && rig.violations == [])
    }

    @Test("A layout without deallocated cells makes the tracker look for all of them")
    func vanished() {
      let rig = TrackerRig()
      let relay = ListRelay(rig.tracker, ids: .sections { [Array(0..<50)] })
      var layout = ListLayout(rows: 50)
      for row in 0..<50 {
        let cell = SimulatedCell(number: row)
        rig.tracker.bind(cell, to: row) { _, _ in }
        layout.cells.append(.init(cell, at: .init(row: row)))
      }
      relay.laidOut(layout)
      rig.tracker.endPass()
      #expect(rig.displayed.count == 50)
      layout.cells = []
      relay.laidOut(layout)
      rig.tracker.endPass()
      #expect(rig.displayed == [] && rig.violations == [])
    }
  }
}
