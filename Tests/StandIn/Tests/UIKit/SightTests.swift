#if canImport(UIKit)
  import RowOperationsTesting
  import Testing
  import UIKit

  @testable import RowOperations
  @testable import TestSupport

  extension StandIn {
    /// Lists that views around them clip, move or hide.
    @Suite("Lists in sight")
    @MainActor
    struct SightTests {
      /// A scroll view of the size of the window.
      func outer(_ phone: Phone, content: CGSize) -> UIScrollView {
        let scroll = UIScrollView(frame: phone.window.bounds)
        scroll.contentSize = content
        phone.window.addSubview(scroll)
        return scroll
      }

      /// A table as high as its rows of 44 points.
      func fullHeight(
        _ phone: Phone, _ tracker: DisplayTracker<Int, Int>, rows: Range<Int> = 0..<200,
        in scroll: UIView
      ) -> RandomList {
        let list = phone.list(.table, tracker, rows: rows)
        list.frame.frame.size.height = CGFloat(rows.count * 44)
        list.view.frame = list.frame.bounds
        scroll.addSubview(list.frame)
        return list
      }

      /// Pages of 20 rows for a list, counted.
      private func page(_ list: RandomList, _ grow: @escaping @MainActor () -> Void) -> Box<Int> {
        let count = Box()
        list.tracking?.pages = [
          Pagination(
            load: { cursor in cursor ?? 0 },
            receive: { [weak list] page, _ in
              count.add()
              guard let list else { return nil }
              list.model[0] += (0..<20).map { list.model[0].count + $0 }
              list.view.reloadData()
              grow()
              return page + 1
            })
        ]
        return count
      }

      func expectRest(_ phone: Phone, _ tracker: DisplayTracker<Int, Int>) async {
        await tracker.waitUntilIdle()
        await phone.wait()
        let (commits, turns) = (MainLoop.commits, tracker.metrics.turns)
        await phone.turns(20)
        #expect(MainLoop.commits == commits && tracker.metrics.turns == turns)
      }

      // MARK: Pagers

      @Test("Of three lists in a pager, the page in sight is displayed", arguments: Variant.each)
      func pager(variant: Variant) async {
        let phone = Phone(variant)
        let seen = Log<Int>([])
        let tracker = phone.tracker { $0.onImpression = { seen.append($0) } }
        let pager = outer(phone, content: CGSize(width: 960, height: 600))
        let lists = (0..<3).map { page in
          let list = phone.list(.table, tracker, rows: page * 1_000..<page * 1_000 + 200)
          list.frame.frame.origin.x = CGFloat(page * 320)
          pager.addSubview(list.frame)
          return list
        }
        await phone.wait(frames: 100)
        #expect(tracker.displayedRows == Set(0..<14))
        #expect(await Phone.waits { Set(seen.value) == Set(0..<14) })
        pager.contentOffset.x = 160
        await phone.turns(2)
        #expect(tracker.displayedRows == Set(0..<14).union(1_000..<1_014))
        pager.contentOffset.x = 640
        await phone.turns(2)
        #expect(tracker.displayedRows == Set(2_000..<2_014))
        await expectRest(phone, tracker)
        withExtendedLifetime(lists) {}
      }

      @Test("The page of a pager in sight has all slots until it is full")
      func pagerSlots() async {
        let phone = Phone()
        let gate = LoadGate<Int, Int>()
        let slots = UpdateSlots(6)
        let trackers = (0..<3).map { _ in
          DisplayTracker<Int, Int>(configuration: phone.configuration { $0.slots = slots }) {
            try await gate.load($0)
          }
        }
        let pager = outer(phone, content: CGSize(width: 960, height: 600))
        let lists = trackers.enumerated().map { page, tracker in
          let list = phone.list(.table, tracker, rows: page * 1_000..<page * 1_000 + 200)
          list.frame.frame.origin.x = CGFloat(page * 320)
          pager.addSubview(list.frame)
          return list
        }
        for _ in 0..<3 {
          await phone.turns()
          #expect(await Phone.waits { gate.log.waiting.count == 6 })
          gate.openAll { $0 }
        }
        await phone.turns()
        // The loads of one wave begin in any order.
        let rows = gate.log.began.map(\.row)
        #expect(Set(0..<14).isSuperset(of: rows.prefix(12)))
        #expect(Set(0..<14).isSubset(of: rows.prefix(18)))
        lists.forEach { $0.stop() }
      }

      @Test("Only the list in sight requests its pages, and the others do once they are in sight")
      func pagerPages() async {
        let phone = Phone()
        let tracker = phone.tracker()
        let pager = outer(phone, content: CGSize(width: 960, height: 600))
        var lists: [RandomList] = []
        var counts: [Box<Int>] = []
        for page in 0..<3 {
          let list = phone.list(.table, tracker, rows: 0..<0)
          list.frame.frame.origin.x = CGFloat(page * 320)
          pager.addSubview(list.frame)
          counts.append(self.page(list) {})
          lists.append(list)
        }
        #expect(await Phone.waits(isTimePassing: true) { counts[0].value == 3 })
        await phone.wait()
        #expect(counts.map(\.value) == [3, 0, 0])
        pager.contentOffset.x = 320
        #expect(await Phone.waits(isTimePassing: true) { counts[1].value == 3 })
        await phone.wait()
        #expect(counts.map(\.value) == [3, 3, 0])
      }

      // MARK: Nested lists

      @Test(
        "Of a table as high as its rows in a scroll view, the rows in sight are displayed",
        arguments: Variant.each)
      func nested(variant: Variant) async {
        let phone = Phone(variant)
        let seen = Log<Int>([])
        let loads = Box(Set<Int>())
        let configuration = phone.configuration { $0.onImpression = { seen.append($0) } }
        let tracker = DisplayTracker<Int, Int>(configuration: configuration) { context in
          loads.change { _ = $0.insert(context.row) }
          return context.row
        }
        let scroll = outer(phone, content: CGSize(width: 320, height: 8_800))
        let list = fullHeight(phone, tracker, in: scroll)
        await phone.wait(frames: 100)
        #expect(tracker.displayedRows == Set(0..<14))
        #expect(await Phone.waits { Set(seen.value) == Set(0..<14) })
        await tracker.waitUntilIdle()
        #expect(loads.value.isSuperset(of: 0..<14) && loads.value.count < 60)
        scroll.contentOffset.y = 440
        await phone.turns(2)
        #expect(tracker.displayedRows == Set(10..<24))
        await expectRest(phone, tracker)
        withExtendedLifetime(list) {}
      }

      @Test("A table that grows with its pages in a scroll view requests those near the screen")
      func nestedPages() async {
        let phone = Phone()
        let scroll = outer(phone, content: CGSize(width: 320, height: 600))
        let list = fullHeight(phone, phone.tracker(), rows: 0..<0, in: scroll)
        let count = page(list) { [weak list] in
          guard let list else { return }
          list.frame.frame.size.height = CGFloat(list.model[0].count * 44)
          list.view.frame = list.frame.bounds
          scroll.contentSize.height = list.view.frame.height
        }
        #expect(await Phone.waits(isTimePassing: true) { count.value == 3 })
        await phone.wait()
        #expect(count.value == 3, "a list without a height has its first page")
        scroll.contentOffset.y = 1_000
        #expect(await Phone.waits(isTimePassing: true) { count.value == 4 })
        await phone.wait()
        #expect(count.value == 4)
      }

      @Test("A fling of the scroll view around a list moves the list, until it settles")
      func outerFling() async {
        let phone = Phone()
        let loads = Box(Set<Int>())
        let configuration = phone.configuration { $0.scrollPolicy = .whenSettled }
        let tracker = DisplayTracker<Int, Int>(configuration: configuration) { context in
          loads.change { _ = $0.insert(context.row) }
          return context.row
        }
        let scroll = outer(phone, content: CGSize(width: 320, height: 8_800))
        let list = fullHeight(phone, tracker, in: scroll)
        await phone.wait()
        await tracker.waitUntilIdle()
        loads.set([])
        scroll.beginDrag()
        for _ in 0..<3 {
          scroll.drag(by: CGPoint(x: 0, y: 20))
          await phone.wait(frames: 1)
        }
        scroll.endDrag(velocity: CGPoint(x: 0, y: 5))
        await phone.wait(frames: 60)
        #expect(tracker.displayedRows.isDisjoint(with: 0..<20))
        #expect(loads.value == [], "rows that pass are not loaded")
        while scroll.isMoving { await phone.wait(frames: 1) }
        #expect(
          await Phone.waits(isTimePassing: true) {
            loads.value.isSuperset(of: list.rowsInSight.keys)
          })
      }

      @Test("The tracking of the scroll view around lists is enough", arguments: Variant.each)
      func outerTracking(variant: Variant) async {
        let phone = Phone(variant)
        let seen = Log<Int>([])
        let tracker = phone.tracker { $0.onImpression = { seen.append($0) } }
        let scroll = outer(phone, content: CGSize(width: 320, height: 8_800))
        let list = fullHeight(phone, tracker, in: scroll)
        list.stop()
        let pages = Box()
        let tracking = ListTracking(scroll, tracker, ids: { Array(0..<200) })
        tracking.pages = [
          Pagination(
            after: 0, load: { $0 ?? 0 },
            receive: { page, _ in
              pages.add()
              return page + 1
            })
        ]
        await phone.wait(frames: 100)
        #expect(tracker.displayedRows == Set(0..<14))
        #expect(await Phone.waits { Set(seen.value) == Set(0..<14) })
        #expect(pages.value == 0)
        scroll.contentOffset.y = 8_200
        await phone.turns(2)
        #expect(tracker.displayedRows == Set(186..<200))
        #expect(await Phone.waits(isTimePassing: true) { pages.value == 1 })
      }

      @Test("Pictures of a carousel in a cell are displayed while both show them")
      func carousels() async {
        for variant in Variant.each {
          let phone = Phone(variant)
          let tracker = phone.tracker()
          let scroll = outer(phone, content: CGSize(width: 320, height: 4_000))
          let carousels = (0..<20).map { number in
            let list = phone.list(.grid, tracker, rows: number * 100..<number * 100 + 6)
            list.frame.frame = CGRect(x: 0, y: number * 200, width: 320, height: 200)
            list.view.frame = list.frame.bounds
            scroll.addSubview(list.frame)
            return list
          }
          await phone.turns()
          #expect(tracker.displayedRows == rows(0..<3, items: 0..<6), "\(variant)")
          // The second lines of the first one, and the first line of the last one.
          scroll.contentOffset.y = 100
          await phone.turns()
          #expect(
            tracker.displayedRows
              == rows(0..<1, items: 3..<6).union(rows(1..<3, items: 0..<6))
              .union(rows(3..<4, items: 0..<3)), "\(variant)")
          withExtendedLifetime(carousels) {}
        }
      }

      private func rows(_ carousels: Range<Int>, items: Range<Int>) -> Set<Int> {
        Set(carousels.flatMap { carousel in items.map { carousel * 100 + $0 } })
      }

      // MARK: Moves without a scroll

      @Test(
        "A drawer displays what is inside the window, and is never covered",
        arguments: Variant.each)
      func drawer(variant: Variant) async {
        let phone = Phone(variant)
        let tracker = phone.tracker()
        let list = phone.list(.table, tracker)
        for (y, rows) in [(0, 14), (300, 7), (600, 0), (900, 0), (560, 1), (0, 14)] {
          list.frame.frame.origin.y = CGFloat(y)
          await phone.turns(2)
          #expect(tracker.displayedRows == Set(0..<rows), "at \(y)")
          #expect(!tracker.core.lists.isSuspended)
          #expect(tracker.core.state.engine.windows.isEmpty == (rows == 0))
        }
        list.frame.frame.origin.y = -308
        await phone.turns(2)
        #expect(tracker.displayedRows == Set(7..<14))
        await expectRest(phone, tracker)
      }

      @Test("A sheet that slides over displays its rows as they come in sight")
      func sheet() async {
        let phone = Phone()
        let tracker = phone.tracker()
        let list = phone.list(.table, tracker)
        for y in stride(from: 600, through: 100, by: -50) {
          list.frame.frame.origin.y = CGFloat(y)
          await phone.wait(frames: 1)
          #expect(tracker.displayedRows == Set(0..<(600 - y + 43) / 44))
        }
      }

      @Test("A layout that moves a list in sight is noticed without another event")
      func movedByLayout() async {
        let phone = Phone()
        let tracker = phone.tracker()
        let stack = Stack(frame: phone.window.bounds)
        phone.window.addSubview(stack)
        let list = phone.list(.table, tracker)
        stack.addSubview(list.frame)
        stack.top = 600
        await phone.turns()
        #expect(tracker.displayedRows == [])
        stack.top = 0
        await phone.turn()
        // The main queue has woken the run loop, which commits once more.
        CATransaction.flush()
        #expect(tracker.displayedRows == Set(0..<14))
      }

      /// A view that places its subviews when it is laid out, as Auto Layout does.
      private final class Stack: UIView {
        var top = 0.0 { didSet { setNeedsLayout() } }

        override func layoutSubviews() {
          super.layoutSubviews()
          for view in subviews { view.frame.origin.y = CGFloat(top) }
        }
      }

      @Test("A rotation displays the rows that the turned window shows")
      func rotation() async {
        let phone = Phone()
        let tracker = phone.tracker()
        let scroll = outer(phone, content: CGSize(width: 320, height: 8_800))
        let list = fullHeight(phone, tracker, in: scroll)
        await phone.turns(2)
        phone.window.frame.size = CGSize(width: 600, height: 320)
        await phone.turns(2)
        #expect(tracker.displayedRows == Set(0..<8))
        scroll.frame = phone.window.bounds
        scroll.contentOffset.y = 44
        await phone.turns(2)
        #expect(tracker.displayedRows == Set(1..<9))
        withExtendedLifetime(list) {}
      }

      @Test("A view that clips cuts a list, and one that does not leaves it in sight")
      func clips() async {
        let phone = Phone()
        let tracker = phone.tracker()
        let list = phone.list(.table, tracker)
        list.frame.frame.size.height = 100
        await phone.turns(2)
        #expect(tracker.displayedRows == Set(0..<14))
        list.frame.clipsToBounds = true
        await phone.turns(2)
        #expect(tracker.displayedRows == Set(0..<3))
      }
    }
  }
#endif
