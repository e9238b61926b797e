import Foundation

/// Watching, awaiting and recording a tracker's work.
extension DisplayTracker {
  // MARK: Progress and waiting

  /// Returns the progress of a set of rows: the number of those loaded, failed or removed.
  ///
  /// The tracker holds it weakly.
  ///
  /// **Cancellation**: cancelling the progress, on any thread, cancels the prefetching of the rows.
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

  /// The tracker's metrics so far.
  ///
  /// Subtract two snapshots for the work in between.
  ///
  /// O(1).
  public var metrics: TrackerMetrics { core.books.engine.metrics(at: core.time) }

  /// The rows of all displayed cells, loaded or not.
  ///
  /// O(cells that the tracker knows).
  public var displayedRows: Set<Row> {
    let cells = core.books.engine.cells
    return Set(
      cells.ids.lazy.filter { cells[$0].isDisplayed }.compactMap { cells[$0].row }
        .compactMap { [store] in store.rows[$0] })
  }

  /// The loads that the tracker waits for, with their running times, oldest first.
  package var runningLoads: [(token: RowToken<Row>, age: Duration)] {
    let runs = core.books.engine.runs
    return runs.ids.filter { runs[$0].stage == .current }
      .sorted { runs[$0].generation < runs[$1].generation }
      .compactMap { run in
        let update = core.books.operation(of: run) as? UpdateOperation<Row, Value>
        return update.map { ($0.token, .nanoseconds(core.time - runs[run].startedAt)) }
      }
  }

  /// Explains in words why a row shows its phase.
  ///
  /// ```swift
  /// print(tracker.explain(photo.id))
  /// // Row 5 waits, held back: dwell 280 ms, load 310 ms.
  /// ```
  ///
  /// The text covers a running load with its time and stage; a waiting row with its position in the
  /// tracker's line and the holder of each slot; a hold by the scroll policy; a failure with its
  /// error and the time of the next attempt; or the reason for which nothing happens. It helps
  /// people find a fault, and its wording may change.
  ///
  /// O(waiting rows and cells).
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

  /// Waits until no operation runs, including cancelled ones, and no waiting load may start.
  ///
  /// It does not wait for rows that the scroll policy holds back, nor for rows of a suspended
  /// tracker. It does wait for rows with a scheduled retry, and for lingering bodies, so a body
  /// that never ends blocks it.
  ///
  /// **Cancellation**: a cancelled task stops waiting.
  public func waitUntilIdle() async {
    await core.wait { [core] in core.isIdle }
  }

  // MARK: Recording

  /// Records all inputs from lists, adapters and the app as the text of an `EventScript` of the
  /// module RowOperationsTesting, so that a test can replay events from a device.
  ///
  /// It is a debug switch.
  ///
  /// ```swift
  /// tracker.recordEvents { line in print(line) }
  /// // c0(a) W0(a) c1(b) W1(b) P[2…4] |
  /// // +16ms B M |
  /// ```
  ///
  /// Rows become numbers in the order of their first appearance and cells become letters, so a
  /// recording contains no data of your users. Each line is a turn of the main queue. Switch it on
  /// before the first layout of the list: cells bound before are not in the recording.
  ///
  /// **Threading**: `write` is called on the main actor, and may call the tracker.
  ///
  /// **Cost**: while switched on, a few strings for each event, and O(cells) for each turn.
  ///
  /// - Parameter write: Receives each line; `nil` switches recording off.
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
