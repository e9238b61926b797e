import RowOperationsTesting
import Testing

@testable import RowOperations

extension Adapters {
  @Suite("Covered lists")
  @MainActor
  struct ListCoverageTests {
    private func relay(_ rig: TrackerRig, _ ids: [Int]) -> ListRelay {
      ListRelay(rig.tracker, ids: .sections { [ids] })
    }

    @Test("A tracker is suspended while all its lists are covered")
    func severalLists() {
      let rig = TrackerRig()
      let (feed, carousel) = (relay(rig, []), relay(rig, []))
      let isSuspended = { rig.tracker.core.engine.isSuspended }
      carousel.cover(.noWindow)
      #expect(!isSuspended(), "the feed is visible")
      feed.cover(.background)
      #expect(isSuspended())
      carousel.cover(.noWindow, if: false)
      #expect(!isSuspended())
      carousel.cover(.noWindow)
      #expect(isSuspended())
      feed.stop()
      #expect(isSuspended())
      carousel.stop()
      #expect(!isSuspended(), "no list is left that could resume it")
    }

    @Test("A new list resumes a tracker whose other lists are covered")
    func newScreen() {
      let rig = TrackerRig()
      let old = relay(rig, [])
      old.cover(.noWindow)
      let new = relay(rig, [])
      #expect(!rig.tracker.core.engine.isSuspended)
      new.stop()
      #expect(rig.tracker.core.engine.isSuspended)
      old.stop()
    }

    @Test("The resume of a list in a window retries failed rows")
    func resume() {
      let view = WatchedList()
      view.list.layOut()
      view.look()
      let before = view.rig.tracker.core.engine.failures.pendingHeal.list
      view.relay.resume()
      #expect(!before && view.rig.tracker.core.engine.failures.pendingHeal.list)
    }

    @Test("A carousel that comes on screen retries no rows")
    func carousel() {
      let rig = TrackerRig()
      let (feed, carousel) = (relay(rig, []), relay(rig, []))
      carousel.cover(.noWindow)
      carousel.cover(.noWindow, if: false)
      #expect(!rig.tracker.core.engine.failures.pendingHeal.list)
      feed.cover(.noWindow)
      carousel.cover(.noWindow)
      carousel.cover(.noWindow, if: false)
      #expect(rig.tracker.core.engine.failures.pendingHeal.list, "the tracker was suspended")
    }

    @Test("resume does not uncover a list that is in no window")
    func resumeWithoutWindow() {
      let rig = TrackerRig()
      let list = relay(rig, [])
      list.cover(.noWindow)
      list.cover(.suspended)
      list.resume()
      #expect(rig.tracker.core.engine.isSuspended)
      list.cover(.noWindow, if: false)
      #expect(!rig.tracker.core.engine.isSuspended)
    }

    @Test("A deallocated list no longer counts as covered")
    func deallocated() async {
      let rig = TrackerRig()
      var list: ListRelay? = relay(rig, [])
      list?.cover(.noWindow)
      #expect(rig.tracker.core.engine.isSuspended)
      list = nil
      await rig.tracker.waitUntil { !$0.core.engine.isSuspended }
      #expect(rig.tracker.core.lists.lists.isEmpty)
    }

    @Test("A list is covered while any reason holds")
    func reasons() {
      let rig = TrackerRig()
      let list = relay(rig, [])
      let steps: [(cover: Cover, isTrue: Bool, isCovered: Bool)] = [
        (.noWindow, false, false), (.noWindow, true, true), (.noWindow, true, true),
        (.background, true, true), (.noWindow, false, true), (.background, false, false),
      ]
      for step in steps {
        list.cover(step.cover, if: step.isTrue)
        #expect(rig.tracker.core.engine.isSuspended == step.isCovered, "\(step)")
      }
    }

    @Test("Low memory spares a list in the background, without another screen over it")
    func background() {
      let view = WatchedList()
      view.list.layOut()
      view.look()
      func reports() -> Set<CellState.Report> {
        let cells = view.rig.tracker.core.engine.cells
        return Set(cells.ids.map { cells[$0].report }).subtracting([.none])
      }
      let steps: [(cover: Cover, isTrue: Bool, report: CellState.Report)] = [
        (.background, true, .inBackground), (.hidden, true, .covered),
        (.hidden, false, .inBackground), (.noWindow, true, .covered),
        (.background, false, .covered),
        (.background, true, .covered), (.noWindow, false, .inBackground),
        (.background, false, .displayed),
      ]
      for step in steps {
        view.relay.cover(step.cover, if: step.isTrue)
        view.look()
        #expect(reports() == [step.report], "\(step)")
      }
    }

    @Test("Prefetching continues when a list comes back")
    func prefetchesAgain() {
      let view = WatchedList()
      view.list.layOut()
      view.look()
      #expect(view.rig.isWaiting(20))
      view.relay.cover(.background)
      view.rig.tracker.endPass()
      #expect(!view.rig.isWaiting(20))
      view.relay.cover(.background, if: false)
      view.lookIfWanted()
      #expect(view.rig.isWaiting(20))
      view.check()
    }

    @Test("Each list has its own order, which ends with the list")
    func orders() {
      let rig = TrackerRig()
      let (feed, carousel) = (relay(rig, Array(0..<100)), relay(rig, Array(200..<300)))
      let cells = (0..<2).map { SimulatedCell(number: $0) }
      for (cell, row) in zip(cells, [50, 250]) { rig.tracker.bind(cell, to: row) { _, _ in } }
      for (list, cell, item) in [(feed, cells[0], 50), (carousel, cells[1], 50)] {
        list.laidOut(ListLayout(rows: 100, cells: [.init(cell, at: .init(row: item))]))
      }
      rig.tracker.endPass()
      let prefetched = rig.recorder.rows { if case .prefetched = $0 { true } else { false } }
      #expect(Set(prefetched) == [48, 49, 51, 52, 53, 248, 249, 251, 252, 253])
      #expect(feed.index(ofRowIn: cells[0]) == 50)
      #expect(feed.index(ofRowIn: cells[1]) == nil)
      #expect(carousel.index(ofRowIn: cells[1]) == 50)
      carousel.stop()
      rig.tracker.endPass()
      #expect(rig.violations == [])
      feed.stop()
    }
  }

  @Suite("Resting position of a fling")
  struct RestTests {
    private func rest(from y: Double, _ velocity: Double, isPaged: Bool = false) -> Double {
      let extent = ScrollExtent(
        offset: y, length: 600, contentLength: 10_000, leadingInset: 50, trailingInset: 30)
      return extent.rest(velocity: velocity, isPaged: isPaged)
    }

    @Test("The list decelerates like a scroll view")
    func free() {
      #expect(rest(from: 1_000, 2) == 1_000 + Deceleration.normal.distance(velocity: 2))
      #expect(rest(from: 5_000, -2) == 5_000 + Deceleration.normal.distance(velocity: -2))
      #expect(rest(from: 700, 0) == 700)
    }

    @Test("The list stops at both ends of the content, insets included")
    func ends() {
      #expect(rest(from: 100, -20) == -50)
      #expect(rest(from: 9_000, 20) == 10_000 + 30 - 600)
      #expect(rest(from: -90, 0) == -50, "it bounces back")
      #expect(rest(from: 100, .nan) == 100)
    }

    @Test("A paged list stops at the next page, or at the nearest one without velocity")
    func pages() {
      #expect(rest(from: 700, 1, isPaged: true) == 1_200)
      #expect(rest(from: 700, -1, isPaged: true) == 600)
      #expect(rest(from: 700, 0, isPaged: true) == 600)
      #expect(rest(from: 700, 0.1, isPaged: true) == 1_200, "the slowest velocity of a turn")
      #expect(rest(from: 1_000, -0.1, isPaged: true) == 600)
      #expect(rest(from: 1_000, 0, isPaged: true) == 1_200)
    }

    @Test("Content that fits does not scroll, and sizes that are no sizes do not trap")
    func degenerate() {
      for size in [100, 0, -1, Double.infinity, .nan] {
        let extent = ScrollExtent(offset: 3, length: 600, contentLength: size)
        #expect(extent.rest(velocity: 1) == 0 && extent.rest(velocity: 1, isPaged: true) == 0)
      }
      let page = ScrollExtent(offset: 10, length: 0, contentLength: 100)
      #expect(page.rest(velocity: 1, isPaged: true) == 10)
    }
  }
}
