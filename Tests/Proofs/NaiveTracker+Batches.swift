import RowOperations
import RowOperationsTesting

/// Loads of several rows, in plain words.
///
/// A batch has the rows that waited when it got its slot. Rows leave it for good when they are set
/// or removed. Any other row stays, with or without a claim, until the batch ends or is cancelled.
extension NaiveTracker {
  struct Batch {
    let order: Int
    /// The rows of the request.
    let rows: [Int]
    /// The rows that have not left for good.
    var members: [Int]
    let startedAt: Int64
    /// Whether the app has made its operation.
    var isMade = true
    /// Whether it was only prefetched and ran for twice the median load time.
    var isHung = false
    /// The end of the pass after which no row had a claim.
    var unclaimedSince: Int64?
  }

  /// Whether the oldest load of a row is that of a batch.
  func isInBatch(_ row: Int) -> Bool { settings.batchSize > 0 && oldest(row) != nil }

  mutating func answer(_ row: Int, _ answer: EngineDriver.Answer) {
    if let order = oldest(row) { answers[order, default: [:]][row] = answer }
  }

  /// Nothing but a request loads a row again that an answer lacks.
  private static let missing = FailureCause(kind: 3, isRetryable: false)

  // MARK: Leaving

  /// Takes a row out of its batch for good.
  ///
  /// - Returns: The cancel of the batch if it was the last row.
  mutating func leave(_ order: Int, _ row: Int) -> [Decision] {
    guard let index = batches.firstIndex(where: { $0.order == order }) else { return [] }
    batches[index].members.removeAll { $0 == row }
    drop(row)
    guard batches[index].members.isEmpty else { return [] }
    let batch = batches.remove(at: index)
    end(cancelled: batch)
    return [.cancelBatch(rows: batch.rows)]
  }

  private mutating func drop(_ row: Int) {
    runs[row] = nil
    unseen.remove(row)
    if failures[row] != nil { failed.insert(row) }
  }

  /// Records a cancelled batch, whose body goes on.
  private mutating func end(cancelled batch: Batch) {
    let time = Double(now - batch.startedAt)
    recordCut(after: time)
    lingering.append(Lingering(row: -1, order: batch.order))
  }

  private mutating func cancel(_ batch: Batch) {
    batches.removeAll { $0.order == batch.order }
    for row in batch.members { drop(row) }
    end(cancelled: batch)
  }

  // MARK: Ends

  mutating func commitBatches() {
    defer { answers = [:] }
    // All values are committed before any batch ends.
    for (order, answer) in answers where !hasFailed(order, answer) {
      for row in batches.first(where: { $0.order == order })?.members ?? []
      where answer[row] == .value { commitValue(of: row, inBatch: order) }
    }
    for (order, answer) in answers.sorted(by: { $0.key < $1.key }) {
      startOrder.removeAll { $0.order == order }
      lingering.removeAll { $0.order == order }
      guard let batch = batches.first(where: { $0.order == order }) else { continue }
      batches.removeAll { $0.order == order }
      let failure = batch.rows.first { answer[$0] == .failure }
      if failure == nil { recordLoadTime(Double(now - batch.startedAt)) }
      var wanted: [Int] = []
      for row in batch.members {
        guard let run = runs[row], run.batch == order else { continue }
        guard isClaimed(row) else {
          drop(row)
          continue
        }
        runs[row] = nil
        unseen.remove(row)
        if !run.isOutdated { wanted.append(row) }
      }
      guard let failure else {
        for row in wanted { fail(row, Self.missing, since: batch.startedAt) }
        continue
      }
      fail(wanted, of: batch, cause(failure))
    }
  }

  private func hasFailed(_ order: Int, _ answer: [Int: EngineDriver.Answer]) -> Bool {
    answer.values.contains(.failure)
  }

  private mutating func commitValue(of row: Int, inBatch order: Int) {
    guard let run = runs[row], run.batch == order else { return }
    // Nobody waits for a value that is out of date.
    if run.isOutdated, !isClaimed(row) { return drop(row) }
    runs[row] = nil
    values[row] = run.isOutdated
    jumpedOver.remove(row)
    lastUse[row] = pass
    failed.remove(row)
    failures[row] = nil
  }

  /// Fails the rows that waited for a batch: they load again in two halves.
  private mutating func fail(_ rows: [Int], of batch: Batch, _ cause: FailureCause) {
    guard batch.rows.count > 1 else {
      for row in rows {
        fail(row, cause, since: batch.startedAt)
        setPart(of: row, nextRank())
      }
      return
    }
    if let lastResume, batch.startedAt < lastResume, !rows.isEmpty { isBack = true }
    if cause.isConnectivity, let lastNetwork, batch.startedAt < lastNetwork, !rows.isEmpty {
      hasNetworkBack = true
    }
    let parts = [nextRank(), nextRank()]
    for (index, row) in rows.enumerated() {
      let half = index * 2 < rows.count ? 0 : 1
      failures[row, default: []].append(
        Failure(cause: cause, isFirst: false, isShared: true, part: parts[half]))
    }
    for row in rows {
      guard case .backoff(let delay) = settings.retry, cause.isRetryable,
        let delay = delay(0, 0, cause.retryAfter)
      else {
        failed.insert(row)
        continue
      }
      backoffs[row] = now + delay
    }
  }

  private mutating func setPart(of row: Int, _ part: Int) {
    guard let last = failures[row]?.indices.last else { return }
    failures[row]?[last].part = part
  }

  func part(of row: Int) -> Int { failures[row]?.last?.part ?? 0 }

  // MARK: Claims

  private func isClaimed(_ batch: Batch) -> Bool { batch.members.contains { isClaimed($0) } }

  /// The strongest kind of claim.
  private func kind(_ batch: Batch) -> Int? { batch.members.compactMap { claimRank($0)?.0 }.min() }

  mutating func updateBatchClaims(_ later: inout NaiveTracker) {
    for index in batches.indices {
      if isClaimed(batches[index]) {
        batches[index].unclaimedSince = nil
      } else {
        batches[index].unclaimedSince = batches[index].unclaimedSince ?? now
      }
    }
    for batch in batches where isOverdue(batch) || isTimedOut(since: batch.startedAt) {
      later.cancel(batch)
    }
  }

  mutating func markHungBatches(after hangTime: Double) {
    for index in batches.indices where kind(batches[index]) == 2 {
      if Double(now - batches[index].startedAt) >= hangTime { batches[index].isHung = true }
    }
  }

  // MARK: Decisions

  mutating func checkStart(ofBatch rows: [Int]) {
    guard let lead = rows.first else { return complain("started a batch without rows") }
    if !make(rows) {
      giveSlots { $0.candidates.contains(lead) && $0.hasFreeSlot }
      if !candidates.contains(lead) { complain("started \(rows) though \(candidates) is next") }
      if !hasFreeSlot { complain("started \(rows) without a slot") }
      checkRiders(Array(rows.dropFirst()), beside: lead)
    }
    let order = begin(rows, isMade: true)
    for row in rows {
      if claimRank(row)?.0 == 2 { unseen.insert(row) }
      startOrder.append((row, order))
    }
  }

  /// - Returns: The order of the batch.
  @discardableResult
  mutating func begin(_ rows: [Int], isMade: Bool) -> Int {
    let batch = Batch(
      order: nextRank(), rows: rows, members: rows, startedAt: now, isMade: isMade)
    for row in rows {
      runs[row] = Run(row: row, pass: pass, startedAt: now, batch: batch.order, isMade: isMade)
    }
    batches.append(batch)
    return batch.order
  }

  /// The strongest claims ride; among equal ones, either may.
  private mutating func checkRiders(_ riders: [Int], beside lead: Int) {
    let expected = rowsThatMayRide(beside: lead)
    let ranks = (riders.map { rank($0) }, expected.prefix(settings.batchSize - 1).map { rank($0) })
    if !Set(riders).isSubset(of: expected) || Set(riders).count != riders.count
      || ranks.0 != ranks.1
    {
      complain("started \([lead] + riders) though \(expected) ride with \(lead)")
    }
  }

  private func rank(_ row: Int) -> [Int] {
    let rank = claimRank(row) ?? (3, 0, 0)
    return [rank.0, rank.1, rank.2]
  }

  /// The rows that may ride, the strongest claim first.
  func rowsThatMayRide(beside lead: Int) -> [Int] {
    let isPrefetched = claimRank(lead)?.0 == 2
    let others = waiting.filter { row in
      row != lead && isAdmitted(row) && (claimRank(row)?.0 == 2) == isPrefetched
        && part(of: row) == part(of: lead)
    }
    return others.sorted { rank($0).lexicographicallyPrecedes(rank($1)) }
  }

  func isOverdue(_ batch: Batch) -> Bool {
    batch.unclaimedSince.map { $0 + settings.grace <= now } ?? false
  }

  mutating func checkCancel(ofBatch rows: [Int]) {
    guard let batch = batches.first(where: { $0.rows == rows }) else {
      return complain("cancelled \(rows), which do not run")
    }
    let isDue = { (naive: NaiveTracker) in
      naive.isOverdue(batch) || naive.isWeakest(batch) && naive.takesSlot
    }
    giveSlots(until: isDue)
    if !isDue(self) { complain("cancelled \(rows) for nothing") }
    let isHung = isHungPrefetch(batch)
    cancel(batch)
    for row in batch.members where isHung && claimRank(row)?.0 == 2 {
      setAside.insert(row)
      failed.remove(row)
    }
    endUselessPrefetches()
  }

  mutating func checkTimeout(ofBatch rows: [Int]) {
    guard let batch = batches.first(where: { $0.rows == rows }) else {
      return complain("timed out \(rows), which are over")
    }
    if !isTimedOut(since: batch.startedAt) { complain("timed out \(rows) too early") }
    let wanted = batch.members.filter { isClaimed($0) && runs[$0]?.isOutdated == false }
    let outdated = batch.members.filter { isClaimed($0) && runs[$0]?.isOutdated == true }
    cancel(batch)
    for row in outdated + wanted { failed.remove(row) }
    fail(wanted, of: batch, settings.timeOut)
    endUselessPrefetches()
  }

  // MARK: Slots

  private func isHungPrefetch(_ batch: Batch) -> Bool { kind(batch) == 2 && batch.isHung }

  /// Whether a batch gives way first to an urgent row.
  func isWeakest(_ batch: Batch) -> Bool {
    guard isUrgent else { return false }
    if let oldest = batches.compactMap(\.unclaimedSince).min() {
      return batch.unclaimedSince == oldest
    }
    if let hung = batches.filter({ isHungPrefetch($0) }).map(\.startedAt).min() {
      return isHungPrefetch(batch) && batch.startedAt == hung
    }
    return distantBatches.contains { $0.order == batch.order }
  }

  /// The least urgent of the prefetching batches that lose nothing by waiting, and that have just
  /// begun or are behind.
  private var distantBatches: [Batch] {
    let (load, wait) = (expectedTime, wait)
    let young = batches.filter {
      kind($0) == 2 && !$0.isHung && urgency($0, wait) <= 0
        && (Double(now - $0.startedAt) < load / 2 || isBehind($0))
    }
    guard let least = young.map({ urgency($0, wait) }).min() else { return [] }
    let equals = young.filter { isEqual(urgency($0, wait), least) }
    return equals.filter { batch in
      !equals.contains { other in
        urgency(other, wait) == urgency(batch, wait) && rank(other) > rank(batch)
      }
    }
  }

  private func isBehind(_ batch: Batch) -> Bool {
    isMoving && batch.members.allSatisfy { claimRank($0) == nil || stay($0).isBehind }
  }

  /// The urgency of the most urgent row.
  private func urgency(_ batch: Batch, _ wait: Double) -> Double {
    batch.members.filter { mayStart($0) }.map { urgency($0, wait) }.max() ?? -.infinity
  }

  private func rank(_ batch: Batch) -> (Int, Int, Int) {
    batch.members.compactMap { claimRank($0) }.min { $0 < $1 } ?? (3, 0, 0)
  }

  mutating func checkNothingIsLeftToDoForBatches() {
    for batch in batches {
      if isOverdue(batch) { complain("\(batch.rows) run on after their grace") }
      if isTimedOut(since: batch.startedAt) { complain("\(batch.rows) run on after their time") }
    }
  }

  mutating func checkSlotsOfBatches(_ candidate: Int) {
    if batches.contains(where: { $0.unclaimedSince != nil }) {
      complain("\(candidate) waits for the slot of an unclaimed batch")
    }
    if batches.contains(where: { isHungPrefetch($0) }) {
      complain("\(candidate) waits for the slot of a hung batch")
    }
    if !distantBatches.isEmpty {
      complain("\(candidate) waits for the slot of a batch that loses nothing by waiting")
    }
  }
}
