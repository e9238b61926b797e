/// When rows are on screen, by the motions of their lists.
extension TrackerEngine {
  /// Where the lists are going.
  struct Outlook {
    let now: Int64
    /// The course of rows that no window holds; `nil` if unknown.
    let course: Course?
    let isInMotion: Bool
    /// The visits of rows that windows hold, once for each row.
    var visits: [(row: RowID, visit: Visit)] = []

    func visit(of row: RowID) -> Visit? { visits.first { $0.row == row }?.visit }

    /// A repeated row counts where it comes first and stays longest.
    mutating func add(_ visit: Visit, of row: RowID, isRepeated: Bool) {
      if isRepeated, let index = visits.firstIndex(where: { $0.row == row }) {
        if visit.comesBefore(visits[index].visit) { visits[index].visit = visit }
      } else {
        visits.append((row, visit))
      }
    }
  }

  @inline(never)
  func outlook(at now: Int64) -> Outlook {
    // At rest, rows on screen stay, and no other row comes.
    guard gate.isMoving else { return Outlook(now: now, course: nil, isInMotion: false) }
    var outlook = Outlook(now: now, course: gate.commonCourse(at: now), isInMotion: true)
    outlook.visits.reserveCapacity(line.count + runs.running)
    for window in windows {
      if let motion = gate.index(of: window.key.list) {
        addVisits(of: window, motion, to: &outlook)
      } else {
        addVisitsAtRest(of: window, to: &outlook)
      }
    }
    return outlook
  }

  @inline(never)
  private func addVisits(of window: OrderWindow, _ motion: Int, to outlook: inout Outlook) {
    let landing = courseToLanding(of: window, motion)
    let course = landing?.course ?? gate.course(in: motion, at: outlook.now)
    let isForward = landing?.isForward ?? window.isForward
    // A section that scrolls by itself brings no rows on screen while its list moves.
    let bringsRows = window.key.section == nil
    window.forEachRow { position, row in
      guard needsVisit(row) else { return }
      var visit = Visit.away
      if bringsRows || rows[row].displays > 0 {
        visit = Self.visit(window.passing(position, isForward: isForward), course)
      }
      outlook.add(visit, of: row, isRepeated: rows[row].places > 1)
    }
  }

  /// The visits in a list at rest, while another list moves and may land there.
  @inline(never)
  private func addVisitsAtRest(of window: OrderWindow, to outlook: inout Outlook) {
    window.forEachRow { position, row in
      guard needsVisit(row) else { return }
      let isDisplayed = window.shown.contains(position) && rows[row].displays > 0
      guard isDisplayed || !rows[row].isLanding else { return }
      outlook.add(
        .resting(isDisplayed: isDisplayed), of: row, isRepeated: rows[row].places > 1)
    }
  }

  private func needsVisit(_ row: RowID) -> Bool {
    rows[row].work == .waiting || rows[row].run != nil && rows[row].displays == 0
      || rows[row].listening != .none
  }

  private static func visit(_ passing: (entry: Double, exit: Double), _ course: Course?) -> Visit {
    guard let course, passing.exit > 0 else { return .away }
    return Visit(
      begin: course.time(toPass: passing.entry), end: course.time(toPass: passing.exit))
  }

  /// The course to a list's landing; `nil` if its window holds no landing row.
  private func courseToLanding(
    of window: OrderWindow, _ motion: Int
  ) -> (course: Course, isForward: Bool)? {
    guard !gate.motions[motion].landing.isEmpty else { return nil }
    var landing: (first: Int, last: Int)?
    window.forEachRow { position, row in
      if rows[row].isLanding { landing = (landing?.first ?? position, position) }
    }
    guard let landing else { return nil }
    let forward = landing.last - window.shown.upperBound + 1
    let backward = window.shown.lowerBound - landing.first
    let isForward = forward == backward ? window.isForward : forward > backward
    return (Course(distance: Double(max(forward, backward))), isForward)
  }

  func visit(of row: RowID, _ outlook: Outlook) -> Visit {
    visit(of: row, inWindow: outlook.visit(of: row), outlook)
  }

  /// - Parameter known: The visit by the windows that hold the row.
  func visit(of row: RowID, inWindow known: Visit?, _ outlook: Outlook) -> Visit {
    let isDisplayed = rows[row].displays > 0
    guard outlook.isInMotion else { return .resting(isDisplayed: isDisplayed) }
    let expected = known ?? visitByPace(row, outlook)
    // A landing row stays once it has come.
    return Visit(
      begin: isDisplayed ? 0 : expected.begin, end: rows[row].isLanding ? .infinity : expected.end,
      isInMotion: expected.isInMotion)
  }

  /// No window holds the row.
  private func visitByPace(_ row: RowID, _ outlook: Outlook) -> Visit {
    guard let course = outlook.course else { return .away }
    let screen = Double(blanks.displayedRows)
    if rows[row].displays > 0 {
      let age = Double(outlook.now - rows[row].displayedAt)
      return Visit(begin: 0, end: max(course.time(toPass: screen) - age, 0))
    }
    if rows[row].isLanding {
      // The last screen appears when as many rows are left as it has.
      return Visit(begin: course.time(toPass: course.distance - screen), end: .infinity)
    }
    // A list announces its rows about a screen ahead.
    let passed = Double(claims.appearedCount &- rows[row].prefetchedAfter)
    let left = max(screen - passed, 1)
    return Visit(begin: course.time(toPass: left), end: course.time(toPass: left + screen))
  }
}
