/// Decides whether a row may start loading while lists move; times are nanoseconds.
///
/// Each list has its own motion, and all share the load times.
package struct ScrollGate {
  /// For the time of a load, before any has run for longer.
  static let firstGuess: Int64 = 50_000_000

  enum Policy: Hashable, Sendable {
    /// A row starts that stays on screen for half the time of a load.
    case adaptive
    case whenSettled
    case immediate
  }

  let policy: Policy
  package let quietTime: Int64

  /// Those of moving lists, by number.
  private(set) var motions: [ListMotion] = [] {
    didSet { isMoving = !motions.isEmpty }
  }
  package private(set) var isMoving = false
  private(set) var loadTimes = LoadTimes()

  init(policy: Policy, quietTime: Int64) {
    self.policy = policy
    self.quietTime = quietTime
  }

  // MARK: Motion

  /// `nil` if the list rests.
  @inline(__always)
  func index(of list: ListNumber) -> Int? {
    // Motions are slow to copy.
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

  /// The first list counts as settled then, unless it moves again.
  var quietDeadline: Int64? {
    var first: Int64?
    for index in motions.indices { first = min(first ?? .max, motions[index].lastMove) }
    return first.map { $0 + quietTime }
  }

  func quietList(at now: Int64) -> ListNumber? {
    for index in motions.indices where motions[index].lastMove + quietTime <= now {
      return motions[index].list
    }
    return nil
  }

  // MARK: Landing

  mutating func lands(_ list: ListNumber, on row: RowID) {
    if let index = index(of: list) { motions[index].landing.append(row) }
  }

  /// - Returns: The rows where the list lands no longer.
  mutating func takeLanding(of list: ListNumber) -> [RowID] {
    guard let index = index(of: list) else { return [] }
    defer { motions[index].landing = [] }
    return motions[index].landing
  }

  func isLanding(on row: RowID) -> Bool {
    for index in motions.indices where motions[index].landing.contains(row) { return true }
    return false
  }

  mutating func moveLanding(of gone: RowID, to kept: RowID) {
    for index in motions.indices where motions[index].landing.contains(gone) {
      motions[index].landing.removeAll { $0 == gone || $0 == kept }
      motions[index].landing.append(kept)
    }
  }

  mutating func dropLanding(on row: RowID) {
    for index in motions.indices { motions[index].landing.removeAll { $0 == row } }
  }

  // MARK: Appearing rows

  /// Rows that appear at rest do not reveal the pace.
  mutating func rowsAppeared(_ count: Int, in index: Int, at now: Int64) {
    motions[index].rowsAppeared(count, at: now)
  }

  /// By the pace at which rows appear.
  func course(in index: Int, at now: Int64) -> Course? {
    motions[index].pace(at: now).map { Course(pace: $0) }
  }

  /// For rows in no window: the course of the list without a number, or else the first known one.
  func commonCourse(at now: Int64) -> Course? {
    if motions.first?.list == .unnumbered { return course(in: 0, at: now) }
    for index in motions.indices {
      if let course = course(in: index, at: now) { return course }
    }
    return nil
  }

  // MARK: Load times

  /// A nanosecond at least, whatever the clock says.
  mutating func loadEnded(after time: Int64) { loadTimes.add(max(time, 1)) }

  /// The median, or before the first end the run time of the oldest load, ``firstGuess`` at least.
  ///
  /// - Parameter age: That run time.
  func loadTime(age: Int64) -> Int64 { loadTimes.median ?? max(Self.firstGuess, age) }

  // MARK: Decisions

  /// Whether a row with that visit is held back.
  ///
  /// `.adaptive` holds rows that leave before half a load could end. It starts those that leave a
  /// little before its end, since the list may stop earlier.
  func holds(_ visit: Visit) -> Bool {
    guard isMoving, visit.isInMotion else { return false }
    switch policy {
    case .immediate: return false
    case .whenSettled: return true
    case .adaptive: return loadTimes.median.map { visit.end < Double($0) / 2 } ?? false
    }
  }
}
