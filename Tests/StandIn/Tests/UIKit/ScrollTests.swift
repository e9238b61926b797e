#if canImport(UIKit)
  import Network
  import RowOperationsTesting
  @testable import TestSupport
  import Testing
  import UIKit

  @testable import RowOperations

  extension StandIn {
    @Suite("Scrolling lists")
    @MainActor
    struct ScrollTests {
      private static let seeds = Array(0..<12 as Range<UInt64>)

      @Test(
        "The rows on which a fling lands are claimed when the finger lifts",
        arguments: ListKind.allCases)
      func landings(kind: ListKind) async {
        for seed in Self.seeds {
          var variant = Variant(seed: seed)
          variant.bounces = false
          let phone = Phone(variant, seed: seed)
          let landed = Log<Int>([])
          let tracker = phone.tracker {
            $0.onEvent = { if case .landing = $0.kind { landed.append($0.row) } }
          }
          let list = phone.list(kind, tracker, rows: 0..<400)
          await phone.turns()
          await tracker.waitUntilIdle()
          await phone.turns()
          list.view.beginDrag()
          for _ in 0..<3 {
            list.view.drag(by: CGPoint(x: 0, y: 8))
            await phone.wait(frames: 1)
          }
          list.view.endDrag(velocity: CGPoint(x: 0, y: 1 + Double(seed % 7) / 5))
          let expected = landed.value
          while list.view.isMoving { await phone.wait(frames: 4, of: 40) }
          await phone.turns()
          let resting = list.view.cellsOnScreen.keys.filter { kind != .sections || $0.section > 0 }
            .map { list.model[$0.section][$0.item] }
          // Rows that size themselves may turn out taller.
          let known = kind == .growingTable ? resting.filter { $0 < 14 } : resting
          #expect(Set(expected).isSuperset(of: known), "seed \(seed)")
          #expect(expected.count <= resting.count + 8, "seed \(seed)")
        }
      }

      @Test("A drag, a fling, a catch and an animated scroll settle, in every variant")
      func settles() async {
        for seed in Self.seeds {
          let phone = Phone(Variant(seed: seed), seed: seed)
          let tracker = phone.tracker()
          let list = phone.list(.table, tracker, rows: 0..<400)
          await phone.turns()
          var isMoving: Bool { tracker.core.state.engine.gate.isMoving }
          list.view.beginDrag()
          list.view.drag(by: CGPoint(x: 0, y: 40))
          await phone.wait(frames: 1)
          #expect(isMoving, "drag, seed \(seed)")
          list.view.endDrag(velocity: CGPoint(x: 0, y: 3))
          await phone.wait(frames: 10)
          #expect(isMoving, "fling, seed \(seed)")
          list.view.catchIt()
          await phone.wait(frames: 15)
          // The timer of the quiet time may come to the main thread late.
          await until { !isMoving }
          list.view.scroll(to: CGPoint(x: 0, y: 4_000), animated: true)
          await phone.wait(frames: 10)
          #expect(isMoving, "animation, seed \(seed)")
          await phone.wait(frames: 30)
          await until { !isMoving }
        }
      }

      @Test("A paged list lands on its next page")
      func pages() async {
        let phone = Phone()
        let landed = Log<Int>([])
        let tracker = phone.tracker {
          $0.onEvent = { if case .landing = $0.kind { landed.append($0.row) } }
        }
        let list = phone.list(.table, tracker, rows: 0..<100)
        list.view.isPagingEnabled = true
        await phone.turns()
        list.view.beginDrag()
        list.view.drag(by: CGPoint(x: 0, y: 20))
        await phone.wait(frames: 1)
        list.view.endDrag(velocity: CGPoint(x: 0, y: 0.5))
        // The second page of 600 points, with rows of 44.
        #expect(landed.value == Array(13..<28))
        while list.view.isMoving { await phone.wait(frames: 1) }
        #expect(Set(landed.value).isSuperset(of: list.rowsOnScreen.keys))
      }

      @Test("An app that reports the exact landing has the last word")
      func exactLanding() async {
        let phone = Phone()
        let landed = Log<Int>([])
        let tracker = phone.tracker {
          $0.onEvent = { if case .landing = $0.kind { landed.append($0.row) } }
        }
        let list = phone.list(.table, tracker, rows: 0..<100)
        await phone.turns()
        list.view.beginDrag()
        list.view.drag(by: CGPoint(x: 0, y: 20))
        await phone.wait(frames: 1)
        list.tracking?.willEndDragging(to: CGPoint(x: 0, y: 440))
        list.view.endDrag(velocity: CGPoint(x: 0, y: 2))
        #expect(landed.value == Array(10..<24))
      }

      // MARK: Prefetching

      @Test("The rows ahead are those of the next items, in lists with ids and without")
      func prefetches() async {
        for seed in Self.seeds {
          let phone = Phone(Variant(seed: seed), seed: seed)
          let prefetched = Log<Int>([])
          let tracker = phone.tracker {
            $0.onEvent = { if case .prefetched = $0.kind { prefetched.append($0.row) } }
          }
          let list = phone.list(.tableWithHeaders, tracker, rows: 1_000..<1_100)
          guard let table = list.view as? UITableView else { return }
          if seed % 2 == 0 {
            list.stop()
            ListTracking(
              table, tracker,
              row: { path in
                list.model[path.section].indices.contains(path.row)
                  ? list.model[path.section][path.row] : nil
              })
          }
          await phone.turns()
          list.view.contentOffset.y = 2_000
          await phone.turns()
          let last = list.rowsOnScreen.keys.max() ?? 0
          #expect(Set(prefetched.value).isSuperset(of: last + 1...last + 10), "seed \(seed)")
          #expect(prefetched.value.allSatisfy { $0 >= 1_000 && $0 < 1_100 })
        }
      }

      @Test("Low Data Mode stops prefetching, and its end begins it again")
      func lowDataMode() async {
        let phone = Phone()
        let prefetched = Log<Int>([])
        let tracker = phone.tracker {
          $0.onEvent = { if case .prefetched = $0.kind { prefetched.append($0.row) } }
        }
        NWPathMonitor.send(NWPath(isConstrained: true))
        defer { NWPathMonitor.send(NWPath()) }
        let list = phone.list(.table, tracker, rows: 0..<100)
        await phone.turns()
        #expect(prefetched.value == [])
        NWPathMonitor.send(NWPath())
        list.view.setNeedsLayout()
        await phone.turns()
        #expect(!prefetched.value.isEmpty)
      }
    }
  }
#endif
