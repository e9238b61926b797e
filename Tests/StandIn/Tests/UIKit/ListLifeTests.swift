#if canImport(UIKit)
  import Testing

  @testable import RowOperations
  @testable import TestSupport
  @testable import UIKit

  extension StandIn {
    @Suite("The life of a list")
    @MainActor
    struct ListLifeTests {
      @MainActor
      private final class Remains {
        weak var list: RandomList?
        weak var view: UIView?
        weak var tracking: ListTracking?
        weak var sentinel: ListSentinel?
        weak var tracker: DisplayTracker<Int, Int>?
        weak var cell: UIView?

        var names: [String] {
          var names: [String] = []
          if list != nil { names.append("list") }
          if view != nil { names.append("view") }
          if tracking != nil { names.append("tracking") }
          if sentinel != nil { names.append("sentinel") }
          if tracker != nil { names.append("tracker") }
          if cell != nil { names.append("cell") }
          return names
        }
      }

      private func live(
        _ kind: ListKind, seed: UInt64, isStopped: Bool, _ server: RowServer
      ) async -> Remains {
        let phone = Phone(Variant(seed: seed), seed: seed)
        let remains = Remains()
        let tracker = server.tracker(phone.clock)
        let list = phone.list(kind, tracker)
        await phone.turns()
        list.view.scroll(to: CGPoint(x: 0, y: 900), animated: false)
        await phone.turns()
        await until {
          server.answer()
          return tracker.core.isIdle
        }
        (remains.list, remains.view, remains.tracking) = (list, list.view, list.tracking)
        (remains.sentinel, remains.tracker) = (list.tracking?.sentinel, tracker)
        remains.cell = list.view.shown.values.first
        if isStopped { list.stop() }
        list.frame.removeFromSuperview()
        await phone.turns()
        return remains
      }

      @Test(
        "A list in no window is released with its tracking, its cells, its tracker and its streams",
        arguments: ListKind.allCases)
      func released(kind: ListKind) async {
        for seed in 0..<20 as Range<UInt64> {
          for source in RowSource.allCases {
            let server = RowServer(source, seed: seed)
            let remains = await live(kind, seed: seed, isStopped: seed % 2 == 0, server)
            _ = await Phone.waits {
              remains.names.isEmpty && server.streams.log.open.isEmpty
            }
            #expect(remains.names == [], "seed \(seed), \(source)")
            #expect(server.streams.log.open == [], "seed \(seed), \(source)")
          }
        }
      }

      @Test("A list that goes on with another tracker reports nothing to the first one")
      func otherTracker() async {
        let phone = Phone()
        let (old, new) = (phone.tracker(), phone.tracker())
        let list = phone.list(.table, old)
        await phone.turns()
        list.stop()
        #expect(list.view.panGestureRecognizer.targets.isEmpty)
        ListTracking(list.view, new, ids: { Array(0..<100) })
        list.view.visit { cell, path in
          new.bind(cell, to: path.row) { $0.tag = $1.value ?? -1 }
        }
        await phone.turns()
        #expect(old.displayedRows == [])
        #expect(new.displayedRows == Set(list.rowsOnScreen.keys))
      }

      @Test("Two trackings of one list serve trackers with rows of different types")
      func rowsOfTwoTypes() async {
        let phone = Phone()
        let loads = Box()
        var configuration = TrackerConfiguration<String, Int>()
        configuration.clock = phone.clock
        let statuses = phone.tracker()
        let avatars = DisplayTracker(configuration: configuration) { context in
          loads.add()
          return context.row.count
        }
        let list = phone.list(.table, statuses)
        ListTracking(list.view, avatars, ids: { (0..<100).map { "\($0 % 3)" } })
        for offset in [0.0, 900] {
          list.view.scroll(to: CGPoint(x: 0, y: offset), animated: false)
          await phone.turns()
          list.view.visit { cell, path in avatars.bind(cell, to: "\(path.row % 3)") { _, _ in } }
          await phone.turns()
          #expect(avatars.displayedRows == ["0", "1", "2"])
          #expect(statuses.displayedRows == Set(list.rowsOnScreen.keys))
        }
        await avatars.waitUntilIdle()
        #expect(loads.value == 3, "cells that show one row share its load")
        list.stop()
        await phone.turns()
        #expect(statuses.displayedRows == [])
        #expect(avatars.displayedRows == ["0", "1", "2"], "each tracking ends by itself")
      }
    }
  }

  extension _TiledView {
    fileprivate func visit(_ body: (UIView, IndexPath) -> Void) {
      for (path, cell) in cellsOnScreen { body(cell, path) }
    }
  }
#endif
