#if canImport(UIKit)
  import Proofs
  import RowOperationsTesting
  @testable import TestSupport
  import UIKit

  @testable import RowOperations

  /// Random lists on one tracker in a random variant of UIKit, changed step by step.
  ///
  /// Several lists lie one over the other in a window, and have half of their rows in common.
  @MainActor
  final class ListTrial {
    let variant: Variant
    private(set) var violations: [String] = []
    let server: RowServer
    let phone: Phone
    var dice: Dice
    var window: UIWindow
    let kinds: [ListKind]
    var lists: [RandomList] = []
    /// The list that changes.
    var current = 0
    var list: RandomList { lists[current] }
    let tracker: DisplayTracker<Int, Int>
    private let misuses = ReportedMisuses()
    private let recording: RecordedInputs
    private var log: [String] = []
    /// Whether the naive model checks the decisions of the tracker.
    let isCompared: Bool

    init(_ kinds: [ListKind], seed: UInt64) {
      self.kinds = kinds
      server = RowServer(RowSource(seed: seed), seed: seed)
      // Lists alone are more numerous than pairs, and the model is slow. It knows the claims of a
      // window at the end of a turn, and the end of a batch sees those in between.
      isCompared = (kinds.count > 1 || seed % 3 == 0) && server.source != .batches
      dice = Dice(seed: seed)
      variant = seed == 0 ? Variant() : Variant(seed: seed)
      phone = Phone(variant, seed: ~seed)
      window = phone.window
      tracker = server.tracker(phone.clock, withLanes: !isCompared)
      recording = RecordedInputs(of: tracker)
      for kind in kinds { add(kind) }
    }

    func add(_ kind: ListKind) {
      let sections = Int.random(in: 1...3, using: &dice)
      let rows = dice.chance(0.5) ? 200 : Int.random(in: 1...30, using: &dice)
      let list = RandomList(kind, tracker, sections: sections, rows: rows)
      list.rowOfValue = { [server] in server.newestRow(of: $0) }
      if !lists.isEmpty { list.shiftIDs(by: sections * rows / 2) }
      list.laysOutCells = dice.chance(0.3)
      list.surround(by: dice.chance(0.5) ? 0 : Int.random(in: 1...3, using: &dice))
      window.addSubview(list.frame)
      lists.append(list)
    }

    func run() async {
      await settle("first layout")
      for _ in 0..<12 where violations.isEmpty {
        var name = change()
        if server.source == .batches {
          // While rows load, others take their places.
          await passTime()
          name += " and " + change()
        } else if kinds.count > 1, dice.chance(0.5) {
          // While one list moves, another one may leave.
          MainLoop.turn()
          name += " and " + change()
        }
        await settle(name)
      }
      await checkRest()
      await checkEnd()
      // On a busy machine, bodies begin late, and all slots may wait for cancelled ones.
      violations += misuses.texts(except: .ignoredCancellation)
      if violations.isEmpty, isCompared { compare() }
    }

    // MARK: Settling

    func settle(_ name: String) async {
      log.append(name)
      MainLoop.turn()
      await hop()
      var frames = 0
      while lists.contains(where: \.isMoving), frames < 1_000 {
        frames += 1
        MainLoop.frame(milliseconds: 32)
        await serve()
        await hop()
      }
      await passTime()
      await checkRunningBatches()
      await waitUntilIdle()
      for _ in 0..<2 {
        MainLoop.turn(isWhole: true)
        await hop()
      }
      await waitUntilIdle()
      await checkStreams()
      check()
    }

    /// Lets the quiet time and the grace pass.
    private func passTime() async {
      for _ in 0..<3 {
        MainLoop.frame(milliseconds: 200)
        await hop()
      }
    }

    func hop() async { await Phone.mainQueue() }

    private func waitUntilIdle() async {
      if server.source == .batches { return await checkAnswers() }
      if lists.contains(where: isOnScreen) { await tracker.waitUntilIdle() }
    }

    func complain(_ text: String) { violations.append("after \(log): \(text)") }

    /// Whether a list is on the screen of an app in the foreground.
    func isOnScreen(_ list: RandomList) -> Bool {
      list.view.window != nil && !list.view.isHidden && !list.frame.isHidden && !list.isSuspended
        && !window.isHidden && window.windowScene?.activationState != .background
    }

    private func check() {
      var onScreen: Set<Int> = []
      for list in lists where isOnScreen(list) {
        let rows = list.rowsInSight
        onScreen.formUnion(rows.keys)
        for (row, cell) in rows where server.newestRow(of: cell.tag) != row {
          complain("row \(row) shows \(cell.tag)")
        }
      }
      let displayed = tracker.displayedRows
      if displayed != onScreen {
        let missing = onScreen.subtracting(displayed).sorted()
        let extra = displayed.subtracting(onScreen).sorted()
        complain("not displayed \(missing), wrongly displayed \(extra)")
      }
      checkWindows()
      let wrongRows = lists.reduce(0) { $0 + $1.wrongRows }
      if wrongRows > 0 { complain("\(wrongRows) wrong rows") }
      violations += tracker.audit().map { "after \(log): \($0)" }
    }

    /// Checks that each list on screen has a window at its own rows, and no other list has one.
    private func checkWindows() {
      // The positions of a list are unknown while it moves an item.
      let isUnsettled = { (list: RandomList) in
        list.view.isReordering || list.view.dropPlaceholder != nil || list.isCutInside
      }
      guard !lists.contains(where: isUnsettled) else { return }
      let windows = Dictionary(grouping: tracker.core.state.engine.windows, by: \.key.list)
      let windowed = windows.values.map { windows in
        // Windows of a list may overlap beside what they show.
        let ids = windows.flatMap { window in window.shown.flatMap { window[$0].rows } }
        return Set(ids.compactMap { tracker.store.rows[$0] }).sorted()
      }
      let shown = lists.filter(isOnScreen).map { $0.rowsInSight.keys.filter { $0 >= 0 }.sorted() }
        .filter { !$0.isEmpty }
      if windowed.sorted(by: { $0.lexicographicallyPrecedes($1) })
        != shown.sorted(by: { $0.lexicographicallyPrecedes($1) })
      {
        complain("windows at \(windowed), not at \(shown)")
      }
    }

    private func checkRest() async {
      // Animations end, and the quiet time and the grace pass.
      for _ in 0..<8 {
        MainLoop.frame(milliseconds: 200)
        await hop()
      }
      // A timer that woke before may still be on its way, and cancelled bodies may go on.
      _ = await Phone.waits {
        tracker.core.timer == nil && tracker.core.state.engine.runs.count == 0
      }
      let (commits, turns) = (MainLoop.commits, tracker.metrics.turns)
      for _ in 0..<40 {
        MainLoop.turn(isWhole: true)
        await hop()
      }
      if MainLoop.commits != commits || tracker.metrics.turns != turns
        || tracker.core.timer != nil
      {
        complain("the list does not come to rest")
      }
      check()
    }

    /// Compares each decision of the tracker with the naive model.
    private func compare() {
      do {
        violations += try recording.differences(from: tracker)
      } catch {
        complain("\(error)")
      }
    }
  }
#endif
