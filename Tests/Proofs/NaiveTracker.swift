import Foundation
import RowOperations
import RowOperationsTesting

/// The rules of the tracker as a naive model, which computes everything again from all facts.
///
/// The model does not decide. It takes the engine's decisions in order and complains about each
/// broken rule: a decision without a reason, and a reason without a decision.
package struct NaiveTracker {
  package typealias Decision = EngineDriver.Decision

  struct Cell {
    var row: Int?
    var isDisplayed = false
  }

  struct Run {
    let row: Int
    let startedAt: Int64
    /// Whether the load was invalidated while it ran.
    var isOutdated = false
    /// Whether it was only prefetched and ran for twice the median load time.
    var isHung = false
    /// Whether it has shown a preview or progress, and whether it has shown a preview.
    var hasStep = false
    var showsValue = false
    /// The end of the pass after which it had no claim.
    var unclaimedSince: Int64?
  }

  /// A run that was cancelled and has not ended.
  struct Lingering {
    let row: Int
    let order: Int
  }

  let settings: TrackerEngine.Settings
  let slots: Int
  /// The key of a row's load.
  let key: (Int) -> Int
  /// The failure cause of a key's load.
  let cause: (Int) -> FailureCause

  // State from inputs.
  var cells: [Int: Cell] = [:]
  /// Prefetched rows, the oldest claim first.
  var prefetched: [Int] = []
  /// Rows with a prefetch claim that was made or renewed in this pass.
  var newlyPrefetched: Set<Int> = []
  /// The number of rows that had come on screen when each claim was made or renewed.
  var prefetchedAfter: [Int: Int] = [:]
  /// The number of rows that have come on screen.
  var appearedCount = 0
  var landing: [Int] = []
  var isMoving = false
  var lastMove: Int64 = 0
  var isSuspended = false
  var now: Int64 = 0
  /// Rows with cells or claims, or from an input of this pass, which keep their shared loads.
  var attached: Set<Int> = []
  /// Rows in the order in which they came on screen in this pass.
  var appeared: [Int] = []

  // State at the end of the last pass.
  var pass = 1
  var displayedRowsBefore: Set<Int> = []
  var displayedKeysBefore: Set<Int> = []
  /// The pass, the order and the time at which each displayed key came on screen.
  var displayOrder: [Int: (pass: Int, rank: Int, since: Int64)] = [:]
  /// The rank of a prefetched key: rows without a place come first, then the lower rank.
  var prefetchRank: [Int: (hasIndex: Bool, rank: Int)] = [:]
  /// The rows of the list in order, its position, its direction, and the places that the tracker
  /// has prefetched.
  var order: [Int] = []
  var shownIndices: ClosedRange<Int>?
  var isForward = true
  var origin = 0
  var asked: Set<Int> = []
  var landingRank: [Int: Int] = [:]
  var lastRank = 0

  // State from decisions and ends.
  var runs: [Int: Run] = [:]
  var startOrder: [(row: Int, key: Int, order: Int)] = []
  var lingering: [Lingering] = []
  var arrived: [(order: Int, isValue: Bool)] = []
  /// Operations with new previews or progress, and whether each has a preview.
  var shownByRun: [Int: Bool] = [:]
  /// Whether each kept value is stale.
  var values: [Int: Bool] = [:]
  var failed: Set<Int> = []
  /// The failures of a key since its last value or requested retry, and whether each was the first
  /// one of a display.
  var failures: [Int: [(cause: FailureCause, isFirst: Bool)]] = [:]
  /// Keys for which the next failure is the first one of a display.
  var beginsAnew: Set<Int> = []
  /// The time at which the loads of the last heal begin.
  var lastHeal: Int64?
  /// Whether the list or the network came back in this pass, and the times of the last returns.
  var isBack = false
  var hasNetworkBack = false
  var lastResume: Int64?
  var lastNetwork: Int64?
  var backoffs: [Int: Int64] = [:]
  /// Keys of prefetches that gave their slots to rows on screen.
  var setAside: Set<Int> = []
  /// Keys with a load that began as a prefetch, and not on screen since then.
  var unseen: Set<Int> = []
  /// The unseen keys from which the list jumped away.
  var jumpedOver: Set<Int> = []
  /// Keys with a value and without a claim at the end of the last pass.
  var inLine: Set<Int> = []
  /// The number of prefetched values that could be kept when an unseen value was last dropped.
  var unseenRoom: Int?
  /// The pass in which a value lost its last claim, or was committed without a claim.
  var lastUse: [Int: Int] = [:]
  var appearances: [(time: Int64, count: Int)] = []
  /// The durations of the last loads.
  var loadTimes: [Double] = []

  /// The number of blank rows of each key at the end of the last pass, and the time since which
  /// they are blank.
  var blank: [Int: (rows: Int, since: Int64)] = [:]
  package private(set) var blankTime: Int64 = 0
  var blankTimeEnd: Int64 = 0
  /// The time that each load took on screen until its first value.
  package private(set) var firstValueTimes: [Int64] = []

  package private(set) var complaints: [String] = []

  package init(
    settings: TrackerEngine.Settings, slots: Int, orderCount: Int? = nil,
    key: @escaping (Int) -> Int, cause: @escaping (Int) -> FailureCause
  ) {
    self.cause = cause
    order = Array(0..<(orderCount ?? 0))
    self.settings = settings
    self.slots = slots
    self.key = key
  }

  // MARK: Derived state

  var displayedRows: Set<Int> {
    Set(cells.values.filter(\.isDisplayed).compactMap(\.row))
  }

  func isClaimed(_ key: Int) -> Bool {
    displayedRows.contains { self.key($0) == key } || prefetched.contains { self.key($0) == key }
      || landing.contains { self.key($0) == key }
  }

  func wantsLoad(_ key: Int) -> Bool {
    !failed.contains(key) && values[key] != false && runs[key] == nil && backoffs[key] == nil
      && !setAside.contains(key)
  }

  /// All keys with any state.
  var keys: Set<Int> {
    Set((displayedRows.union(prefetched).union(landing)).map(key))
      .union(runs.keys).union(values.keys).union(failed).union(backoffs.keys)
  }

  package func phase(of row: Int) -> LoadPhase {
    let key = key(row)
    if let run = runs[key] { return .loading(hasStep: run.hasStep) }
    if backoffs[key] != nil { return .waiting }
    if failed.contains(key) {
      let isRetried = !isGivenUp(key) && !displayedRowsBefore.contains(row)
      return isRetried ? .waiting : .failed
    }
    return values[key] == false ? .loaded : .waiting
  }

  // MARK: Admission

  private func claimRank(_ key: Int) -> (Int, Int, Int)? {
    if landing.contains(where: { self.key($0) == key }) { return (0, 0, landingRank[key] ?? 0) }
    if displayedRows.contains(where: { self.key($0) == key }), let order = displayOrder[key] {
      return (1, isMoving ? -order.pass : order.pass, order.rank)
    }
    if prefetched.contains(where: { self.key($0) == key }), let order = prefetchRank[key] {
      return (2, order.hasIndex ? 1 : 0, order.rank)
    }
    return nil
  }

  private func isAdmitted(_ key: Int) -> Bool {
    guard !isSuspended, let claimRank = claimRank(key) else { return false }
    if claimRank.0 == 2, prefetchingRuns >= slots - 1 { return false }
    guard isMoving, settings.scrollPolicy != .immediate else { return true }
    guard settings.scrollPolicy == .adaptive else { return false }
    guard claimRank.0 > 0, let loadTime, let left = timeLeft(key) else { return true }
    return left >= loadTime
  }

  /// Whether a displayed key stays on screen for four median loads of at least 5 ms.
  private func isStaying(_ key: Int) -> Bool {
    let times = loadTimes.filter { $0 >= 5_000_000 }.suffix(15).sorted()
    guard !times.isEmpty else { return false }
    guard isMoving, let left = timeLeft(key) else { return true }
    return left >= 4 * times[(times.count - 1) / 2]
  }

  /// The remaining time of a key on screen, at the pace at which rows appeared in this scroll.
  ///
  /// A row stays for good if its dwell reaches the time constant of a fling.
  private func timeLeft(_ key: Int) -> Double? {
    let moves = appearances.filter {
      $0.count > 0 && $0.time > now - 1_000_000_000
    }
    let recent = moves.filter { $0.time > now - 100_000_000 }
    var (rows, time) = (recent.reduce(0) { $0 + $1.count }, Int64(100_000_000))
    if rows < 3 {
      guard
        let first = moves.indices.last(where: { start in
          moves[start].time <= now - 100_000_000
            && (start == 0 || moves[start...].reduce(0) { $0 + $1.count } >= 3)
        })
      else { return nil }
      rows = moves[(first + 1)...].reduce(0) { $0 + $1.count }
      time = now - moves[first].time
    }
    guard rows > 0 else { return nil }
    let dwell = Double(displayedRowsBefore.count) * Double(time) / Double(rows)
    let age = claimRank(key)?.0 == 1 ? Double(now - (displayOrder[key]?.since ?? 0)) : 0
    let constant = 499_500_000.0
    return dwell >= constant ? .infinity : -constant * log(1 - dwell / constant) - age
  }

  /// The median of the last fifteen load times.
  var loadTime: Double? {
    let times = loadTimes.suffix(15).sorted()
    return times.isEmpty ? nil : times[(times.count - 1) / 2]
  }

  mutating func recordLoadTime(_ time: Double) { loadTimes.append(time) }

  private var prefetchingRuns: Int { runs.keys.count { claimRank($0)?.0 == 2 } }

  /// The strongest claim that can load now.
  ///
  /// While the list moves, displayed rows of older passes have less time left than the newest row,
  /// and are held back with it.
  private var candidate: Int? {
    let waiting = keys.filter { isClaimed($0) && wantsLoad($0) }
      .compactMap { key in claimRank(key).map { (key, $0) } }
      .sorted { $0.1 < $1.1 }
    if let first = waiting.first(where: { $0.1.0 == 1 })?.0, waiting.first?.1.0 == 0,
      isStaying(first), isAdmitted(first)
    {
      return first
    }
    for kind in 0...2 {
      guard let first = waiting.first(where: { $0.1.0 == kind }) else { continue }
      if isAdmitted(first.0) { return first.0 }
    }
    return nil
  }

  /// Whether the strongest claim is more than a prefetch, so that unclaimed loads give way to it.
  private var candidateIsOnScreen: Bool {
    candidate.flatMap { claimRank($0) }.map { $0.0 < 2 } ?? false
  }

  private var weakestRunningPrefetch: Int? {
    runs.keys.compactMap { key in claimRank(key).map { (key, $0) } }.filter { $0.1.0 == 2 }
      .max { $0.1 < $1.1 }?.0
  }

  private var hasFreeSlot: Bool { runs.count + max(lingering.count - slots, 0) < slots }

  private var wouldGainByCancelling: Bool {
    runs.count - 1 + max(lingering.count + 1 - slots, 0) < slots
  }

  package mutating func complain(_ text: String) { complaints.append(text) }

  mutating func nextRank() -> Int {
    lastRank += 1
    return lastRank
  }
}

extension NaiveTracker {
  mutating func endPass(_ decisions: [Decision]) {
    let before = displayedKeysBefore
    commit()
    if isMoving, lastMove + settings.quietTime <= now {
      isMoving = false
      landing = []
    }
    addExpectations(decisions.compactMap { if case .expect(let row) = $0 { row } else { nil } })
    updateAppearances()
    heal()
    updateClaims()
    attached = Set(cells.values.compactMap(\.row) + prefetched + landing)
    for decision in decisions { check(decision) }
    checkNothingIsLeftToDo()
    updateBlanks(displayedBefore: before)
    newlyPrefetched = []
    inLine = Set(droppable)
    pass += 1
  }

  /// Adds the blank time of the rows on screen up to now.
  package mutating func addBlankTime() {
    if !isSuspended {
      blankTime += blank.values.reduce(0) { $0 + Int64($1.rows) } * (now - blankTimeEnd)
    }
    blankTimeEnd = now
  }

  private mutating func updateBlanks(displayedBefore: Set<Int>) {
    addBlankTime()
    for key in Set(displayedRows.map(key)) {
      guard values[key] != nil || runs[key]?.showsValue == true else {
        let rows = displayedRows.count { self.key($0) == key }
        blank[key] = (rows, displayOrder[key]?.since ?? now)
        continue
      }
      if let was = blank.removeValue(forKey: key) {
        // Time in suspension is no time on screen.
        if lastResume.map({ $0 <= was.since }) ?? true { firstValueTimes.append(now - was.since) }
      } else if !displayedBefore.contains(key) {
        firstValueTimes.append(0)
      }
    }
    for key in blank.keys where !displayedRows.contains(where: { self.key($0) == key }) {
      blank[key] = nil
    }
  }

  private mutating func commit() {
    for (order, isValue) in arrived {
      guard let start = startOrder.first(where: { $0.order == order }) else { continue }
      startOrder.removeAll { $0.order == order }
      guard !lingering.contains(where: { $0.order == order }) else {
        lingering.removeAll { $0.order == order }
        continue
      }
      guard let run = runs.removeValue(forKey: start.key) else { continue }
      guard isValue else {
        unseen.remove(start.key)
        if !run.isOutdated { fail(start.key, cause(start.key), since: run.startedAt) }
        continue
      }
      let time = Double(now - run.startedAt)
      recordLoadTime(time)
      values[start.key] = run.isOutdated
      jumpedOver.remove(start.key)
      lastUse[start.key] = pass
      failed.remove(start.key)
      failures[start.key] = nil
    }
    arrived = []
    for start in startOrder where !lingering.contains(where: { $0.order == start.order }) {
      guard let isValue = shownByRun[start.order] else { continue }
      runs[start.key]?.hasStep = true
      if isValue { runs[start.key]?.showsValue = true }
    }
    shownByRun = [:]
  }

  private mutating func fail(_ key: Int, _ cause: FailureCause, since start: Int64) {
    // The load ran when the list or the network came back.
    if let lastResume, start < lastResume { isBack = true }
    if cause.isConnectivity, let lastNetwork, start < lastNetwork { hasNetworkBack = true }
    let isFirst = beginsAnew.remove(key) != nil || failures[key] == nil
    failures[key, default: []].append((cause, isFirst))
    let attempts = (failures[key] ?? []).reversed().prefix { !$0.isFirst }.count + 1
    guard case .backoff(let strategy) = settings.retry, isClaimed(key), cause.isRetryable,
      let delay = strategy.delay(beforeRetry: attempts - 1, chance: 0)
    else {
      failed.insert(key)
      return
    }
    backoffs[key] = now + delay.nanoseconds
  }

  /// Whether only a request retries a key, since three displays in a row ended with equal failures.
  func isGivenUp(_ key: Int) -> Bool {
    guard settings.retry != .never, let all = failures[key], let last = all.last else {
      return true
    }
    guard last.cause.isRetryable else { return true }
    // Each display ended with the failure before the first one of the next display.
    let ends = all.indices.filter { $0 + 1 == all.count || all[$0 + 1].isFirst }
    return ends.reversed().prefix { all[$0].cause.kind == last.cause.kind }.count >= 3
  }

  private mutating func updateAppearances() {
    let displayed = displayedRows
    let isJump =
      !displayedRowsBefore.isEmpty && !displayed.isEmpty
      && displayed.isDisjoint(with: displayedRowsBefore)
    var count = 0
    for row in appeared where displayed.contains(row) && !displayedRowsBefore.contains(row) {
      displayedRowsBefore.insert(row)
      count += 1
      // The display of a row ends its prefetch claim.
      prefetched.removeAll { $0 == row }
      if failed.contains(key(row)), !isGivenUp(key(row)) {
        failed.remove(key(row))
        beginsAnew.insert(key(row))
      }
      guard displayedKeysBefore.insert(key(row)).inserted else { continue }
      unseen.remove(key(row))
      displayOrder[key(row)] = (pass, nextRank(), now)
    }
    appearedCount += count
    endOldPrefetches(isJump: isJump)
    appeared = []
    displayedRowsBefore = displayed
    displayedKeysBefore = Set(displayed.map(key))
    if isMoving { appearances.append((now, count)) }
  }

  private mutating func endOldPrefetches(isJump: Bool) {
    prefetched.removeAll { row in
      appearedCount - (prefetchedAfter[row] ?? 0) >= settings.prefetchLimit
        || isJump && !newlyPrefetched.contains(row)
    }
    guard isJump else { return }
    unseenRoom = nil
    for key in unseen where values[key] != nil && lastUse[key] != nil && runs[key] == nil {
      jumpedOver.insert(key)
      lastUse[key] = pass
    }
  }

  /// Whether a prefetch of a key can have an effect.
  private func isToBePrefetched(_ key: Int) -> Bool {
    wantsLoad(key) || runs[key] != nil || backoffs[key] != nil || setAside.contains(key)
  }

  private mutating func endUselessPrefetches() {
    prefetched = prefetched.filter { isToBePrefetched(key($0)) }
  }

  private mutating func updateClaims() {
    endUselessPrefetches()
    for key in keys {
      let isClaimed = isClaimed(key)
      if isClaimed {
        runs[key]?.unclaimedSince = nil
        lastUse[key] = nil
        jumpedOver.remove(key)
      } else {
        if runs[key] != nil, runs[key]?.unclaimedSince == nil { runs[key]?.unclaimedSince = now }
        backoffs[key] = nil
        setAside.remove(key)
        // The last failure counts again.
        if failures[key] != nil, runs[key] == nil { failed.insert(key) }
        if lastUse[key] == nil { lastUse[key] = pass }
      }
    }
    for (key, deadline) in backoffs where deadline <= now { backoffs[key] = nil }
    setAside = setAside.filter { claimRank($0)?.0 == 2 }
    let hangTime = loadTime.map { $0 * 2 } ?? 500_000_000
    for (key, run) in runs where claimRank(key)?.0 == 2 && Double(now - run.startedAt) >= hangTime {
      runs[key]?.isHung = true
    }
  }

  private func isOverdue(_ run: Run) -> Bool {
    run.unclaimedSince.map { $0 + settings.grace <= now } ?? false
  }

  private func isTimedOut(_ run: Run) -> Bool {
    settings.timeout.map { run.startedAt + $0 <= now } ?? false
  }

  private mutating func check(_ decision: Decision) {
    switch decision {
    case .start(let row):
      if candidate != key(row) { complain("started \(row) though \(candidate ?? -1) is next") }
      if !hasFreeSlot { complain("started \(row) without a slot") }
      if claimRank(key(row))?.0 == 2 { unseen.insert(key(row)) }
      runs[key(row)] = Run(row: row, startedAt: now)
      startOrder.append((row, key(row), nextRank()))
    case .cancel(let row):
      guard let run = runs[key(row)] else {
        return complain("cancelled \(row), which does not run")
      }
      let yields = isWeakest(key(row)) && !hasFreeSlot && wouldGainByCancelling
      if !isOverdue(run), !yields { complain("cancelled \(row) for nothing") }
      cancelRun(key(row))
      if run.unclaimedSince == nil {
        setAside.insert(key(row))
        failed.remove(key(row))
      }
    case .timeOut(let row):
      guard let run = runs[key(row)] else { return complain("timed out \(row), which is over") }
      if !isTimedOut(run) { complain("timed out \(row) too early") }
      cancelRun(key(row))
      if !run.isOutdated { fail(key(row), settings.timeOut, since: run.startedAt) }
      endUselessPrefetches()
    case .evict(let row):
      checkEviction(of: key(row))
    case .expect:
      break
    }
  }

  /// Whether a key's load gives way first to a row on screen.
  private func isWeakest(_ key: Int) -> Bool {
    guard candidateIsOnScreen, let run = runs[key] else { return false }
    let oldest = runs.values.compactMap(\.unclaimedSince).min()
    if oldest != nil { return run.unclaimedSince == oldest }
    if let hung = hungPrefetches.map(\.value.startedAt).min() {
      return isHungPrefetch(key) && run.startedAt == hung
    }
    return prefetchingRuns >= slots && key == weakestRunningPrefetch
  }

  private func isHungPrefetch(_ key: Int) -> Bool {
    claimRank(key)?.0 == 2 && runs[key]?.isHung == true
  }

  private var hungPrefetches: [Int: Run] { runs.filter { isHungPrefetch($0.key) } }

  var droppable: [Int] {
    values.keys.filter { !isClaimed($0) }
  }

  private var keepsTooMuch: Bool {
    values.count > settings.valueLimit ?? .max || values.count > settings.costLimit ?? .max
  }

  /// Whether the value of a key was prefetched and not seen.
  ///
  /// While a prefetch runs, the value is an older one and does not count.
  private func isUnseen(_ key: Int) -> Bool {
    unseen.contains(key) && !jumpedOver.contains(key) && runs[key] == nil
  }

  /// The keys of the values that can be dropped next; unseen prefetched values come last.
  private var dropsNext: [Int] {
    let seen = droppable.filter { !isUnseen($0) }
    guard seen.isEmpty else { return seen }
    return settings.valueLimit == 0 && droppable.count <= settings.prefetchLimit ? [] : droppable
  }

  private mutating func checkEviction(of key: Int) {
    if !keepsTooMuch { complain("evicted \(key) though there was room") }
    let oldest = dropsNext.map { lastUse[$0] ?? 0 }.min()
    if !droppable.contains(key) { complain("evicted \(key), which is in use") }
    if !dropsNext.contains(key) { complain("evicted \(key), which was prefetched and not seen") }
    if lastUse[key] ?? 0 != oldest { complain("evicted \(key), which was used more recently") }
    let isUnseen = isUnseen(key)
    dropValue(key)
    if isUnseen { unseenRoom = droppable.count }
  }

  mutating func dropValue(_ key: Int) {
    values[key] = nil
    inLine.remove(key)
    unseen.remove(key)
    jumpedOver.remove(key)
  }

  private mutating func checkNothingIsLeftToDo() {
    for (key, run) in runs {
      if isOverdue(run) { complain("\(key) runs on after its grace") }
      if isTimedOut(run) { complain("\(key) runs on after its time") }
    }
    if keepsTooMuch, !dropsNext.isEmpty { complain("\(values.count) values are kept") }
    guard let candidate else { return }
    if hasFreeSlot { complain("\(candidate) waits though a slot is free") }
    if runs.values.contains(where: { $0.unclaimedSince != nil }), wouldGainByCancelling,
      candidateIsOnScreen
    {
      complain("\(candidate) waits for the slot of an unclaimed load")
    }
    if !hungPrefetches.isEmpty, wouldGainByCancelling, candidateIsOnScreen {
      complain("\(candidate) waits for the slot of a hung prefetch")
    }
    if prefetchingRuns >= slots, wouldGainByCancelling {
      complain("\(candidate) waits while prefetched rows hold all slots")
    }
  }
}
