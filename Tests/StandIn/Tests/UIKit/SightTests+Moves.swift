#if canImport(UIKit)
  import RowOperationsTesting
  import Testing
  import UIKit

  @testable import RowOperations
  @testable import TestSupport

  extension StandIn.SightTests {
    // MARK: Hidden views

    @Test(
      "A hidden list keeps its loads, and loads nothing anew when it is shown",
      arguments: Variant.each)
    func hiddenList(variant: Variant) async {
      let phone = Phone(variant)
      let gate = LoadGate<Int, Int>()
      let configuration = phone.configuration { $0.slots = UpdateSlots(14) }
      let tracker = DisplayTracker(configuration: configuration) { try await gate.load($0) }
      let list = phone.list(.table, tracker, rows: 0..<14)
      await phone.turns()
      #expect(await Phone.waits { gate.log.waiting.count == 14 })
      for view in [list.view, list.frame, phone.window] {
        view.isHidden = true
        await phone.wait(frames: 30)
        #expect(tracker.displayedRows == [] && tracker.core.lists.isSuspended)
        view.isHidden = false
        await phone.turns()
        #expect(tracker.displayedRows == Set(0..<14))
      }
      #expect(gate.log.cancelled == [] && gate.log.began.count == 14)
      gate.openAll { $0 }
    }

    @Test("A cell that is hidden for a while is displayed again", arguments: Variant.each)
    func hiddenCell(variant: Variant) async throws {
      let phone = Phone(variant)
      let tracker = phone.tracker()
      let list = phone.list(.table, tracker)
      await phone.turns(2)
      let table = try #require(list.view as? UITableView)
      let cell = try #require(table.cellForRow(at: [0, 3]))
      cell.isHidden = true
      await phone.turns(2)
      #expect(tracker.displayedRows == Set(0..<14).subtracting([3]))
      cell.isHidden = false
      await phone.turns(2)
      #expect(tracker.displayedRows == Set(0..<14))
      await expectRest(phone, tracker)
    }

    @Test("A box that opens inside a list displays the views that it shows")
    func box() async {
      let phone = Phone()
      let tracker = phone.tracker()
      let scroll = outer(phone, content: CGSize(width: 320, height: 2_000))
      let box = UIView(frame: CGRect(x: 0, y: 0, width: 320, height: 0))
      box.clipsToBounds = true
      scroll.addSubview(box)
      let label = UILabel(frame: CGRect(x: 0, y: 100, width: 320, height: 20))
      box.addSubview(label)
      tracker.bind(label, to: 7) { $0.tag = $1.value ?? 0 }
      let tracking = ListTracking(scroll, tracker, ids: { [7] })
      for (height, rows) in [(0, []), (200, [7]), (50, []), (110, [7])] {
        box.frame.size.height = CGFloat(height)
        await phone.turns(2)
        #expect(tracker.displayedRows == Set(rows), "\(height) points high")
      }
      await expectRest(phone, tracker)
      tracking.stop()
    }

    @Test("A pager that does not clip displays the next page, which peeks in")
    func peekingPager() async {
      let phone = Phone()
      let tracker = phone.tracker()
      let pager = UIScrollView(frame: CGRect(x: 40, y: 0, width: 240, height: 600))
      pager.contentSize = CGSize(width: 960, height: 600)
      (pager.isPagingEnabled, pager.clipsToBounds) = (true, false)
      phone.window.addSubview(pager)
      for page in 0..<4 {
        let label = UILabel(frame: CGRect(x: page * 240, y: 0, width: 240, height: 600))
        pager.addSubview(label)
        tracker.bind(label, to: page) { $0.tag = $1.value ?? 0 }
      }
      let tracking = ListTracking(pager, tracker, ids: { [0, 1, 2, 3] })
      await phone.turns(2)
      #expect(tracker.displayedRows == [0, 1])
      pager.contentOffset.x = 240
      await phone.turns(2)
      #expect(tracker.displayedRows == [0, 1, 2])
      await expectRest(phone, tracker)
      tracking.stop()
    }

    // MARK: Motion

    @Test("A drag of the scroll view around a list moves the list while its corner stays in sight")
    func outerDrag() async {
      let phone = Phone()
      let tracker = phone.tracker()
      let scroll = outer(phone, content: CGSize(width: 320, height: 9_300))
      let list = fullHeight(phone, tracker, in: scroll)
      list.frame.frame.origin.y = 500
      await phone.wait()
      #expect(tracker.displayedRows == Set(0..<3))
      scroll.beginDrag()
      for _ in 0..<3 {
        scroll.drag(by: CGPoint(x: 0, y: 20))
        await phone.wait(frames: 1)
      }
      #expect(tracker.core.state.engine.gate.isMoving)
      scroll.endDrag(velocity: .zero)
      #expect(await Phone.waits(isTimePassing: true) { !tracker.core.state.engine.gate.isMoving })
      #expect(tracker.displayedRows == Set(0..<4))
    }

    // MARK: Shares

    @Test("The visible share of a row is that of its cell, cut by all views around it")
    func shares() async {
      let phone = Phone()
      let tracker = phone.tracker()
      let list = phone.list(.table, tracker)
      await phone.turns(2)
      #expect(tracker.visibleShare(of: 0) == 1)
      #expect(abs(tracker.visibleShare(of: 13) - 28.0 / 44) < 0.001)
      #expect(tracker.visibleShare(of: 14) == 0)
      list.frame.frame.origin.y = -11
      #expect(tracker.visibleShare(of: 0) == 0.75, "it is computed when it is called")
      list.frame.frame.origin.x = 160
      #expect(tracker.visibleShare(of: 0) == 0.375)
      list.frame.frame = CGRect(x: 0, y: 0, width: 320, height: 22)
      list.view.frame = list.frame.bounds
      await phone.turns(2)
      #expect(tracker.visibleShare(of: 0) == 1, "a cell that fills a list smaller than itself")
      phone.window.isHidden = true
      #expect(tracker.visibleShare(of: 0) == 0)
    }

    @Test("A row counts as seen only while enough of it is in sight", arguments: Variant.each)
    func impressionShare(variant: Variant) async {
      let phone = Phone(variant)
      let seen = Log<Int>([])
      let tracker = phone.tracker {
        $0.impressionShare = 0.75
        $0.onImpression = { seen.append($0) }
      }
      let list = phone.list(.table, tracker, rows: 0..<40)
      list.view.contentOffset.y = 22
      await phone.wait(frames: 100)
      #expect(await Phone.waits { Set(seen.value) == Set(1..<14) })
      #expect(tracker.displayedRows == Set(0..<15))
      // Row 14 has ten points on screen, and comes by half a second too early.
      list.view.contentOffset.y = 60
      await phone.wait(frames: 30)
      list.view.contentOffset.y = 22
      await phone.wait(frames: 60)
      #expect(Set(seen.value) == Set(1..<14))
      list.view.contentOffset.y = 0
      await phone.wait(frames: 100)
      #expect(await Phone.waits { Set(seen.value) == Set(0..<14) })
      tracker.forgetImpressions()
      list.frame.frame.origin.x = 200
      await phone.wait(frames: 100)
      tracker.forgetImpressions()
      seen.set([])
      await phone.wait(frames: 100)
      #expect(seen.value == [], "less than half of each row is in sight")
      await expectRest(phone, tracker)
    }

    @Test("The share is that of what the list and the views around it can show of the row")
    func largestShares() async {
      let phone = Phone()
      let tracker = phone.tracker()
      let scroll = outer(phone, content: CGSize(width: 320, height: 2_000))
      let strip = UIScrollView(frame: CGRect(x: 0, y: 0, width: 100, height: 600))
      let page = UIScrollView(frame: CGRect(x: 100, y: 0, width: 220, height: 2_000))
      for (list, row, frame) in [
        (strip, 0, CGRect(x: 0, y: 0, width: 300, height: 20)),
        (page, 1, CGRect(x: 0, y: 0, width: 220, height: 1_000)),
      ] {
        let label = UILabel(frame: frame)
        list.addSubview(label)
        scroll.addSubview(list)
        tracker.bind(label, to: row) { $0.tag = $1.value ?? 0 }
      }
      let trackings = [strip, page].map { ListTracking($0, tracker, ids: { [0, 1] }) }
      await phone.turns(2)
      #expect(tracker.visibleShare(of: 0) == 1, "as wide as the list can show")
      #expect(tracker.visibleShare(of: 1) == 1, "as high as the window")
      scroll.contentOffset.y = 10
      #expect(tracker.visibleShare(of: 0) == 0.5)
      trackings.forEach { $0.stop() }
    }

    @Test("A row that comes on screen within a render counts only with enough of it in sight")
    func shareInRender() async {
      let phone = Phone()
      let seen = Log<Int>([])
      let tracker = phone.tracker {
        $0.impressionShare = 0.75
        $0.onImpression = { seen.append($0) }
      }
      let list = phone.list(.table, tracker, rows: 0..<40)
      let label = UILabel()
      phone.window.addSubview(label)
      tracker.bind(label, to: 5_000) { [window = phone.window] _, phase in
        guard phase.value == 1 else { return }
        list.view.contentOffset.y = 22
        window.layoutIfNeeded()
      }
      tracker.willDisplay(label)
      await phone.wait(frames: 3)
      tracker.setValue(1, for: 5_000)
      await phone.wait(frames: 100)
      #expect(await Phone.waits { seen.value.count >= 14 })
      // Of the first row and of the fifteenth one, less than that is in sight.
      #expect(Set(seen.value) == Set(1..<14).union([5_000]))
    }
  }
#endif
