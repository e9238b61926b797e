extension TrackerStore {
  var reportsEvents: Bool {
    configuration.onEvent != nil || configuration.onImpression != nil || observer != nil
  }

  private func send(_ event: TrackerEvent<Row>) {
    observer?(event)
    configuration.onEvent?(event)
  }

  @usableFromInline
  func report(
    _ report: TrackerEngine.Report, _ operation: (any TrackedUpdate)?, _ error: (any Error)?
  ) {
    if let impressions { record(report, impressions) }
    guard configuration.onEvent != nil || observer != nil else { return }
    guard let update = operation as? UpdateOperation<Row, Value> else {
      guard let (id, kind) = report.kind.ofRow, let row = rows[id] else { return }
      return send(TrackerEvent(row: row, kind: kind, time: .nanoseconds(report.time)))
    }
    self.report(report, of: update.token.row, update.token.generation, error) {
      (update.stageLog, update.result?.failure)
    }
  }

  /// Sends an event of a load.
  ///
  /// - Parameters:
  ///   - batch: 0 for a load of one row.
  ///   - end: Returns the stages and the error of the operation.
  func report(
    _ report: TrackerEngine.Report, of row: Row, _ generation: UInt64, _ error: (any Error)?,
    batch: UInt64 = 0, _ end: () -> (stages: StageLog, error: (any Error)?)
  ) {
    let (stages, failure) = end()
    if report.kind.isEnd {
      for visit in stages.visits {
        send(
          TrackerEvent(
            row: row,
            kind: .ran(visit.stage, generation, since: .nanoseconds(visit.start)),
            time: .nanoseconds(visit.end)))
      }
    }
    let kind: TrackerEvent.Kind
    switch report.kind {
    case .joined: kind = .joined(generation, batch: batch)
    case .started: kind = .started(generation)
    case .finished: kind = .finished(generation)
    case .failed: kind = .failed(generation, failure ?? error ?? CancellationError())
    case .timedOut: kind = .failed(generation, error ?? CancellationError())
    case .cancelled: kind = .cancelled(generation)
    case .stopped: kind = .stopped(generation, at: stages.cancelledAt)
    case .refused: kind = .refused(generation)
    case .displayed, .endedDisplaying, .prefetched, .landing, .waiting, .leftWaiting, .evicted,
      .listening, .stoppedListening:
      return
    }
    send(TrackerEvent(row: row, kind: kind, time: .nanoseconds(report.time)))
  }

  private func record(_ report: TrackerEngine.Report, _ impressions: ImpressionWatch<Row>) {
    switch report.kind {
    case .displayed(let id):
      if let row = rows[id] { impressions.displayed(row, at: report.time) }
    case .endedDisplaying(let id):
      if let row = rows[id] { impressions.endedDisplaying(row, at: report.time) }
    case .prefetched, .landing, .waiting, .leftWaiting, .evicted, .joined, .started, .finished,
      .failed, .timedOut, .cancelled, .stopped, .refused, .listening, .stoppedListening:
      break
    }
  }

  @usableFromInline
  func committed(_ ids: [RowID]) {
    configuration.onCommit?(ids.compactMap { rows[$0] })
  }
}

extension TrackerEngine.Report.Kind {
  fileprivate var isEnd: Bool {
    switch self {
    case .finished, .failed, .stopped, .refused: true
    case .joined, .started, .timedOut, .cancelled, .displayed, .endedDisplaying, .prefetched,
      .landing, .waiting, .leftWaiting, .evicted, .listening, .stoppedListening:
      false
    }
  }

  /// `nil` for events of operations.
  fileprivate var ofRow: (RowID, TrackerEvent.Kind)? {
    switch self {
    case .displayed(let row): (row, .displayed)
    case .endedDisplaying(let row): (row, .endedDisplaying)
    case .prefetched(let row): (row, .prefetched)
    case .landing(let row): (row, .landing)
    case .waiting(let row): (row, .waiting)
    case .leftWaiting(let row): (row, .leftWaiting)
    case .evicted(let row): (row, .evicted)
    case .listening(let row): (row, .listening)
    case .stoppedListening(let row): (row, .stoppedListening)
    case .joined, .started, .finished, .failed, .timedOut, .cancelled, .stopped, .refused: nil
    }
  }
}

extension Result {
  var failure: Failure? {
    guard case .failure(let error) = self else { return nil }
    return error
  }
}
