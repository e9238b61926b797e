/// Reports each row that was on screen long enough, once.
///
/// Rows are released outside of changes, since their `deinit` may call the tracker.
@MainActor
final class ImpressionWatch<Row: Hashable & Sendable>: TurnFollowing {
  private var log: ImpressionLog
  private var rows = RowTable<Row>()
  private var covers: [Cover] = []
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

  var count: Int { log.count }

  var nextDeadline: Int64? { log.nextDeadline }

  // MARK: Events

  func displayed(_ row: Row, at now: Int64) {
    let hash = RowTable.hash(row)
    if let id = rows.id(of: row, hash) { return log.displayed(id.ofVisit, at: now) }
    rows.insert(row, hash, as: log.rowAppeared(at: now).ofRow)
  }

  func endedDisplaying(_ row: Row, at now: Int64) {
    guard let id = rows.id(of: row, RowTable.hash(row)) else { return }
    log.endedDisplaying(id.ofVisit, at: now)
  }

  /// Whether rows that may count have shares to read.
  var readsShares: Bool { visibleShare != nil && !log.unseen.isEmpty }

  private func readShares(_ visibleShare: (Row) -> Double, at now: Int64) {
    for id in log.unseen {
      guard let row = rows[id.ofRow] else { continue }
      log.sightChanged(of: id, isEnough: visibleShare(row) >= share, at: now)
    }
  }

  func cover(_ cover: Cover, at now: Int64) {
    if !covers.contains(cover) { covers.append(cover) }
    log.covered(at: now)
  }

  func uncover(_ cover: Cover, at now: Int64) {
    covers.removeAll { $0 == cover }
    if covers.isEmpty { log.uncovered(at: now) }
  }

  /// With a share, O(unseen rows on screen).
  func passEnded(at now: Int64) {
    if let visibleShare { readShares(visibleShare, at: now) }
    let pass = log.passEnded(at: now)
    let seen = pass.impressions.compactMap { rows[$0.ofRow] }
    remove(pass.forgotten)
    for row in seen { report(row) }
  }

  // MARK: Forgetting

  func forget(_ gone: [Row], at now: Int64) {
    let free = gone.compactMap { row -> ID<ImpressionLog.Visit>? in
      guard let id = rows.id(of: row, RowTable.hash(row))?.ofVisit,
        log.forgetImpression(of: id, at: now)
      else { return nil }
      return id
    }
    remove(free)
  }

  func forgetAll(at now: Int64) { remove(log.forgetAll(at: now)) }

  private func remove(_ free: [ID<ImpressionLog.Visit>]) {
    guard !free.isEmpty else { return }
    var removed: ContiguousArray<Any> = []
    rows.remove(free.map(\.ofRow), to: &removed)
    releaseHere(removed)
  }
}

// The log's own numbers, since a tracker reuses the number of a forgotten row.

extension RowID {
  fileprivate var ofVisit: ID<ImpressionLog.Visit> { ID<ImpressionLog.Visit>(index: index) }
}

extension ID<ImpressionLog.Visit> {
  fileprivate var ofRow: RowID { RowID(index: index) }
}
