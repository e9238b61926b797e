#if canImport(UIKit)
  import RowOperationsTesting
  import Testing
  import UIKit

  @testable import RowOperations
  @testable import TestSupport

  extension StandIn.SightTests {
    // MARK: Windows

    @Test("A list in a hidden window is covered", arguments: Variant.each)
    func hiddenWindow(variant: Variant) async {
      let phone = Phone(variant)
      let (seen, loads) = (Log<Int>([]), Box())
      let configuration = phone.configuration { $0.onImpression = { seen.append($0) } }
      let tracker = DisplayTracker<Int, Int>(configuration: configuration) { context in
        loads.add()
        return context.row
      }
      let list = phone.list(.table, tracker, rows: 0..<14)
      await phone.turns()
      await tracker.waitUntilIdle()
      phone.window.isHidden = true
      await phone.turns()
      #expect(tracker.displayedRows == [])
      let before = loads.value
      tracker.invalidateAll()
      await phone.wait(frames: 100)
      #expect(seen.value == [] && loads.value == before)
      #expect(tracker.core.lists.isSuspended)
      phone.window.isHidden = false
      await phone.turns()
      #expect(tracker.displayedRows == Set(0..<14))
      await tracker.waitUntilIdle()
      #expect(loads.value == before + 14)
      withExtendedLifetime(list) {}
    }

    @Test("A list that moves between windows follows the one that it is in")
    func otherWindow() async {
      let phone = Phone()
      let tracker = phone.tracker()
      let list = phone.list(.table, tracker)
      await phone.turns()
      let small = UIWindow(frame: CGRect(x: 0, y: 0, width: 320, height: 220))
      small.windowScene = phone.window.windowScene
      list.frame.removeFromSuperview()
      small.addSubview(list.frame)
      #expect(tracker.core.lists.isSuspended, "nothing resumes in between")
      await phone.turns()
      #expect(tracker.displayedRows == [], "its window is hidden")
      small.isHidden = false
      await phone.turns()
      #expect(tracker.displayedRows == Set(0..<5))
      let scroll = outer(phone, content: CGSize(width: 320, height: 1_200))
      scroll.addSubview(list.frame)
      scroll.contentOffset.y = 440
      await phone.turns()
      #expect(tracker.displayedRows == Set(10..<14))
      list.frame.removeFromSuperview()
      scroll.contentOffset.y = 0
      small.isHidden = true
      await phone.turns()
      #expect(tracker.displayedRows == [])
    }

    // MARK: Bad input

    @Test("Lists without a size, with transforms and with strange insets show what is in sight")
    func strangeLists() async {
      let phone = Phone()
      let tracker = phone.tracker()
      let list = phone.list(.table, tracker)
      let expect = { (rows: Range<Int>, name: String) in
        await phone.turns(2)
        #expect(tracker.displayedRows == Set(rows), "\(name)")
      }
      list.view.frame.size.height = 0
      await expect(0..<0, "no height")
      list.view.frame.size.height = 600
      await expect(0..<14, "a height")
      list.view.transform = AffineTransform(scaleByX: 0, byY: 0)
      await expect(0..<0, "no scale")
      list.view.transform = AffineTransform(scaleByX: 1, byY: -1)
      await expect(0..<14, "upside down")
      list.frame.frame.origin.y = -300
      await expect(0..<7, "upside down, the upper half cut")
      list.frame.frame.origin.y = 0
      list.view.transform = AffineTransform(rotationByDegrees: 90)
      await expect(3..<11, "a wide table in a narrow window")
      list.view.transform = AffineTransform(scaleByX: 0.5, byY: 0.5)
      list.frame.frame.origin.y = 300
      await expect(0..<7, "at half its size, from 450 points to 750")
      list.view.transform = .identity
      list.frame.frame.origin.y = 0
      list.frame.transform = AffineTransform(scaleByX: 0, byY: 1)
      await expect(0..<0, "in a view without a width")
      #expect(tracker.core.state.engine.windows.isEmpty)
      list.frame.transform = .identity
      list.view.frame.origin.y = -.greatestFiniteMagnitude
      await expect(0..<0, "far away")
      list.view.frame.origin.y = 0
      list.view.contentOffset.y = -700
      await expect(0..<0, "pulled beyond its rows")
      list.view.contentOffset.y = -100
      await expect(0..<12, "pulled")
      await expectRest(phone, tracker)
    }

    @Test("One list that is tracked twice, also around itself, displays its rows once")
    func trackedTwice() async {
      let phone = Phone()
      let tracker = phone.tracker()
      let scroll = outer(phone, content: CGSize(width: 320, height: 8_800))
      let list = fullHeight(phone, tracker, in: scroll)
      let trackings = [scroll, list.view].map { view in
        ListTracking(view, tracker, ids: { Array(0..<200) })
      }
      for y in [0, 440, 8_200] {
        scroll.contentOffset.y = CGFloat(y)
        await phone.turns(2)
        #expect(tracker.displayedRows == Set(y / 44..<min(y / 44 + 14 + y % 2, 200)))
      }
      trackings.forEach { $0.stop() }
    }
  }
#endif
