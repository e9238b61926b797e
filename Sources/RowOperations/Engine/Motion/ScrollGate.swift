/// Decides whether a row may start loading while lists move.
///
/// Each list has a motion of its own, and all have the load times in common. All times are
/// nanoseconds on the tracker's clock.
package struct ScrollGate {
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
  mutating func lands(_ list: ListNumber, on row: RowID) {
    if let index = index(of: list) { motions[index].landing.append(row) }
  }

  /// - Returns: The rows where a list lands, which it lands on no longer.
  mutating func takeLanding(of list: ListNumber) -> [RowID] {
    guard let index = index(of: list) else { return [] }
    defer { motions[index].landing = [] }
    return motions[index].landing
  }

  /// Whether any list lands on a row.
  ///
  /// O(landing rows).
  func isLanding(on row: RowID) -> Bool {
    for index in motions.indices where motions[index].landing.contains(row) { return true }
    return false
  }

  /// Takes a row out of the landings of all lists.
  mutating func dropLanding(on row: RowID) {
    for index in motions.indices { motions[index].landing.removeAll { $0 == row } }
  }

  // MARK: Appearing rows

  /// Counts rows that appeared while a list moves.
  ///
  /// Rows that appear at rest do not reveal the pace.
  mutating func rowsAppeared(_ count: Int, in index: Int, at now: Int64) {
    motions[index].rowsAppeared(count, at: now)
  }

  /// The way that a list still has before it, by the pace at which rows appear.
  func course(in index: Int, at now: Int64) -> Course? {
    motions[index].pace(at: now).map { Course(pace: $0) }
  }

  /// The course of rows that no window holds: that of the list without a number, or else the first
  /// known one.
  func commonCourse(at now: Int64) -> Course? {
    if motions.first?.list == .unnumbered { return course(in: 0, at: now) }
    for index in motions.indices {
      if let course = course(in: index, at: now) { return course }
    }
    return nil
  }

  // MARK: Load times

  /// Adds the time of a load, a nanosecond at least, whatever the clock says.
  mutating func loadEnded(after time: Int64) { loadTimes.add(max(time, 1)) }

  /// The time of a load: the median, or before the first end as long as the oldest load has run,
  /// ``firstGuess`` at least.
  ///
  /// - Parameter age: How long the oldest load has run so far.
  func loadTime(age: Int64) -> Int64 { loadTimes.median ?? max(Self.firstGuess, age) }

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
}
