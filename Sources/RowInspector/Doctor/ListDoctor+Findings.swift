import RowOperations

extension ListDoctor {
  /// The faults so far, first those that leave rows blank; O(cells and waiting rows).
  public var findings: [ListFinding] {
    [
      cellsNotDisplayed, hostsNotDisplayed, rowsRemovedOnScreen, suspendedOnScreen,
      repeatedFailures, ignoredCancellation, tooFewSlots, cellsNeverEnded, unseenLoads,
      prefetchedInVain, repeatedLoads,
    ].compactMap(\.self)
  }

  /// A shorter state may be over in a moment.
  private static var patience: Duration { .seconds(1) }

  // MARK: Rows that stay blank

  private var cellsNotDisplayed: ListFinding? {
    let count = cells.boundCells
    guard let start = cells.firstBinding, now - start >= Self.patience, cells.displays == 0,
      count > 0
    else { return nil }
    return ListFinding(
      kind: .cellsNotDisplayed,
      sentence: """
        \(count.of("cell", "was", "were")) bound, and none was displayed in \((now - start).words).
        """,
      advice: """
        Rows load while their cells are displayed: keep a ListTracking of the list, or call \
        willDisplay(_:) and didEndDisplaying(_:).
        """)
  }

  private var hostsNotDisplayed: ListFinding? {
    guard let start = cells.firstView, now - start >= Self.patience, cells.displays > 0,
      !cells.wasHostDisplayed, cells.hostCount > 0
    else { return nil }
    return ListFinding(
      kind: .hostsNotDisplayed,
      sentence: """
        \(cells.viewCount.of("view", "is", "are")) bound inside \(cells.hostCount.of("cell")), \
        and none of these cells was displayed.
        """,
      advice: """
        Call willDisplay(_:) of this tracker for the cells that hold the views, too: each tracker \
        has to hear of them.
        """)
  }

  private var rowsRemovedOnScreen: ListFinding? {
    let count = cells.removedCells(before: now - Self.patience)
    guard count > 0 else { return nil }
    return ListFinding(
      kind: .rowsRemovedOnScreen,
      sentence: "\(count.of("cell", "is", "are")) on screen with a removed row.",
      advice: "Bind each cell anew after remove(_:), to nil where there is no row.")
  }

  private var suspendedOnScreen: ListFinding? {
    guard let start = cells.suspended, now - start >= Self.patience, cells.displaysSuspended > 0
    else { return nil }
    return ListFinding(
      kind: .suspendedOnScreen,
      sentence: """
        The tracker has been suspended for \((now - start).words), and \
        \(cells.displaysSuspended.of("cell")) came on screen meanwhile.
        """,
      advice: "Call resume() when the list is back.")
  }

  private var repeatedFailures: ListFinding? {
    guard let (group, loads) = failures.repeated else { return nil }
    let series =
      group.longestSeries > 1
      ? " Row \(group.row) failed \(group.longestSeries) times in a row." : ""
    return ListFinding(
      kind: .repeatedFailures,
      sentence: "\(group.count) of \(loads.of("load")) failed with: \(group.error).\(series)",
      advice: """
        Answer false from shouldRetry for errors that do not pass, and show phase.error with a way \
        to call retry(_:).
        """)
  }

  private var ignoredCancellation: ListFinding? {
    guard let (count, longest, time) = bodies.overruns(at: now) else { return nil }
    let stage = longest.stage.map { "stage \($0.name), " } ?? ""
    let verb = count == 1 ? "ignores" : "ignore"
    return ListFinding(
      kind: .ignoredCancellation,
      sentence: """
        \(count.of("body", plural: "bodies")) \(verb) cancellation: \(stage)\(time.words) for row \
        \(longest.row).
        """,
      advice: """
        Call context.checkCancellation() in long steps, and wrap waits for callbacks in \
        withTaskCancellationHandler: such bodies come to hold slots.
        """)
  }

  private var tooFewSlots: ListFinding? {
    let (rows, longest) = loads.longWaits
    guard rows >= 3 else { return nil }
    return ListFinding(
      kind: .tooFewSlots,
      sentence: """
        \(rows.of("row")) on screen waited while all \(loads.slots.count) slots were taken, up to \
        \(longest.words).
        """,
      advice: """
        Give configuration.slots more, load less for each row, or limit only the slow step with \
        withPermit.
        """)
  }

  // MARK: Wasted work

  private var cellsNeverEnded: ListFinding? {
    // Lines of a terminal show other rows without coming on screen again.
    guard cells.ends == 0, cells.returns >= 10 || cells.displayedCells > 100 else { return nil }
    return ListFinding(
      kind: .cellsNeverEnded,
      sentence: """
        \(cells.displays.of("cell")) came on screen \(cells.displays + cells.returns) times, and \
        none was reported to leave it.
        """,
      advice: "Call didEndDisplaying(_:) where the list reports it, or keep a ListTracking.")
  }

  private var unseenLoads: ListFinding? {
    let share = loads.ofScreen
    guard share.all >= 20, share.percent >= 30 else { return nil }
    return ListFinding(
      kind: .unseenLoads,
      sentence: "\(share.percent) % of \(share.all) loads were for rows that left unseen.",
      advice: lacksScrolling
        ? "The tracker does not hear of scrolling: keep a ListTracking, or call scrollWillBegin()."
        : "Report scrolling and landings, by a ListTracking for one, and use the policy .adaptive.")
  }

  private var prefetchedInVain: ListFinding? {
    let share = loads.ofPrefetch
    guard share.all >= 20, share.percent >= 50 else { return nil }
    return ListFinding(
      kind: .prefetchedInVain,
      sentence: "\(share.percent) % of \(share.all) prefetched rows were dropped unseen.",
      advice: """
        Prefetch fewer rows, nearest first, or none: with setOrder(_:) the tracker prefetches by \
        itself. Or choose a smaller prefetchWindow.
        """)
  }

  private var repeatedLoads: ListFinding? {
    let share = loads.values
    guard share.wasted >= 5, share.percent >= 20 else { return nil }
    return ListFinding(
      kind: .repeatedLoads,
      sentence: """
        Retention is too small: \(share.percent) % of \(share.all) values had been there before \
        and were dropped.
        """,
      advice: "Raise configuration.retention, or answer from a cache of your own in cached.")
  }
}

extension Int {
  fileprivate func of(
    _ noun: String, plural: String? = nil, _ verb: String = "", _ pluralVerb: String = ""
  ) -> String {
    let words = self == 1 ? ["One", noun, verb] : ["\(self)", plural ?? noun + "s", pluralVerb]
    return words.filter { !$0.isEmpty }.joined(separator: " ")
  }
}

extension Duration {
  /// The duration for people: `640 ms`, `1.2 s`, `12 s`.
  package var words: String {
    let time = Int(milliseconds.rounded())
    if time < 1_000 { return "\(time) ms" }
    let tenths = time / 100
    return tenths < 100 && tenths % 10 > 0 ? "\(tenths / 10).\(tenths % 10) s" : "\(tenths / 10) s"
  }
}
