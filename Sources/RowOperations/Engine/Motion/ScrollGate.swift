/// Decides whether a row may start loading while lists move.
///
/// Each list has a motion of its own, and all have the load times in common. All times are
/// nanoseconds on the tracker's clock.
package struct ScrollGate {
  /// Shorter loads come from a cache and do not count as loads.
  static let shortestLoad: Int64 = 5_000_000

  /// The assumed time of a load before any has run for longer.
  package static let firstGuess: Int64 = 50_000_000

  /// The rule for rows that may start while their list moves.
  package enum Policy: Hashable, Sendable {
    /// A row starts if it stays on screen for at least half the time of a load.
    case adaptive
    case whenSettled
    case immediate
  }

  let policy: Policy
  package let quietTime: Int64

  /// The motions of the lists that move, in the order of their numbers.
  package private(set) var motions: [ListMotion] = [] {
    didSet { isMoving = !motions.isEmpty }
  }
  /// Whether any list moves.
  package private(set) var isMoving = false
  package private(set) var loadTimes = LoadTimes()
  /// The longest time that a load ran until its cancel, before the first load ended.
  package private(set) var longestCut: Int64 = 0
  /// The times of the last loads above `shortestLoad`, as a ring buffer.
  private var slowLoads: [Int64] = []
  private var oldestSlowLoad = 0

  init(policy: Policy, quietTime: Int64) {
    self.policy = policy
    self.quietTime = quietTime
  }

  // MARK: Motion

  /// The index of a list's motion; `nil` if the list rests.
  @inline(__always)
  func index(of list: ListNumber) -> Int? {
    // An index, since a motion is slow to copy.
    for index in motions.indices where motions[index].list == list { return index }
    return nil
  }

  package func isMoving(_ list: ListNumber) -> Bool { index(of: list) != nil }

  mutating func moved(_ list: ListNumber, at now: Int64) {
    if let index = index(of: list) { return motions[index].moved(at: now) }
    let place = motions.firstIndex { $0.list > list } ?? motions.count
    motions.insert(ListMotion(list, at: now), at: place)
  }

  mutating func settled(_ list: ListNumber) {
    if let index = index(of: list) { motions.remove(at: index) }
  }

  /// The time at which the first list counts as settled unless it moves again.
  var quietDeadline: Int64? {
    var first: Int64?
    for index in motions.indices { first = min(first ?? .max, motions[index].lastMove) }
    return first.map { $0 + quietTime }
  }

  /// A list that counts as settled.
  func quietList(at now: Int64) -> ListNumber? {
    for index in motions.indices where motions[index].lastMove + quietTime <= now {
      return motions[index].list
    }
    return nil
  }

  // MARK: Landing

  /// Adds a row on screen when a list rests.
  mutating func lands(_ list: ListNumber, on landing: ListMotion.Landing) {
    if let index = index(of: list) { motions[index].landing.append(landing) }
  }

  /// - Returns: The rows where a list lands, which it lands on no longer.
  mutating func takeLanding(of list: ListNumber) -> [ListMotion.Landing] {
    guard let index = index(of: list) else { return [] }
    defer { motions[index].landing = [] }
    return motions[index].landing
  }

  /// Whether a list other than that of a motion has landing rows.
  func hasLanding(besides index: Int?) -> Bool {
    for other in motions.indices where other != index && !motions[other].landing.isEmpty {
      return true
    }
    return false
  }

  // MARK: Appearing rows

  /// Counts rows that appeared while a list moves.
  ///
  /// Rows that appear at rest do not reveal the pace.
  mutating func rowsAppeared(_ count: Int, in index: Int, at now: Int64) {
    motions[index].rowsAppeared(count, at: now)
  }

  /// The rows of a list that come on screen per second.
  func rate(of list: ListNumber, at now: Int64) -> Double {
    guard let index = index(of: list) else { return 0 }
    return (motions[index].pace(at: now) ?? 0) * 1e9
  }

  /// The way that a list still has before it, by the pace at which rows appear.
  func course(in index: Int, at now: Int64) -> Course? {
    motions[index].pace(at: now).map { Course(pace: $0) }
  }

  /// Whether the course of any list is known.
  func hasCourse(at now: Int64) -> Bool {
    for index in motions.indices where course(in: index, at: now) != nil { return true }
    return false
  }

  /// The motion of rows that no window holds: that of the list without a number, or else the first
  /// one with a known pace.
  func commonMotion(at now: Int64) -> (index: Int, course: Course?)? {
    guard let first = motions.indices.first else { return nil }
    let course = course(in: first, at: now)
    guard course == nil, motions[first].list != .unnumbered else { return (first, course) }
    for index in motions.indices.dropFirst() {
      if let course = self.course(in: index, at: now) { return (index, course) }
    }
    return (first, nil)
  }

  // MARK: Load times

  mutating func loadEnded(after time: Int64) {
    loadTimes.add(time)
    guard time >= Self.shortestLoad else { return }
    guard slowLoads.count == LoadTimes.count else { return slowLoads.append(time) }
    slowLoads[oldestSlowLoad] = time
    oldestSlowLoad = (oldestSlowLoad + 1) % LoadTimes.count
  }

  /// The median of the last loads above `shortestLoad`.
  ///
  /// Sorts on each call, since calls are rare.
  var slowLoadTime: Int64? {
    slowLoads.isEmpty ? nil : slowLoads.sorted(byNumber: { Double($0) })[(slowLoads.count - 1) / 2]
  }

  /// Adds a cancelled load, which would have taken at least this long.
  mutating func loadCancelled(after time: Int64) {
    guard let median = loadTimes.median else { return longestCut = max(longestCut, time) }
    if time > median { loadEnded(after: time) }
  }

  /// The time of a load: the median, or before the first end the longest time for which one has run
  /// that runs or was cancelled, ``firstGuess`` at least.
  ///
  /// - Parameter age: How long the oldest load has run so far.
  func loadTime(age: Int64) -> Int64 {
    loadTimes.median ?? max(Self.firstGuess, longestCut, age)
  }

  /// The running time after which a prefetched load yields its slot to a displayed row.
  var hangTime: Int64 { loadTimes.median.map { $0 * 2 } ?? max(500_000_000, longestCut * 2) }

  // MARK: Decisions

  /// Whether the policy holds a row back that is on screen for that time.
  ///
  /// `.adaptive` holds a row back that leaves before half a load could end. It starts one that
  /// leaves a little before the end of its load, since the list may stop earlier than expected.
  func holds(_ visit: Visit) -> Bool {
    guard isMoving, visit.isInMotion else { return false }
    switch policy {
    case .immediate: return false
    case .whenSettled: return true
    case .adaptive: return loadTimes.median.map { visit.end < Double($0) / 2 } ?? false
    }
  }

  /// The time at which a decision may change without an input.
  func nextReevaluation(after time: Int64) -> Int64? {
    guard policy == .adaptive else { return nil }
    var first: Int64?
    for index in motions.indices {
      guard let next = motions[index].nextReevaluation(after: time) else { continue }
      first = min(first ?? .max, next)
    }
    return first
  }
}
