/// When rows are on screen, by the motions of their lists.
extension TrackerEngine {
  private static var trembledRows: Double { 1 }

  /// Where the lists are going.
  struct Outlook {
    let now: Int64
    /// The course of rows that no window holds; `nil` if unknown.
    let course: Course?
    /// The visits of rows that windows hold, by the courses of their lists, in the order of rows.
    ///
    /// A sorted array, since a dictionary of so few rows costs more.
    private let visits: [(row: RowID, visit: Visit)]
    /// The courses to the rows where lists land, if several lists move; each `nil` if unknown.
    fileprivate let landings: [ListMotion.Landing: Course?]

    init(
      now: Int64, course: Course?, visits: [(row: RowID, visit: Visit)] = [],
      landings: [ListMotion.Landing: Course?] = [:]
    ) {
      (self.now, self.course, self.landings) = (now, course, landings)
      self.visits = visits.sorted { a, b in
        if a.row != b.row { return a.row.index < b.row.index }
        return a.visit.comesBefore(b.visit)
      }
    }

    /// A row that is at several positions counts where it comes on screen first and stays longest.
    func visit(of row: RowID) -> Visit? {
      let index = visits.firstIndexInOrder { $0.row.index >= row.index }
      return index < visits.count && visits[index].row == row ? visits[index].visit : nil
    }
  }

  /// O(positions in the windows · log positions) while a list moves, and O(landing rows) while
  /// several do.
  @inline(never)
  func outlook(at now: Int64) -> Outlook {
    guard let common = gate.commonMotion(at: now) else { return Outlook(now: now, course: nil) }
    var visits: [(row: RowID, visit: Visit)] = []
    visits.reserveCapacity(line.count + runs.running)
    for window in windows {
      if let motion = gate.index(of: window.key.list) {
        let pace = motion == common.index ? common.course : gate.course(in: motion, at: now)
        addVisits(of: window, motion, pace, at: now, to: &visits)
      } else {
        addVisitsAtRest(of: window, to: &visits)
      }
    }
    return Outlook(
      now: now, course: common.course, visits: visits, landings: coursesOfLandings(at: now))
  }

  @inline(never)
  private func addVisits(
    of window: OrderWindow, _ motion: Int, _ pace: Course?, at now: Int64,
    to visits: inout [(row: RowID, visit: Visit)]
  ) {
    let (course, isForward) =
      course(of: window, motion)
      ?? (pace ?? leastCourse(of: window, motion, at: now), window.isForward)
    for position in window.range {
      window[position].forEachRow { row in
        guard rows[row].work == .waiting || rows[row].run != nil || rows[row].listening != .none
        else { return }
        let passing = window.passing(position, isForward: isForward)
        // A section that scrolls by itself has the motion of its list, and may rest meanwhile.
        visits.append((row, Self.visit(passing, course, mayBeBehind: window.key.section == nil)))
      }
    }
  }

  /// The visits of rows in a list at rest, while another list moves.
  ///
  /// The other list may land on them.
  @inline(never)
  private func addVisitsAtRest(
    of window: OrderWindow, to visits: inout [(row: RowID, visit: Visit)]
  ) {
    for position in window.range {
      let isShown = window.shown.contains(position)
      window[position].forEachRow { row in
        guard rows[row].work == .waiting || rows[row].run != nil || rows[row].listening != .none
        else { return }
        let isDisplayed = isShown && rows[row].displays > 0
        guard isDisplayed || !rows[row].isLanding else { return }
        visits.append((row, .resting(isDisplayed: isDisplayed)))
      }
    }
  }

  private static func visit(
    _ passing: (entry: Double, exit: Double), _ course: Course?, mayBeBehind: Bool
  ) -> Visit {
    guard let course else { return .away }
    guard passing.exit > 0 else {
      // A finger that trembles at the edge of a row leaves nothing behind.
      return mayBeBehind && passing.exit < -Self.trembledRows ? .behind : .away
    }
    return Visit(
      begin: course.time(toPass: passing.entry), end: course.time(toPass: passing.exit))
  }

  /// The course to the landing of a list; `nil` if its window holds no landing row.
  private func course(
    of window: OrderWindow, _ motion: Int
  ) -> (course: Course?, isForward: Bool)? {
    guard !gate.motions[motion].landing.isEmpty else { return nil }
    // Only if other lists land somewhere, the claim of a row may be theirs.
    let own = gate.hasLanding(besides: motion) ? Set(gate.motions[motion].landing) : nil
    var landing: ClosedRange<Int>?
    for position in window.range {
      window[position].forEachRow { row in
        guard rows[row].isLanding else { return }
        if own?.contains(self.landing(on: row)) ?? true { landing.include(position) }
      }
    }
    guard let landing else { return nil }
    let forward = landing.upperBound - window.shown.upperBound + 1
    let backward = window.shown.lowerBound - landing.lowerBound
    let isForward = forward == backward ? window.isForward : forward > backward
    return (Course(distance: Double(max(forward, backward))), isForward)
  }

  /// The course of a list that lands beyond its window, while its pace is unknown: at least through
  /// the window.
  private func leastCourse(of window: OrderWindow, _ motion: Int, at now: Int64) -> Course? {
    guard window.key.section == nil, !window.reachesEndAhead,
      gate.motions[motion].rowsAppearedLately(at: now),
      gate.motions[motion].landing.contains(where: isLanding)
    else { return nil }
    return Course(distance: Double(window.positionsAhead))
  }

  func visit(of row: RowID, _ outlook: Outlook) -> Visit {
    let isDisplayed = rows[row].displays > 0
    let expected = outlook.visit(of: row) ?? visitByPace(row, outlook)
    // A landing row stays once it has come.
    return Visit(
      begin: isDisplayed ? 0 : expected.begin, end: rows[row].isLanding ? .infinity : expected.end,
      isInMotion: expected.isInMotion, isBehind: expected.isBehind && !isDisplayed)
  }

  /// The visit of a row that no window holds.
  private func visitByPace(_ row: RowID, _ outlook: Outlook) -> Visit {
    let known = rows[row].isLanding ? courseOfLanding(on: row, outlook) : outlook.course
    guard let course = known else { return .away }
    let screen = Double(blanks.displayedRows)
    if rows[row].displays > 0 {
      let age = Double(outlook.now - rows[row].displayedAt)
      return Visit(begin: 0, end: max(course.time(toPass: screen) - age, 0))
    }
    if rows[row].isLanding {
      // The last screen begins to appear when as many rows are left as it has.
      return Visit(begin: course.time(toPass: course.distance - screen), end: .infinity)
    }
    // A list announces its rows about a screen ahead.
    let passed = Double(claims.appearedCount &- rows[row].prefetchedAfter)
    let left = max(screen - passed, 1)
    return Visit(begin: course.time(toPass: left), end: course.time(toPass: left + screen))
  }

  /// The course of the first list that lands on a row.
  @inline(never)
  private func courseOfLanding(on row: RowID, _ outlook: Outlook) -> Course? {
    guard gate.motions.count > 1 else { return outlook.course }
    return outlook.landings[landing(on: row)] ?? nil
  }

  private func coursesOfLandings(at now: Int64) -> [ListMotion.Landing: Course?] {
    guard gate.motions.count > 1 else { return [:] }
    var courses: [ListMotion.Landing: Course?] = [:]
    for index in gate.motions.indices where !gate.motions[index].landing.isEmpty {
      let course = gate.course(in: index, at: now)
      for landing in gate.motions[index].landing where courses[landing] == nil {
        courses.updateValue(course, forKey: landing)
      }
    }
    return courses
  }
}

extension ClosedRange<Int>? {
  fileprivate mutating func include(_ position: Int) {
    self =
      self.map { Swift.min($0.lowerBound, position)...Swift.max($0.upperBound, position) }
      ?? position...position
  }
}
