import Foundation

/// What a tracker does, to be watched, waited for and written down.
extension DisplayTracker {
  // MARK: Progress and waiting

  /// The progress of a set of rows: how many of them have been loaded, have failed, or were
  /// removed.
  ///
  /// The tracker holds it weakly.
  ///
  /// **Cancellation**: cancelling it, on any thread, cancels the prefetching of the rows.
  ///
  /// **Cost**: O(rows), then O(progresses) for each row that ends.
  public func progress(of rows: some Sequence<Row>) -> Progress {
    let all = Set(rows)
    let progress = Progress(totalUnitCount: Int64(all.count))
    progress.cancellationHandler = { [weak self] in
      DispatchQueue.main.async { self?.cancelPrefetch(all) }
    }
    store.watch(all, progress) { row in
      knownLoad(of: row).map { core.books.engine.isOver($0) } ?? false
    }
    core.books.engine.reportsCompletedRows = store.isWatched
    core.run()
    return progress
  }

  /// What the tracker has done so far; the difference of two tells what was done in between.
  ///
  /// O(1).
  public var metrics: TrackerMetrics { core.books.engine.metrics(at: core.time) }

  /// The rows that cells on screen show, loaded or not.
  ///
  /// O(cells that the tracker knows).
  public var displayedRows: Set<Row> {
    let cells = core.books.engine.cells
    return Set(
      cells.ids.lazy.filter { cells[$0].isDisplayed }.compactMap { cells[$0].row }
        .compactMap { [store] in store.rows[$0] })
  }

  /// The loads that the tracker waits for, and for how long they have run, the oldest first.
  package var runningLoads: [(token: RowToken<Row>, age: Duration)] {
    let runs = core.books.engine.runs
    return runs.ids.filter { runs[$0].stage == .current }
      .sorted { runs[$0].generation < runs[$1].generation }
      .compactMap { run in
        let update = core.books.operation(of: run) as? UpdateOperation<Row, Value>
        return update.map { ($0.token, .nanoseconds(core.time - runs[run].startedAt)) }
      }
  }

  /// Returns in words why a row shows what it shows.
  ///
  /// ```swift
  /// print(tracker.explain(photo.id))
  /// // Row 5 waits, held back: dwell 280 ms, load 310 ms.
  /// ```
  ///
  /// It says whether the row loads, for how long and in which stage; whether it waits, its place in
  /// the tracker's line and what holds each slot; whether the scroll policy holds it back; whether
  /// it failed, why, and when it is loaded again; or why nothing is done about it. The answer helps
  /// people find a fault: its wording may change.
  ///
  /// O(rows that wait, and cells).
  public func explain(_ row: Row) -> String {
    // First, since the row's description is the app's code.
    let name = "Row \(row)"
    if let id = knownID(of: row) { return "\(name) \(core.explanation(of: id))." }
    let cells = core.books.engine.cells
    let isUnbound = store.cellsOfRemoved(row).contains { cell in
      cells.contains(cell) && cells[cell].isDisplayed && cells[cell].row == nil
    }
    if isUnbound { return "\(name) is unbound since remove: bind its cell again." }
    return "\(name) is not known: no cell is bound to it, and it is not prefetched."
  }

  /// Waits until nothing runs, cancelled operations included, and nothing is waiting that may
  /// start.
  ///
  /// Rows that the scroll policy holds back, and rows of a suspended tracker, are not waited for;
  /// rows that wait for another attempt are. A body that never ends keeps it waiting.
  ///
  /// **Cancellation**: a cancelled task stops waiting.
  public func waitUntilIdle() async {
    await core.wait { [core] in core.isIdle }
  }

  // MARK: Recording

  /// A debug switch: writes everything that the tracker hears, from a list, an adapter or the app,
  /// as the text of an `EventScript` of the module RowOperationsTesting, so that what happened on a
  /// device can be replayed in a test.
  ///
  /// ```swift
  /// tracker.recordEvents { line in print(line) }
  /// // c0(a) W0(a) c1(b) W1(b) P[2…4] |
  /// // +16ms B M |
  /// ```
  ///
  /// Rows become numbers in the order in which they are first named and cells letters, so a
  /// recording contains no data of your users. Each line is a turn of the main queue. Switch it on
  /// before the list is first laid out: cells that were bound before are not in it.
  ///
  /// **Threading**: `write` is called on the main actor, and may call the tracker.
  ///
  /// **Cost**: while it is switched on, a few strings for each event, and O(cells) for each turn.
  ///
  /// - Parameter write: Is given each line; `nil` switches recording off.
  public func recordEvents(_ write: (@MainActor (String) -> Void)?) {
    var numbers: [Row: Int] = [:]
    let number: @MainActor (Row) -> Int = { row in
      let number = numbers[row] ?? numbers.count
      numbers[row] = number
      return number
    }
    let old = core.books.recorder
    defer {
      core.listsChanged()
      withExtendedLifetime(old) {}
    }
    core.books.recorder = write.map { write in
      InputRecorder(
        number: { [store] id in store.rows[id].map(number) },
        numberOfUpdate: { update in
          (update as? UpdateOperation<Row, Value>).map { number($0.token.row) }
        },
        numberOfRow: { row in (row as? Row).map(number) },
        write: write)
    }
  }
}
