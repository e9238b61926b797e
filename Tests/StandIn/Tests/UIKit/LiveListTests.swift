#if canImport(UIKit)
  import RowOperationsTesting
  import Testing
  import UIKit

  @testable import RowOperations
  @testable import TestSupport

  extension StandIn {
    @Suite("Live rows and batches in lists")
    @MainActor
    struct LiveListTests {
      @Test(
        "A table of 200 live rows listens to the rows on screen, and to no others",
        arguments: Variant.each)
      func liveTable(variant: Variant) async {
        let phone = Phone(variant)
        let gate = StreamGate<Int, Int>()
        let tracker = DisplayTracker(
          configuration: phone.configuration(), update: { $0.row },
          updates: { gate.updates($0) })
        let list = phone.list(.table, tracker, rows: 0..<200)
        let listens = { (rows: Set<Int>) in
          #expect(tracker.displayedRows == rows)
          await phone.wait()
          #expect(await Phone.waits { Set(gate.log.open) == rows })
          #expect(tracker.metrics.live == rows.count)
        }
        await phone.turns()
        await listens(Set(0..<14))

        list.view.scroll(to: CGPoint(x: 0, y: 440), animated: false)
        await phone.turns()
        await listens(Set(10..<24))

        list.view.beginDrag()
        list.view.drag(by: CGPoint(x: 0, y: 8))
        await phone.wait(frames: 1)
        list.view.endDrag(velocity: CGPoint(x: 0, y: 3))
        while list.view.isMoving { await phone.wait(frames: 1) }
        await phone.wait()
        let landed = Set(list.rowsOnScreen.keys)
        #expect(landed.isDisjoint(with: 0..<24))
        await listens(landed)

        for row in landed { gate.send(row + 1_000, to: row) }
        #expect(
          await Phone.waits(isTimePassing: true) {
            list.rowsOnScreen.allSatisfy { $1.tag == $0 + 1_000 }
          })

        list.frame.removeFromSuperview()
        await phone.turns()
        await listens([])
        phone.window.addSubview(list.frame)
        await phone.turns()
        await listens(landed)
      }

      @Test(
        "A table whose rows load in batches has one request for a screen", arguments: Variant.each)
      func batchedTable(variant: Variant) async {
        let phone = Phone(variant)
        let gate = BatchGate<Int, Int>()
        let configuration = phone.configuration {
          $0.slots = UpdateSlots(1)
          $0.prefetchWindow.limit = 0
        }
        let tracker = DisplayTracker(configuration: configuration, batchesOf: 50) {
          try await gate.load($0)
        }
        let list = phone.list(.table, tracker, rows: 0..<200)
        await phone.turns()
        #expect(await Phone.waits { gate.log.waiting.map(Set.init) == [Set(0..<14)] })

        // Ten rows leave the first batch, which goes on for the others.
        list.view.scroll(to: CGPoint(x: 0, y: 440), animated: false)
        await phone.wait()
        #expect(gate.log.cancelled == [])
        gate.answerAll { $0 }
        #expect(await Phone.waits { gate.log.waiting.map(Set.init) == [Set(14..<24)] })

        // No row of the second batch stays.
        list.view.scroll(to: CGPoint(x: 0, y: 4_400), animated: false)
        await phone.wait()
        #expect(await Phone.waits { gate.log.waiting.map(Set.init) == [Set(100..<114)] })
        #expect(gate.log.cancelled.map(Set.init) == [Set(14..<24)])
        gate.answerAll { $0 }
        #expect(await Phone.waits { tracker.core.isIdle })
        await phone.turns()
        #expect(list.rowsOnScreen.count == 14)
        #expect(list.rowsOnScreen.allSatisfy { $1.tag == $0 })

        list.view.scroll(to: .zero, animated: false)
        await phone.turns()
        #expect(await Phone.waits { tracker.core.isIdle })
        #expect(gate.log.began.count == 3, "the rows that left have kept their values")
        #expect(list.rowsOnScreen.allSatisfy { $1.tag == $0 })
      }
    }
  }
#endif
