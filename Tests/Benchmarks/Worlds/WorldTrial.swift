import Proofs
import RowOperations
import RowOperationsTesting

/// One loader in one world, from a loaded list at rest.
@MainActor
final class WorldTrial {
  struct Outcome: Sendable {
    var started = 0
    var requests = 0
    /// Loads that were cancelled, or brought a value that was never on screen.
    var wasted = 0
    /// The time that rows on screen spent without a value, in milliseconds, all rows together.
    var blank = 0.0
    /// Rows on screen without a value at a stop of the list.
    var missingAtRest = 0
    /// Milliseconds from rest to a full screen, all stops together.
    var timeToFull = 0.0
    var stops = 0

    static func + (a: Outcome, b: Outcome) -> Outcome {
      Outcome(
        started: a.started + b.started, requests: a.requests + b.requests,
        wasted: a.wasted + b.wasted, blank: a.blank + b.blank,
        missingAtRest: a.missingAtRest + b.missingAtRest, timeToFull: a.timeToFull + b.timeToFull,
        stops: a.stops + b.stops)
    }
  }

  private static let frame: Int64 = 16_666_667
  static let rowCount = 10_000

  private let world: World
  private let loader: any VirtualLoader
  private let list: ListSimulator<Int>
  /// Receives the events of the list, at once.
  private let handle: (ListEvent<Int>) -> Void
  private let recorder: CourseRecorder
  private var view = ViewState()
  private var now: Int64 = 0
  private(set) var outcome = Outcome()
  /// Loads with values that have not been on screen, by row.
  private var unseen: [Int: Int] = [:]
  private var countedStarts = 0
  private var countedRequests = 0
  private var lastOffset = 0.0
  /// How long the list has waited for its rows, each time that it did.
  private var waits: [Int64] = []
  /// How long it will wait; `nil` until they are loaded.
  private var nextWaits: ArraySlice<Int64>?

  private init(_ world: World, _ loader: any VirtualLoader, waits: [Int64]?) {
    self.world = world
    self.loader = loader
    nextWaits = waits?[...]
    let recorder = CourseRecorder(world)
    self.recorder = recorder
    handle = { event in
      recorder.handle(event)
      switch event {
      case .scrollWillEnd where !world.reportsLanding: loader.handle(.scrollWillEnd(landingOn: []))
      case .prefetch where !world.hostPrefetches, .cancelPrefetch where !world.hostPrefetches: break
      default: loader.handle(event)
      }
    }
    list = ListSimulator(
      rows: Array(0..<Self.rowCount), rowHeight: world.rowHeight, viewport: view.viewport,
      behavior: .collectionView, handle: handle)
  }

  static func run(_ world: World, _ loader: Loader) -> Outcome {
    trials(world, loader).outcome
  }

  /// Finished trials of a world, one for each session.
  static func trials(_ world: World, _ loader: Loader) -> [WorldTrial] {
    world.sessions.map { trial(world, loader.make(world), $0) }
  }

  /// The course of each session with a loader, played to one that sees it some time ahead.
  ///
  /// - Parameter sight: How far it sees, in nanoseconds.
  static func run(_ world: World, _ trials: [WorldTrial], sight: Int64) -> Outcome {
    zip(world.sessions, trials).map { session, other in
      let course = other.course
      let seer = VirtualSeer(world, course, sight: sight)
      return trial(world, seer, session, waits: course.waits)
    }.outcome
  }

  private static func trial(
    _ world: World, _ loader: any VirtualLoader, _ session: World.Session, waits: [Int64]? = nil
  ) -> WorldTrial {
    let trial = WorldTrial(world, loader, waits: waits)
    switch session {
    case .acts(let acts): trial.run(acts)
    case .recording(let course): trial.run(course)
    }
    trial.countStarts()
    trial.outcome.wasted += trial.unseen.values.reduce(0, +)
    return trial
  }

  private var course: SeenCourse { SeenCourse(visits: recorder.visits(to: now), waits: waits) }

  private func run(_ acts: [Act]) {
    if !world.startsLoaded { loader.begin(at: 0) }
    list.layOut()
    endPass()
    if world.startsLoaded {
      // These include prefetched rows.
      while let moment = loader.nextMoment { pass(until: moment) }
      countStarts()
      outcome = Outcome()
      unseen = [:]
      recorder.begin(at: now)
      loader.begin(at: now)
    }
    for act in acts { perform(act) }
    awaitRows()
  }

  /// Waits until all rows on screen are loaded.
  private func awaitRows() {
    let rest = now
    if let wait = nextWaits?.popFirst() {
      pass(until: now + wait)
    } else {
      while missing > 0, let moment = loader.nextMoment { pass(until: moment) }
    }
    waits.append(now - rest)
    outcome.timeToFull += Double(now - rest) / 1e6
  }

  /// Plays a real run, whose course waits for no loads.
  private func run(_ course: RecordedCourse) {
    loader.begin(at: 0)
    var isAtRest = true
    for frame in course.frames {
      if isAtRest { read(until: frame.time) } else { pass(until: frame.time) }
      let begins = frame.events.contains { if case .scrollWillBegin = $0 { true } else { false } }
      if begins || isAtRest && frame.rows != view.rows { recorder.beginGesture(at: now) }
      frame.events.forEach(handle)
      // A jump has no speed.
      let rowsMoved = frame.isAtRest ? 0 : frame.rows.lowerBound - view.rows.lowerBound
      endPass(frame.rows, after: Double(rowsMoved) * world.rowHeight)
      if frame.isAtRest, !isAtRest { countStop() }
      isAtRest = frame.isAtRest
    }
  }

  // MARK: Acts

  private func perform(_ act: Act) {
    if act.isGesture { recorder.beginGesture(at: now) }
    switch act {
    case .read(let milliseconds):
      read(until: now + Int64(milliseconds) * 1_000_000)
    case .drag(let speed, let milliseconds):
      list.beginDrag()
      endPass()
      for _ in 0..<frames(milliseconds) {
        nextFrame { $0.drag(by: speed * Double(Self.frame) / 1e6, in: .nanoseconds(Self.frame)) }
      }
      list.endDrag(velocity: 0)
      stopped()
    case .fling(let velocity, let milliseconds):
      list.fling(velocity: velocity)
      endPass()
      var left = milliseconds.map(frames) ?? .max
      while list.isMoving, left > 0 {
        nextFrame { $0.advance(by: .nanoseconds(Self.frame)) }
        left -= 1
      }
      if list.isMoving { list.stop() }
      stopped()
    case .flingOn(let velocity, let milliseconds):
      list.fling(velocity: velocity)
      endPass()
      for _ in 0..<frames(milliseconds) {
        nextFrame { $0.advance(by: .nanoseconds(Self.frame)) }
      }
    case .load: awaitRows()
    case .jump(let row):
      list.jump(to: row)
      stopped()
    }
  }

  private func read(until end: Int64) {
    let rest = now
    while missing > 0, let moment = loader.nextMoment, moment < end { pass(until: moment) }
    outcome.timeToFull += Double((missing > 0 ? end : now) - rest) / 1e6
    pass(until: end)
  }

  private func frames(_ milliseconds: Int) -> Int {
    Int(Int64(milliseconds) * 1_000_000 / Self.frame)
  }

  private func nextFrame(_ move: (ListSimulator<Int>) -> Void) {
    pass(until: now + Self.frame)
    move(list)
    endPass()
  }

  private func stopped() {
    lastOffset = list.offset
    endPass()
    countStop()
  }

  private func countStop() {
    outcome.missingAtRest += missing
    outcome.stops += 1
  }

  // MARK: Time

  private func endPass() {
    let distance = list.offset - lastOffset
    lastOffset = list.offset
    endPass(visible, after: distance)
  }

  /// - Parameter distance: How far the list has moved in this frame, in points.
  private func endPass(_ rows: Range<Int>, after distance: Double) {
    view.velocity = distance / (Double(Self.frame) / 1e6)
    if distance != 0 { view.direction = distance > 0 ? 1 : -1 }
    view.rows = rows
    recorder.show(view.rows, at: now)
    view.rowHeight = world.rowHeight
    view.rowCount = Self.rowCount
    loader.endPass(view)
    noteSeen()
  }

  private var visible: Range<Int> {
    let rows = list.visibleRows
    return rows.isEmpty ? 0..<0 : rows[0]..<rows[rows.count - 1] + 1
  }

  private var missing: Int { view.rows.count { !loader.hasValue($0) } }

  /// Moves time on, from one moment with an event to the next.
  private func pass(until time: Int64) {
    while let moment = loader.nextMoment, moment <= time {
      spend(until: moment)
      loader.advance(to: moment)
      noteSeen()
    }
    spend(until: time)
    loader.advance(to: time)
  }

  private func spend(until time: Int64) {
    outcome.blank += Double(missing) * Double(time - now) / 1e6
    now = time
  }

  // MARK: Waste

  private func countStarts() {
    for row in loader.starts[countedStarts...] {
      guard recorder.isReleased(row) else {
        fatalError("\(world.name): row \(row) loads before the clairvoyant may load it")
      }
      unseen[row, default: 0] += 1
    }
    outcome.started += loader.starts.count - countedStarts
    countedStarts = loader.starts.count
    outcome.requests += loader.requests - countedRequests
    countedRequests = loader.requests
  }

  /// Counts a value as used: the last of a row's loads brought it.
  private func noteSeen() {
    countStarts()
    for row in view.rows where loader.hasValue(row) {
      guard let loads = unseen.removeValue(forKey: row) else { continue }
      outcome.wasted += loads - 1
    }
  }

  // MARK: The clairvoyant

  /// A bound of the blank time of loaders on the course of this trial, and the blank time of a
  /// schedule, in milliseconds.
  ///
  /// - Parameter guesses: Whether they may load a row before the gesture that first shows it.
  func clairvoyant(guesses: Bool) -> Clairvoyant.Blank {
    var attempts: [Int: Int] = [:]
    for row in loader.starts { attempts[row, default: 0] += 1 }
    let loads = recorder.loads(to: now, guesses: guesses) { row in
      // A later attempt may be faster, so the fastest one counts.
      (1..<max(attempts[row, default: 0], 1)).reduce(world.loads.time(row: row, attempt: 0)) {
        min($0, world.loads.time(row: row, attempt: $1))
      }
    }
    return Clairvoyant(loads, slots: world.slots).blank(reached: guesses ? outcome.blank : nil)
  }
}

@MainActor
extension [WorldTrial] {
  var outcome: WorldTrial.Outcome { map(\.outcome).reduce(WorldTrial.Outcome(), +) }

  /// The sums of all sessions.
  func clairvoyant(guesses: Bool = true) -> Clairvoyant.Blank {
    map { $0.clairvoyant(guesses: guesses) }.reduce(into: .zero) { sum, blank in
      sum.least += blank.least
      sum.found += blank.found
    }
  }
}
