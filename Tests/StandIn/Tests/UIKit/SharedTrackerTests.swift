#if canImport(UIKit)
  import RowOperationsTesting
  import Testing
  import UIKit

  @testable import RowOperations

  extension StandIn {
    @Suite("Lists that share a tracker")
    @MainActor
    struct SharedTrackerTests {
      /// Two lists side by side or one over the other, with some rows in both.
      private struct Pair {
        let phone: Phone
        let tracker: DisplayTracker<Int, Int>
        let lists: [RandomList]
        /// Whether each list is in the window and not suspended.
        var isShown = [true, true]
        var isSuspended = [false, false]
        var dice: Dice

        @MainActor
        init(seed: UInt64) {
          phone = Phone(Variant(seed: seed), seed: seed)
          tracker = phone.tracker { $0.cached = { $0 % 3 == 0 ? $0 : nil } }
          let kinds: [ListKind] = [.table, .growingTable, .grid]
          dice = Dice(seed: ~seed)
          lists = [
            phone.list(kinds[Int(seed % 3)], tracker, rows: 0..<80),
            phone.list(kinds[Int(seed / 3 % 3)], tracker, rows: 40..<120),
          ]
        }

        @MainActor
        mutating func change() -> String {
          let number = Int.random(in: 0..<2, using: &dice)
          let list = lists[number]
          switch Int.random(in: 0..<6, using: &dice) {
          case 0:
            if isShown[number] {
              list.frame.removeFromSuperview()
            } else {
              phone.window.addSubview(list.frame)
            }
            isShown[number].toggle()
            return "cover \(number)"
          case 1:
            if isSuspended[number] { list.tracking?.resume() } else { list.tracking?.suspend() }
            isSuspended[number].toggle()
            return "suspend \(number)"
          case 2:
            list.model[0].shuffle(using: &dice)
            list.view.reloadData()
            list.tracking?.dataChanged()
            return "reload \(number)"
          case 3:
            list.view.beginDrag()
            list.view.drag(by: CGPoint(x: 0, y: 20))
            list.view.endDrag(velocity: CGPoint(x: 0, y: Double.random(in: -3...3, using: &dice)))
            return "fling \(number)"
          case 4:
            list.view.scroll(
              to: CGPoint(x: 0, y: Double.random(in: 0...3_000, using: &dice)), animated: false)
            return "jump \(number)"
          default:
            tracker.invalidateAll()
            return "invalidate"
          }
        }

        /// Whether each list on screen has a window at its own rows, and the others have none.
        @MainActor
        var hasRightWindows: Bool {
          lists.indices.allSatisfy { number in
            let shown = isShown[number] && !isSuspended[number] ? lists[number].rowsOnScreen : [:]
            // The first list of a tracker has number 1.
            guard let window = tracker.core.books.engine.window(of: number + 1) else {
              return shown.isEmpty
            }
            let rows = window.shown.flatMap { tracker.rows(at: $0, inList: number + 1) }
            return Set(rows) == Set(shown.keys)
          }
        }

        @MainActor
        var rowsOnScreen: Set<Int> {
          var rows: Set<Int> = []
          for (number, list) in lists.enumerated() where isShown[number] && !isSuspended[number] {
            rows.formUnion(list.rowsOnScreen.keys)
          }
          return rows
        }
      }

      @Test("The rows of the lists on screen are displayed, and those of covered lists are not")
      func displays() async {
        for seed in ListSeeds.range {
          var pair = Pair(seed: seed)
          var log: [String] = []
          for _ in 0..<16 {
            log.append(pair.change())
            await pair.phone.wait(frames: 4)
            while pair.lists.contains(where: \.view.isMoving) {
              await pair.phone.wait(frames: 4, of: 40)
            }
            await pair.phone.wait(frames: 3, of: 200)
            if !pair.rowsOnScreen.isEmpty { await pair.tracker.waitUntilIdle() }
            await pair.phone.turns()
            let found =
              pair.tracker.displayedRows == pair.rowsOnScreen
              && pair.tracker.violations().isEmpty
              && pair.rowsOnScreen.allSatisfy { pair.tracker.phase(of: $0).value == $0 }
              && pair.hasRightWindows
            guard found else {
              Issue.record(
                """
                seed \(seed) after \(log): on screen \(pair.rowsOnScreen.sorted()), displayed \
                \(pair.tracker.displayedRows.sorted()), \(pair.tracker.violations())
                """)
              return
            }
          }
        }
      }
    }
  }
#endif
