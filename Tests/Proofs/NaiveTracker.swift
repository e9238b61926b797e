import Foundation
import RowOperations
import RowOperationsTesting

/// The rules of the tracker, written down without a thought for speed: whatever can be worked out
/// again is worked out again, by going through everything.
///
/// It does not decide. It is told what the machine decided, in order, and says what breaks a rule:
/// a decision for which there was no reason, and a reason after which there was no decision.
package struct NaiveTracker {
  package typealias Decision = EngineDriver.Decision

  struct Cell {
    var row: Int?
    var isDisplayed = false
  }

  struct Run {
    let row: Int
    let startedAt: Int64
    /// Whether it was invalidated while it ran.
    var isOutdated = false
    /// Whether it was only prefetched, and ran for twice as long as loads take.
    var isHung = false
    /// Whether it has brought anything before its end, and whether that was a value.
    var hasStep = false
    var showsValue = false
    /// When the pass ended after which nothing claimed it.
    var unclaimedSince: Int64?
  }

  /// A run that was cancelled and has not come to its end.
  struct Lingering {
    let row: Int
    let order: Int
  }

  let settings: TrackerEngine.Settings
  let slots: Int
  /// What a row's value is loaded from.
  let key: (Int) -> Int
  /// Why the load of a key fails.
  let cause: (Int) -> FailureCause

  // What was said.
  var cells: [Int: Cell] = [:]
  /// The oldest claim first.
  var prefetched: [Int] = []
  /// Rows whose prefetch claim was made or renewed in this pass.
  var newlyPrefetched: Set<Int> = []
  /// How many rows had come on screen when each claim was made or renewed.
  var prefetchedAfter: [Int: Int] = [:]
  /// How many rows have come on screen.
  var appearedCount = 0
  var landing: [Int] = []
  var isMoving = false
  var lastMove: Int64 = 0
  var isSuspended = false
  var now: Int64 = 0
  /// Rows that have cells or claims, or were mentioned in this pass: they keep what they share.
  var attached: Set<Int> = []
  /// Rows in the order in which they came on screen in this pass.
  var appeared: [Int] = []

  // What was so when the last pass ended.
  var pass = 1
  var displayedRowsBefore: Set<Int> = []
  var displayedKeysBefore: Set<Int> = []
  /// When each displayed key came on screen: the pass, the order, the time.
  var displayOrder: [Int: (pass: Int, rank: Int, since: Int64)] = [:]
  /// Where a prefetched key stands: rows without a place first, then by the rank.
  var prefetchRank: [Int: (hasIndex: Bool, rank: Int)] = [:]
  /// The rows of the list in their order, where the list is, which way it goes, and for which
  /// places the tracker has asked.
  var order: [Int] = []
  var shownIndices: ClosedRange<Int>?
  var isForward = true
  var origin = 0
  var asked: Set<Int> = []
  var landingRank: [Int: Int] = [:]
  var lastRank = 0

  // What came of it.
  var runs: [Int: Run] = [:]
  var startOrder: [(row: Int, key: Int, order: Int)] = []
  var lingering: [Lingering] = []
  var arrived: [(order: Int, isValue: Bool)] = []
  /// Operations that have something new to show before their end, and whether that is a value.
  var shownByRun: [Int: Bool] = [:]
  /// Whether each kept value is stale.
  var values: [Int: Bool] = [:]
  var failed: Set<Int> = []
  /// Each failure since a key had a value or was retried on request, and whether it was the first
  /// one of a display.
  var failures: [Int: [(cause: FailureCause, isFirst: Bool)]] = [:]
  /// Keys whose next failure is the first one of a display.
  var beginsAnew: Set<Int> = []
  /// When the loads of the last heal began, or are to begin.
  var lastHeal: Int64?
  /// What came back in this pass, and when it last did.
  var isBack = false
  var hasNetworkBack = false
  var lastResume: Int64?
  var lastNetwork: Int64?
  var backoffs: [Int: Int64] = [:]
  /// Prefetched, and out of a slot for a row on screen.
  var setAside: Set<Int> = []
  /// Keys whose load began as a prefetch, and that have not been on screen since.
  var unseen: Set<Int> = []
  /// Of these, those that the list jumped away from.
  var jumpedOver: Set<Int> = []
  /// Keys with a value that nothing claimed when the last pass ended.
  var inLine: Set<Int> = []
  /// How many prefetched values could be kept when one was last dropped unseen.
  var unseenRoom: Int?
  /// The pass in which a value came to be claimed by nobody, or was committed so.
  var lastUse: [Int: Int] = [:]
  var appearances: [(time: Int64, count: Int)] = []
  /// How long the last loads took.
  var loadTimes: [Double] = []

  /// Rows on screen that showed no value when the last pass ended, by key, and the time that they
  /// were blank, each row counted.
  var blank: [Int: (rows: Int, since: Int64)] = [:]
  package private(set) var blankTime: Int64 = 0
  var blankTimeEnd: Int64 = 0
  /// For how long each load was awaited on screen.
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

  // MARK: What follows from what was said

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

  /// All keys that anything is known of.
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

  // MARK: Who is next

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

  /// Whether a displayed key stays on screen for four loads that are no looks into a cache.
  private func isStaying(_ key: Int) -> Bool {
    let times = loadTimes.filter { $0 >= 5_000_000 }.suffix(15).sorted()
    guard !times.isEmpty else { return false }
    guard isMoving, let left = timeLeft(key) else { return true }
    return left >= 4 * times[(times.count - 1) / 2]
  }

  /// How long a key stays on screen at the pace at which rows came on screen since the list moves.
  ///
  /// A row that would take as long as the time constant of a fling stays for good.
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

  /// The median of the last fifteen.
  var loadTime: Double? {
    let times = loadTimes.suffix(15).sorted()
    return times.isEmpty ? nil : times[(times.count - 1) / 2]
  }

  mutating func recordLoadTime(_ time: Double) { loadTimes.append(time) }

  private var prefetchingRuns: Int { runs.keys.count { claimRank($0)?.0 == 2 } }

  /// The strongest claim that may be loaded now.
  ///
  /// While the list moves, displayed rows of older passes have less time left than the newest, and
  /// are not asked when that one is held back.
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

  /// Whether the strongest claim is more than a prefetch: then loads that nothing claims give way.
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

  /// The time up to now during which rows on screen showed no value.
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
        // The time out of sight is no time on screen.
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
    // It was under way when the list or the network came back.
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

  /// Whether nothing but a request has a key tried again: three displays in a row ended alike.
  func isGivenUp(_ key: Int) -> Bool {
    guard settings.retry != .never, let all = failures[key], let last = all.last else {
      return true
    }
    guard last.cause.isRetryable else { return true }
    // How each display ended: with the failure before the first one of the next.
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
      // It has been displayed: that is what it was prefetched for.
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

  /// Whether a prefetch of a key can bring anything.
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
        // What failed last has still failed.
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

  /// Whether it is the one to give way to a row on screen.
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
  /// While a prefetch runs it is an older one.
  private func isUnseen(_ key: Int) -> Bool {
    unseen.contains(key) && !jumpedOver.contains(key) && runs[key] == nil
  }

  /// What may be dropped next: values that were prefetched and never seen go last.
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
      complain("\(candidate) waits for a slot that nobody claims")
    }
    if !hungPrefetches.isEmpty, wouldGainByCancelling, candidateIsOnScreen {
      complain("\(candidate) waits for a slot that a hung prefetch holds")
    }
    if prefetchingRuns >= slots, wouldGainByCancelling {
      complain("\(candidate) waits while prefetched rows have all slots")
    }
  }
}
