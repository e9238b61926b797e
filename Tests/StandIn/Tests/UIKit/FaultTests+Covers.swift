#if canImport(UIKit)
  import RowOperationsTesting
  import Testing
  import UIKit

  @testable import RowOperations
  @testable import TestSupport

  extension StandIn.FaultTests {
    @Test(
      "Rows on screen load before those of a covered list with the same tracker",
      arguments: Variant.each)
    func coveredListOfSharedTracker(variant: Variant) async {
      let phone = Phone(variant)
      let gate = LoadGate<Int, Int>()
      let configuration = phone.configuration { $0.slots = UpdateSlots(2) }
      let tracker = DisplayTracker(configuration: configuration) { try await gate.load($0) }
      let hidden = phone.list(.table, tracker, rows: 0..<8)
      await phone.turns()
      await gate.waitForLoads([0, 1])
      hidden.frame.removeFromSuperview()
      let visible = phone.list(.table, tracker, rows: 20..<28)
      await phone.turns()
      #expect(tracker.displayedRows == Set(20..<28))
      await until {
        gate.openAll { $0 }
        return tracker.displayedRows.allSatisfy { tracker.phase(of: $0).value != nil }
      }
      #expect(Set(gate.log.began.map(\.row)) == Set(20..<28).union([0, 1]), "no others start")
      hidden.stop()
      visible.stop()
    }

    @Test(
      "Rows that a covered list showed for a tenth of a second are no impressions",
      arguments: Variant.each)
    func coveredImpressions(variant: Variant) async {
      let phone = Phone(variant)
      let seen = Log<Int>([])
      let tracker = phone.tracker {
        $0.impressionTime = .seconds(1)
        $0.onImpression = { seen.append($0) }
      }
      let hidden = phone.list(.table, tracker, rows: 0..<8)
      await phone.wait(frames: 6)
      hidden.frame.removeFromSuperview()
      let visible = phone.list(.table, tracker, rows: 20..<28)
      await phone.wait(frames: 100)
      // The timer of an impression may come to the main thread late.
      #expect(await Phone.waits { Set(seen.value) == Set(20..<28) })
      visible.frame.removeFromSuperview()
      phone.window.addSubview(hidden.frame)
      await phone.wait(frames: 100)
      #expect(await Phone.waits { Set(seen.value) == Set(20..<28).union(0..<8) })
    }

    @Test(
      "The background and the return of another scene leave a list alone",
      arguments: Variant.each)
    func foreignScene(variant: Variant) async throws {
      let phone = Phone(variant)
      let tracker = phone.tracker()
      let list = phone.list(.table, tracker, rows: 0..<8)
      await phone.turns()
      let other = UIApplication.shared.connectScene()
      UIApplication.shared.enterBackground(other)
      #expect(tracker.displayedRows == Set(0..<8))
      UIApplication.shared.enterBackground(try #require(phone.window.windowScene))
      UIApplication.shared.enterForeground(other)
      await phone.turns()
      #expect(tracker.displayedRows == [])
      UIApplication.shared.disconnect(other)
      withExtendedLifetime(list) {}
    }

    @Test(
      "A list in the background keeps the values of its cells, whatever they cost",
      arguments: Variant.each)
    func backgroundKeepsValues(variant: Variant) async {
      let phone = Phone(variant)
      let tracker = phone.tracker { $0.retention = .cost(limit: 1) { _ in 100 } }
      let list = phone.list(.table, tracker, rows: 0..<8)
      await phone.turns()
      await tracker.waitUntilIdle()
      if let scene = phone.window.windowScene { UIApplication.shared.enterBackground(scene) }
      UIApplication.shared.sendMemoryWarning()
      await phone.wait()
      #expect((0..<8).allSatisfy { tracker.phase(of: $0).value == $0 })
      #expect(tracker.displayedRows == [])
      withExtendedLifetime(list) {}
    }

    @Test(
      "A list that moves from a scene in the background to one in the foreground is displayed",
      arguments: Variant.each)
    func otherScene(variant: Variant) async throws {
      let phone = Phone(variant)
      let tracker = phone.tracker()
      let list = phone.list(.table, tracker, rows: 0..<8)
      await phone.turns()
      UIApplication.shared.enterBackground(try #require(phone.window.windowScene))
      await phone.turns()
      #expect(tracker.displayedRows == [])
      let other = Phone(variant)
      other.window.addSubview(list.frame)
      await other.turns()
      #expect(tracker.displayedRows == Set(0..<8))
      phone.window.addSubview(list.frame)
      await other.turns()
      #expect(tracker.displayedRows == [], "that scene is still in the background")
    }

    @Test("A hidden list displays nothing", arguments: [false, true])
    func hidden(isAncestor: Bool) async {
      let phone = Phone()
      let tracker = phone.tracker()
      let list = phone.list(.table, tracker, rows: 0..<8)
      let view = isAncestor ? list.frame : list.view
      await phone.turns()
      view.isHidden = true
      await phone.turns()
      #expect(tracker.displayedRows == [])
      view.isHidden = false
      await phone.turns()
      #expect(tracker.displayedRows == Set(0..<8))
    }
  }
#endif
