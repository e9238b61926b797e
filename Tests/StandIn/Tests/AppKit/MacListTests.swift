#if canImport(AppKit)
  import AppKit
  import RowOperationsTesting
  import Testing

  @testable import RowOperations
  @testable import TestSupport

  /// All tests share one main run loop, so they run one after the other.
  @Suite("Lists of AppKit on the stand-in", .serialized, .timeLimit(.minutes(20)))
  @MainActor
  struct MacListTests {
    @Test(
      "After every change the rows on screen are displayed, and no others",
      arguments: RandomMacList.Kind.allCases)
    func displays(kind: RandomMacList.Kind) async {
      for seed in ListSeeds.range {
        let misuses = ReportedMisuses()
        let list = RandomMacList(kind, seed: seed)
        await list.run()
        let violations = list.violations + misuses.texts
        guard violations.isEmpty else {
          Issue.record("\(kind), seed \(seed): \(violations.prefix(3))")
          return
        }
      }
    }

    @Test(
      "Rows that pass under a wheel without a start and an end count as a scroll, which settles")
    func wheel() async {
      let list = RandomMacList(.table, seed: 0, rows: 2_000)
      await list.wait(frames: 3)
      for _ in 0..<30 {
        list.scroll.userScroll(by: 400, isLegacy: true)
        await list.wait(frames: 2)
        #expect(list.tracker.core.state.engine.gate.isMoving)
      }
      await list.wait(frames: 30)
      // The timer of the quiet time may come to the main thread late.
      await until { !list.tracker.core.state.engine.gate.isMoving }
    }

    @Test("A deleted row that fades out is displayed no longer")
    func fadingRow() async {
      let list = RandomMacList(.table, seed: 0)
      MainLoop.variant.deletedCellsStay = true
      await list.wait(frames: 3)
      list.delete(2, in: 0)
      await list.turn()
      await list.turn()
      #expect(!list.tracker.displayedRows.contains(2) && list.tracker.displayedRows.contains(3))
    }

    @Test("A deep view that the app takes out of a list is displayed no longer")
    func removedView() async throws {
      let list = RandomMacList(.table, seed: 0)
      let table = try #require(list.scroll.documentView)
      let box = NSView(frame: CGRect(x: 0, y: 200, width: 320, height: 100))
      let label = NSTextField(labelWithString: "")
      label.frame = CGRect(x: 0, y: 0, width: 320, height: 20)
      box.addSubview(label)
      table.addSubview(box)
      list.tracker.bind(label, to: 5_000) { $0.stringValue = "\($1.value ?? -1)" }
      await list.wait(frames: 3)
      #expect(list.tracker.displayedRows.contains(5_000))
      label.removeFromSuperview()
      await list.wait(frames: 3)
      #expect(!list.tracker.displayedRows.contains(5_000))
    }

    @Test("Contents take no part in the animation that lays a list out")
    func animation() async {
      // Rows come back without a call for a view, with an older content.
      let list = RandomMacList(.table, seed: 0)
      MainLoop.variant.preparedAhead = 3
      await list.wait(frames: 3)
      list.scroll.contentView.scroll(to: 120)
      await list.wait(frames: 3)
      for row in 0..<3 { list.tracker.setValue(row, for: row) }
      await list.wait(frames: 3)
      var durations: [Double] = []
      list.whileRendering = { durations.append(NSAnimationContext.current.duration) }
      NSAnimationContext.runAnimationGroup { context in
        context.duration = 0.3
        list.scroll.contentView.scroll(to: 0)
        list.window.layoutIfNeeded()
      }
      #expect(durations.count == 3 && durations.allSatisfy { $0 == 0 })
    }

    @Test("A scroll view around a list cuts it, and moves it in and out of sight")
    func nested() async {
      let list = RandomMacList(.table, seed: 0)
      await list.wait(frames: 3)
      #expect(list.tracker.displayedRows == Set(0..<15))
      list.stage.contentView.scroll(to: 300)
      await list.wait(frames: 3)
      #expect(list.tracker.displayedRows == Set(7..<15))
      #expect(list.tracker.visibleShare(of: 7) == 0.5 && list.tracker.visibleShare(of: 8) == 1)
      list.stage.contentView.scroll(to: 600)
      await list.wait(frames: 3)
      #expect(list.tracker.displayedRows == [] && !list.tracker.core.lists.isSuspended)
      #expect(list.tracker.visibleShare(of: 7) == 0)
      list.scroll.frame.origin.y = 1_100
      await list.wait(frames: 3)
      #expect(list.tracker.displayedRows == Set(0..<3))
    }

    @Test("A hidden list keeps its loads", arguments: RandomMacList.Kind.allCases)
    func hiddenList(kind: RandomMacList.Kind) async {
      let gate = LoadGate<Int, Int>()
      // Of an odd seed, most rows are not cached.
      let list = RandomMacList(kind, seed: 1) { try await gate.load($0) }
      MainLoop.variant.emptiesHiddenLists = false
      await list.wait(frames: 3)
      let runs = list.tracker.core.state.engine.runs.count
      #expect(runs > 0)
      await until { gate.log.waiting.count == runs }
      let rows = list.tracker.displayedRows
      list.scroll.isHidden = true
      await list.wait(frames: 60)
      #expect(list.tracker.displayedRows == [])
      list.scroll.isHidden = false
      await list.wait(frames: 3)
      #expect(list.tracker.displayedRows == rows)
      #expect(gate.log.cancelled == [] && gate.log.began.count == runs)
      gate.openAll { $0 }
    }

    @Test(
      "A cell that is hidden for a while is displayed again", arguments: RandomMacList.Kind.allCases
    )
    func hiddenCell(kind: RandomMacList.Kind) async throws {
      let list = RandomMacList(kind, seed: 0)
      await list.wait(frames: 3)
      let rows = list.tracker.displayedRows
      let view: NSView?
      switch kind {
      case .table:
        let table = list.scroll.documentView as? NSTableView
        view = table?.view(atColumn: 0, row: 3, makeIfNecessary: false)
      case .collection:
        view = (list.scroll.documentView as? NSCollectionView)?.item(at: [1, 3])?.view
      }
      let cell = try #require(view)
      cell.isHidden = true
      await list.wait(frames: 3)
      #expect(list.tracker.displayedRows == rows.subtracting([kind == .table ? 3 : 103]))
      cell.isHidden = false
      await list.wait(frames: 3)
      #expect(list.tracker.displayedRows == rows)
    }

    @Test("A scroll by hand of the scroll view around a list moves the list")
    func outerScroll() async {
      let list = RandomMacList(.table, seed: 0)
      await list.wait(frames: 3)
      list.stage.userScroll(by: 50, isLegacy: false)
      await list.wait(frames: 1)
      #expect(list.tracker.core.state.engine.gate.isMoving)
      list.stage.endUserScroll()
      await list.wait(frames: 1)
      #expect(!list.tracker.core.state.engine.gate.isMoving)
    }

    @Test("A view without a size is displayed while it is in sight")
    func emptyView() async throws {
      let list = RandomMacList(.table, seed: 0)
      let table = try #require(list.scroll.documentView)
      let label = NSTextField(labelWithString: "")
      table.addSubview(label)
      list.tracker.bind(label, to: 5_000) { $0.stringValue = "\($1.value ?? -1)" }
      await list.wait(frames: 3)
      #expect(list.tracker.displayedRows.contains(5_000))
      list.stage.contentView.scroll(to: 700)
      await list.wait(frames: 3)
      #expect(list.tracker.displayedRows == [])
    }

    @Test("A layout by code is no scroll")
    func noScroll() async {
      let list = RandomMacList(.table, seed: 0)
      await list.wait(frames: 3)
      list.scroll.contentView.scroll(to: 400)
      await list.wait(frames: 1)
      #expect(!list.tracker.core.state.engine.gate.isMoving)
    }
  }
#endif
