import RowOperations

struct BodyNotes<Row: Hashable & Sendable>: Sendable {
  /// A shorter time after a cancel is no fault.
  private static var patience: Duration { .seconds(2) }

  struct Overrun: Sendable {
    let row: Row
    let since: Duration
    var stage: UpdateStage?
    /// After the cancel.
    var stageTime = Duration.zero
  }

  private var cancelled = RecentTable<UInt64, Overrun>(limit: 1024)
  private var ended = 0
  private var longestEnded: (overrun: Overrun, time: Duration)?

  mutating func record(_ event: TrackerEvent<Row>) {
    switch event.kind {
    case .cancelled(let generation):
      cancelled[generation] = Overrun(row: event.row, since: event.time)
    case .ran(let stage, let generation, let start):
      guard var overrun = cancelled[generation] else { return }
      let time = event.time - max(start, overrun.since)
      guard time > overrun.stageTime else { return }
      overrun.stage = stage
      overrun.stageTime = time
      cancelled[generation] = overrun
    case .stopped(let generation, _), .refused(let generation): end(generation, at: event.time)
    default: break
    }
  }

  mutating func record(_ bodies: [LoadBody<Row>], at time: Duration) {
    for body in bodies where body.isCancelled {
      let generation = body.token.generation
      var overrun = cancelled[generation] ?? Overrun(row: body.token.row, since: time)
      if let stage = body.stage { overrun.stage = stage }
      cancelled[generation] = overrun
    }
  }

  func overruns(at now: Duration) -> (count: Int, longest: Overrun, time: Duration)? {
    let going = cancelled.values.map { (overrun: $0, time: now - $0.since) }
      .filter { $0.time >= Self.patience }
    let all = going + (longestEnded.map { [$0] } ?? [])
    guard let longest = all.max(by: { $0.time < $1.time }) else { return nil }
    return (going.count + ended, longest.overrun, longest.time)
  }

  private mutating func end(_ generation: UInt64, at time: Duration) {
    guard let overrun = cancelled[generation] else { return }
    cancelled[generation] = nil
    let spent = time - overrun.since
    guard spent >= Self.patience else { return }
    ended += 1
    if spent > longestEnded?.time ?? .zero { longestEnded = (overrun, spent) }
  }
}
