/// The load that an event is about.
struct ReportedLoad {
  let operation: any TrackedUpdate
  let place: Int
  let generation: UInt64
  /// 0 for a load of one row.
  let batch: UInt64
  /// Of a failure.
  let error: (any Error)?
}

extension TrackerStore {
  var reportsEvents: Bool {
    configuration.onEvent != nil || configuration.onImpression != nil || observer != nil
  }

  private func send(_ kind: TrackerEvent<Row>.Kind, of row: Row, at time: Int64) {
    let event = TrackerEvent(row: row, kind: kind, time: .nanoseconds(time))
    observer?(event)
    configuration.onEvent?(event)
  }

  func report(_ report: TrackerEngine.Report, of load: ReportedLoad?) {
    if let impressions { record(report, impressions) }
    guard configuration.onEvent != nil || observer != nil else { return }
    let row: Row? =
      switch report.kind.subject {
      case .row(let id): rows[id]
      case .run: load.flatMap { self.row(of: $0.operation, at: $0.place) }
      }
    guard let row else { return }
    if let load, report.kind.isEnd {
      for visit in load.operation.tracked.stages.visits {
        let visited = TrackerEvent<Row>.Kind.ran(
          visit.stage, load.generation, since: .nanoseconds(visit.start))
        send(visited, of: row, at: visit.end)
      }
    }
    send(report.kind.event(of: load), of: row, at: report.time)
  }

  private func record(_ report: TrackerEngine.Report, _ impressions: ImpressionWatch<Row>) {
    if case .displayed(let id) = report.kind, let row = rows[id] {
      impressions.displayed(row, at: report.time)
    }
    if case .endedDisplaying(let id) = report.kind, let row = rows[id] {
      impressions.endedDisplaying(row, at: report.time)
    }
  }
}

extension TrackerEngine.Report.Kind {
  enum Subject {
    case row(RowID)
    case run(RunID)
  }

  var subject: Subject {
    switch self {
    case .displayed(let row), .endedDisplaying(let row), .prefetched(let row), .landing(let row),
      .waiting(let row), .leftWaiting(let row), .evicted(let row), .listening(let row),
      .stoppedListening(let row):
      .row(row)
    case .joined(let run), .started(let run), .finished(let run), .failed(let run),
      .timedOut(let run), .cancelled(let run), .stopped(let run), .refused(let run):
      .run(run)
    }
  }

  fileprivate var isEnd: Bool {
    switch self {
    case .finished, .failed, .stopped, .refused: true
    case .joined, .started, .timedOut, .cancelled, .displayed, .endedDisplaying, .prefetched,
      .landing, .waiting, .leftWaiting, .evicted, .listening, .stoppedListening:
      false
    }
  }

  fileprivate func event(of load: ReportedLoad?) -> TrackerEventKind {
    let generation = load?.generation ?? 0
    switch self {
    case .displayed: return .displayed
    case .endedDisplaying: return .endedDisplaying
    case .prefetched: return .prefetched
    case .landing: return .landing
    case .waiting: return .waiting
    case .leftWaiting: return .leftWaiting
    case .evicted: return .evicted
    case .listening: return .listening
    case .stoppedListening: return .stoppedListening
    case .joined: return .joined(generation, batch: load?.batch ?? 0)
    case .started: return .started(generation)
    case .finished: return .finished(generation)
    case .failed, .timedOut: return .failed(generation, load?.error ?? CancellationError())
    case .cancelled: return .cancelled(generation)
    case .stopped: return .stopped(generation, at: load?.operation.tracked.stages.cancelledAt)
    case .refused: return .refused(generation)
    }
  }
}

extension Result {
  var failure: Failure? {
    guard case .failure(let error) = self else { return nil }
    return error
  }
}
