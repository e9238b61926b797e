import Foundation

/// Those who wait for the tracker.
extension DisplayTracker {
  /// What the tracker has done so far.
  ///
  /// O(1).
  public var metrics: TrackerMetrics { machine.metrics }

  /// Waits until nothing runs, cancelled operations included, and nothing is waiting that may start.
  ///
  /// Rows that the scroll policy holds back, and rows of a suspended tracker, are not waited for;
  /// rows that wait for another attempt are. A body that never ends keeps it waiting.
  ///
  /// **Cancellation**: a cancelled task stops waiting.
  public func waitUntilIdle() async {
    await wait(until: .idle)
  }

  private var isIdle: Bool {
    !isTurnRequested && !hasLaterCalls && runs.isEmpty
      && machine.isIdle(mayPrefetch: slots.allowsPrefetch, at: time)
  }

  func wait(until goal: Waiter.Goal) async {
    lastWaiter += 1
    let id = lastWaiter
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        guard !Task.isCancelled, !isReached(goal) else { return continuation.resume() }
        waiters[id] = Waiter(goal: goal, continuation: continuation)
      }
    } onCancel: {
      DispatchQueue.main.async { [weak self] in
        self?.waiters.removeValue(forKey: id)?.continuation.resume()
      }
    }
  }

  private func isReached(_ goal: Waiter.Goal) -> Bool {
    switch goal {
    case .idle: isIdle
    case .settled(let rows): !isTurnRequested && rows.allSatisfy(isSettled)
    }
  }

  private func isSettled(_ row: Row) -> Bool {
    guard let load = knownLoad(of: row) else { return true }
    return machine.isSettled(load, mayPrefetch: slots.allowsPrefetch)
  }

  func resumeWaiters() {
    guard !waiters.isEmpty else { return }
    for (id, waiter) in waiters where isReached(waiter.goal) {
      waiters.removeValue(forKey: id)?.continuation.resume()
    }
  }

  func updateProgress() {
    finishProgress { [self] row in
      endedRows.contains(row) || knownLoad(of: row).map { machine.isOver($0) } ?? false
    }
    endedRows = []
  }

  /// Counts rows of which nothing more will come.
  func finishProgress(ofRowsWhere isOver: (Row) -> Bool) {
    var finished: [(progress: Progress, rows: Int)] = []
    for index in watches.indices {
      guard let progress = watches[index].progress else { continue }
      let done = watches[index].pending.filter(isOver)
      watches[index].pending.subtract(done)
      finished.append((progress, done.count))
    }
    watches.removeAll { $0.progress == nil || $0.pending.isEmpty }
    // Last, as whoever observes them may call the tracker.
    for (progress, rows) in finished { progress.completedUnitCount += Int64(rows) }
  }
}

extension TrackerMachine.Settings {
  init<Row, Value>(_ configuration: TrackerConfiguration<Row, Value>) {
    self.init()
    scrollPolicy = configuration.scrollPolicy
    grace = max(configuration.grace.nanoseconds, 0)
    quietTime = max(configuration.quietTime.nanoseconds, 0)
    timeout = configuration.timeout.map { max($0.nanoseconds, 0) }
    prefetchLimit = max(configuration.prefetchLimit, 0)
    valueLimit = configuration.retention.countLimit
    costLimit = configuration.retention.costLimit
    retry = configuration.retry
    sharesLoads = configuration.resource != nil
    notesWaiting = configuration.onEvent != nil
    seed = .random(in: .min ... .max)
  }
}
