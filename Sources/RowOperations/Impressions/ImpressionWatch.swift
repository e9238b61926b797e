/// Reports each row that was on screen long enough, once.
///
/// Rows are released outside of changes, since their `deinit` may call the tracker.
@MainActor
final class ImpressionWatch<Row: Hashable & Sendable>: TurnFollowing {
  private(set) var log: ImpressionLog<Row>
  private var covers: Set<Cover> = []
  /// The share in sight from which a row's time counts.
  private let share: Double
  /// Returns the share in sight now; `nil` if any will do.
  private let visibleShare: (@MainActor (Row) -> Double)?
  private let report: @MainActor (Row) -> Void

  init(
    time: Duration, share: Double, visibleShare: @escaping @MainActor (Row) -> Double,
    report: @escaping @MainActor (Row) -> Void
  ) {
    log = ImpressionLog(time: max(time.nanoseconds, 0))
    // Frames are rounded, also those of cells wholly in sight.
    self.share = max(min(share, 1) - 0.001, .leastNonzeroMagnitude)
    self.visibleShare = share > 0 ? visibleShare : nil
    self.report = report
  }

  var nextDeadline: Int64? { log.nextDeadline }

  /// Whether rows that may count have shares to read.
  var readsShares: Bool { visibleShare != nil && !log.unseen.isEmpty }

  func displayed(_ row: Row, at now: Int64) { log.displayed(row, at: now) }

  func endedDisplaying(_ row: Row, at now: Int64) { log.endedDisplaying(row, at: now) }

  func cover(_ cover: Cover, at now: Int64) {
    covers.insert(cover)
    log.covered(at: now)
  }

  func uncover(_ cover: Cover, at now: Int64) {
    covers.remove(cover)
    if covers.isEmpty { log.uncovered(at: now) }
  }

  func passEnded(at now: Int64) {
    if let visibleShare {
      for row in log.unseen {
        log.sightChanged(of: row, isEnough: visibleShare(row) >= share, at: now)
      }
    }
    let pass = log.passEnded(at: now)
    for row in pass.seen { report(row) }
    releaseHere(pass)
  }

  func forget(_ rows: [Row], at now: Int64) { releaseHere(log.forget(rows, at: now)) }

  func rename(_ old: Row, to new: Row) { releaseHere(log.rename(old, to: new)) }

  func forgetAll(at now: Int64) { releaseHere(log.forgetAll(at: now)) }
}
