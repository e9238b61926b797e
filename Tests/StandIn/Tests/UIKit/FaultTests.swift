#if canImport(UIKit)
  import RowOperationsTesting
  import Testing
  import UIKit

  @testable import RowOperations
  @testable import TestSupport

  extension StandIn {
    /// Faults that lists had before they ran.
    @Suite("Faults of lists")
    @MainActor
    struct FaultTests {
      // MARK: Drags and drops

      @Test(
        "A list whose items are dragged for minutes rests, and loads what scrolls in",
        arguments: Variant.each)
      func reordering(variant: Variant) async {
        let phone = Phone(variant)
        let tracker = phone.tracker()
        let list = phone.list(.table, tracker)
        await phone.turns()
        list.view.isReordering = true
        list.view.scroll(to: CGPoint(x: 0, y: 880), animated: false)
        await phone.turns()
        await tracker.waitUntilIdle()
        await phone.turns()
        let (commits, turns) = (MainLoop.commits, tracker.metrics.turns)
        await phone.turns(1_000)
        #expect(MainLoop.commits == commits)
        #expect(tracker.metrics.turns == turns)
        #expect(tracker.displayedRows == Set(list.rowsOnScreen.keys))
        #expect(list.rowsOnScreen.allSatisfy { $1.tag == $0 })
      }

      @Test(
        "The order of a list is read again when a drag has ended without a layout",
        arguments: Variant.each)
      func endOfDrag(variant: Variant) async {
        let phone = Phone(variant)
        let tracker = phone.tracker()
        let list = phone.list(.table, tracker, rows: 0..<40)
        await phone.turns()
        list.view.isReordering = true
        list.model[0].append(contentsOf: 100..<140)
        list.view.reloadData()
        await phone.turns()
        #expect(tracker.core.state.engine.window(of: 1)?.bounds == 0..<40)
        list.view.isReordering = false
        await phone.turns()
        #expect(tracker.core.state.engine.window(of: 1)?.bounds == 0..<80)
      }

      // MARK: Layouts and renders

      @Test(
        "A render that lays the list out leaves no row displayed that is off screen",
        arguments: Variant.each)
      func layoutInsideRender(variant: Variant) async {
        let phone = Phone(variant)
        let tracker = phone.tracker { $0.cached = { $0 } }
        let list = phone.list(.table, tracker)
        await phone.turns()
        // Cells that come back show another value, and the app scrolls away meanwhile.
        for row in 0..<20 { tracker.setValue(row, for: row) }
        list.whileRendering = { [weak list] in
          list?.view.contentOffset.y = 2_000
          list?.view.layoutIfNeeded()
        }
        list.view.contentOffset.y = 300
        await phone.turns()
        #expect(tracker.displayedRows == Set(list.rowsOnScreen.keys))
      }

      @Test(
        "A cell whose app lays it out while it is provided is displayed", arguments: Variant.each)
      func layoutInsideCell(variant: Variant) async {
        let phone = Phone(variant)
        let tracker = phone.tracker()
        let list = phone.list(.grid, tracker, rows: 0..<7)
        list.laysOutCells = true
        await phone.turns()
        list.view.reloadData()
        await phone.turns()
        #expect(tracker.displayedRows == Set(0..<7))
      }

      @Test(
        "A deletion that changes neither size nor offset ends the display of its row",
        arguments: Variant.each)
      func deletionInsideLine(variant: Variant) async {
        let phone = Phone(variant)
        let tracker = phone.tracker()
        let list = phone.list(.grid, tracker, rows: 0..<3)
        await phone.turns()
        list.model[0].removeFirst()
        (list.view as? UICollectionView)?.deleteItems(at: [[0, 0]])
        await phone.turns()
        #expect(tracker.displayedRows == [1, 2])
      }

      @Test(
        "A row that moves away in a batch update which brings no other row is displayed no longer",
        arguments: Variant.each)
      func movedAway(variant: Variant) async {
        let phone = Phone(variant)
        let tracker = phone.tracker { $0.cached = { $0 } }
        let list = phone.list(.growingTable, tracker)
        // The last row on screen is 64 points high, of which 10 are visible; row 1 has 44.
        list.view.frame.size.height = 314
        await phone.turns()
        list.view.update {
          list.model[0].insert(list.model[0].remove(at: 1), at: 50)
          list.view.move([0, 1], to: [0, 50])
        }
        await phone.wait()
        #expect(Set(list.rowsOnScreen.keys) == [0, 2, 3, 4, 5, 6])
        #expect(tracker.displayedRows == [0, 2, 3, 4, 5, 6])
      }

      @Test("A list that the app makes smaller and lays out at once displays only what is inside")
      func resized() async {
        for variant in Variant.each {
          let phone = Phone(variant)
          let tracker = phone.tracker()
          let list = phone.list(.table, tracker)
          await phone.turns()
          list.view.frame.size.height = 200
          list.view.layoutIfNeeded()
          await phone.turns()
          #expect(tracker.displayedRows == Set(list.rowsOnScreen.keys), "\(variant)")
        }
      }

      @Test("A list that the app scrolls and lays out at once displays only what is inside")
      func scrolledAtOnce() async {
        for scrollsLayer in [false, true] {
          var variant = Variant()
          (variant.preparedAhead, variant.scrollsLayer) = (3, scrollsLayer)
          let phone = Phone(variant)
          let tracker = phone.tracker()
          // No new row gets a cell, which would be a sign of its own.
          let list = phone.list(.table, tracker, rows: 0..<16)
          await phone.turns()
          list.view.contentOffset.y = 88
          list.view.layoutIfNeeded()
          await phone.turns()
          #expect(tracker.displayedRows == Set(list.rowsOnScreen.keys))
        }
      }

      @Test("A cell that scrolls off screen is rendered as leaving, unless it gets another row")
      func leaving() async {
        for isReused in [false, true] {
          var variant = Variant()
          variant.leavesFirst = isReused
          let phone = Phone(variant)
          let tracker = phone.tracker()
          let list = phone.list(.table, tracker)
          await phone.turns()
          let rows = list.rowsOnScreen.keys.sorted()
          list.view.contentOffset.y = 1_000
          await phone.turns()
          #expect(list.rowsThatLeft.sorted() == (isReused ? [] : rows))
          list.frame.removeFromSuperview()
          await phone.turns()
          #expect(
            list.rowsThatLeft.sorted() == (isReused ? [] : rows), "a covered list is no leave")
        }
      }

      @Test("Contents take no part in the animation that lays a list out")
      func animation() async {
        // Cells come back without a call for a cell, with an older content.
        var variant = Variant()
        variant.keptCells = 20
        let phone = Phone(variant)
        let tracker = phone.tracker { $0.cached = { $0 } }
        let list = phone.list(.table, tracker)
        await phone.turns()
        list.view.contentOffset.y = 700
        await phone.turns()
        for row in 0..<14 { tracker.setValue(row, for: row) }
        await phone.turns()
        var areAnimated: [Bool] = []
        list.whileRendering = { areAnimated.append(UIView.areAnimationsEnabled) }
        UIView.animate(withDuration: 0.3) {
          list.view.contentOffset.y = 0
          list.view.layoutIfNeeded()
        }
        #expect(areAnimated.count >= 14 && !areAnimated.contains(true))
      }

      // MARK: Views that are no cells

      @Test(
        "Views in the headers of a table are displayed at any depth, with and without a host",
        arguments: Variant.each)
      func headers(variant: Variant) async {
        let phone = Phone(variant)
        let tracker = phone.tracker()
        let list = phone.list(.tableWithHeaders, tracker, rows: 0..<40)
        await phone.turns()
        await tracker.waitUntilIdle()
        await phone.turns()
        // A label without a host, a box as host, a header, and a label inside it.
        #expect(tracker.displayedRows.isSuperset(of: [-200, -201, -1, -100]))
        #expect(list.rowsOnScreen.allSatisfy { $1.tag == $0 })
        list.strip.contentOffset.x = 600
        await phone.turns()
        #expect(tracker.displayedRows.contains(-207) && !tracker.displayedRows.contains(-200))
        list.view.contentOffset.y = 400
        await phone.turns()
        #expect(tracker.displayedRows.filter { $0 <= -200 }.isEmpty)
      }

      @Test(
        "A view without a size, such as a label without a text, is displayed",
        arguments: Variant.each)
      func emptyLabel(variant: Variant) async {
        let phone = Phone(variant)
        let tracker = phone.tracker()
        let list = phone.list(.table, tracker, rows: 0..<4)
        let label = UILabel(frame: CGRect(x: 5, y: 300, width: 0, height: 0))
        list.view.addSubview(label)
        tracker.bind(label, to: 50) { $0.tag = $1.value ?? -1 }
        await phone.turns()
        #expect(tracker.displayedRows.contains(50))
        list.view.contentOffset.y = 301
        await phone.turns()
        #expect(!tracker.displayedRows.contains(50))
      }

      @Test("A deep view that the app takes out of a list is displayed no longer")
      func removedView() async {
        let phone = Phone()
        let tracker = phone.tracker()
        let list = phone.list(.table, tracker, rows: 0..<4)
        let box = UIView(frame: CGRect(x: 0, y: 200, width: 320, height: 100))
        let label = UILabel(frame: CGRect(x: 0, y: 0, width: 320, height: 20))
        box.addSubview(label)
        list.view.addSubview(box)
        tracker.bind(label, to: 50) { $0.tag = $1.value ?? -1 }
        await phone.turns()
        #expect(tracker.displayedRows.contains(50))
        label.removeFromSuperview()
        await phone.turns()
        #expect(!tracker.displayedRows.contains(50))
      }

      @Test("A view outside the list stays displayed until its end is forwarded")
      func forwardedView() async {
        let phone = Phone()
        let tracker = phone.tracker()
        let list = phone.list(.table, tracker, rows: 0..<4)
        let label = UILabel(frame: CGRect(x: 0, y: 0, width: 320, height: 20))
        phone.window.addSubview(label)
        tracker.bind(label, to: 50) { $0.tag = $1.value ?? -1 }
        await phone.turns()
        list.tracking?.willDisplay(label)
        list.view.setNeedsLayout()
        await phone.turns()
        #expect(tracker.displayedRows.contains(50))
        list.tracking?.didEndDisplaying(label)
        await phone.turns()
        #expect(!tracker.displayedRows.contains(50))
      }

      @Test(
        "A cell of a table inside the list is displayed while it is on screen",
        arguments: [false, true])
      func cellOfInnerTable(isBoundFirst: Bool) async {
        let phone = Phone()
        let tracker = phone.tracker()
        let list = phone.list(.table, tracker, rows: 0..<4)
        let inner = UITableView(frame: CGRect(x: 0, y: 200, width: 320, height: 100))
        let cell = UITableViewCell(style: .default, reuseIdentifier: nil)
        cell.frame = CGRect(x: 0, y: 0, width: 320, height: 44)
        list.view.addSubview(inner)
        if !isBoundFirst { inner.addSubview(cell) }
        tracker.bind(cell, to: 50) { $0.tag = $1.value ?? -1 }
        if isBoundFirst { inner.addSubview(cell) }
        await phone.turns()
        #expect(tracker.displayedRows.contains(50))
        list.view.contentOffset.y = 301
        await phone.turns()
        #expect(!tracker.displayedRows.contains(50))
      }

      @Test("A view in a list inside the list follows that list", arguments: Variant.each)
      func watchedListInside(variant: Variant) async {
        let phone = Phone(variant)
        let tracker = phone.tracker()
        let outer = phone.list(.table, tracker, rows: 0..<4)
        let inner = UIScrollView(frame: CGRect(x: 0, y: 200, width: 320, height: 100))
        let label = UILabel(frame: CGRect(x: 0, y: 0, width: 50, height: 50))
        inner.addSubview(label)
        outer.view.addSubview(inner)
        tracker.bind(label, to: 50) { $0.tag = $1.value ?? -1 }
        let tracking = ListTracking(inner, tracker, ids: { [50] })
        await phone.turns()
        #expect(tracker.displayedRows.contains(50))
        tracking.suspend()
        await phone.turns()
        #expect(!tracker.displayedRows.contains(50))
        outer.tracking?.suspend()
        outer.tracking?.resume()
        await phone.turns()
        #expect(tracker.displayedRows == [0, 1, 2, 3])
      }

      // MARK: Stale cells

      @Test("A cell that keeps the row of another index path is reported once")
      func staleCell() async {
        let phone = Phone()
        let misuses = ReportedMisuses()
        let tracker = phone.tracker()
        let list = phone.list(.table, tracker, rows: 0..<40)
        await phone.turns()
        list.forgetsToBind = true
        list.view.reloadData()
        list.model[0].shuffle()
        list.tracking?.dataChanged()
        await phone.turns()
        list.view.setNeedsLayout()
        await phone.turns()
        #expect(misuses.texts.contains { $0.contains("is bound to row") })
      }
    }
  }
#endif
