import RowOperationsTesting

/// One loader in one session of a world.
@MainActor
final class WorldTrial {
  struct Outcome: Sendable {
    /// Loads of rows that have started.
    var started = 0
    /// Requests, each for one row or more.
    var requests = 0
    /// The time that rows on screen spent without a value, in milliseconds, all rows together.
    var blank = 0.0
    /// Rows on screen without a value at a stop of the list.
    var missingAtRest = 0

    static func + (a: Outcome, b: Outcome) -> Outcome {
      Outcome(
        started: a.started + b.started, requests: a.requests + b.requests,
        blank: a.blank + b.blank, missingAtRest: a.missingAtRest + b.missingAtRest)
    }
  }

  static let rowCount = 10_000
  private static let frame: Int64 = 16_666_667

  private let world: World
  private let loader: any VirtualLoader
  private let list: ListSimulator<Int>
  /// Receives the events of the list, at once.
  private let handle: (ListEvent<Int>) -> Void
  private var onScreen = 0..<0
  private var now: Int64 = 0
  private var outcome = Outcome()

  private init(_ world: World, _ loader: any VirtualLoader) {
    (self.world, self.loader) = (world, loader)
    handle = { event in
      switch event {
      case .prefetch where !world.hostPrefetches, .cancelPrefetch where !world.hostPrefetches: break
      default: loader.handle(event)
      }
    }
    list = ListSimulator(
      rows: Array(0..<Self.rowCount), rowHeight: world.rowHeight, viewport: 616,
      behavior: .collectionView, handle: handle)
  }

  /// The sums of all sessions.
  static func run(_ world: World, _ loader: Loader) -> Outcome {
    world.sessions.map { session in
      let trial = WorldTrial(world, loader.make(world))
      switch session {
      case .acts(let acts): trial.run(acts)
      case .recording(let course): trial.run(course)
      }
      trial.outcome.started += trial.loader.started
      trial.outcome.requests += trial.loader.requests
      return trial.outcome
    }.reduce(Outcome(), +)
  }

  private func run(_ acts: [Act]) {
    list.layOut()
    endFrame()
    if world.startsLoaded {
      // These include prefetched rows.
      while let moment = loader.nextMoment { pass(until: moment) }
      outcome = Outcome(started: -loader.started, requests: -loader.requests)
    }
    for act in acts { perform(act) }
    awaitRows()
  }

  /// Plays a real run, whose course waits for no loads.
  private func run(_ course: RecordedCourse) {
    var isAtRest = true
    for frame in course.frames {
      pass(until: frame.time)
      frame.events.forEach(handle)
      onScreen = frame.rows
      loader.endFrame()
      if frame.isAtRest, !isAtRest { outcome.missingAtRest += missing }
      isAtRest = frame.isAtRest
    }
  }

  // MARK: Acts

  private func perform(_ act: Act) {
    switch act {
    case .read(let milliseconds): pass(until: now + Int64(milliseconds) * 1_000_000)
    case .drag(let speed, let milliseconds):
      list.beginDrag()
      endFrame()
      for _ in 0..<frames(milliseconds) {
        nextFrame { $0.drag(by: speed * Double(Self.frame) / 1e6, in: .nanoseconds(Self.frame)) }
      }
      list.endDrag(velocity: 0)
      stopped()
    case .fling(let velocity, let milliseconds):
      fling(velocity, frames: milliseconds.map(frames) ?? .max)
      if list.isMoving { list.stop() }
      stopped()
    case .flingOn(let velocity, let milliseconds): fling(velocity, frames: frames(milliseconds))
    case .load: awaitRows()
    case .jump(let row):
      list.jump(to: row)
      stopped()
    }
  }

  private func fling(_ velocity: Double, frames: Int) {
    list.fling(velocity: velocity)
    endFrame()
    var left = frames
    while list.isMoving, left > 0 {
      nextFrame { $0.advance(by: .nanoseconds(Self.frame)) }
      left -= 1
    }
  }

  /// Waits until all rows on screen are loaded.
  private func awaitRows() {
    while missing > 0, let moment = loader.nextMoment { pass(until: moment) }
  }

  private func frames(_ milliseconds: Int) -> Int {
    Int(Int64(milliseconds) * 1_000_000 / Self.frame)
  }

  private func nextFrame(_ move: (ListSimulator<Int>) -> Void) {
    pass(until: now + Self.frame)
    move(list)
    endFrame()
  }

  private func stopped() {
    endFrame()
    outcome.missingAtRest += missing
  }

  // MARK: Time

  private func endFrame() {
    let rows = list.visibleRows
    onScreen = rows.isEmpty ? 0..<0 : rows[0]..<rows[rows.count - 1] + 1
    loader.endFrame()
  }

  private var missing: Int { onScreen.count { !loader.hasValue($0) } }

  /// Moves time on, from one moment with an event to the next.
  private func pass(until time: Int64) {
    while let moment = loader.nextMoment, moment <= time { spend(until: moment) }
    spend(until: time)
  }

  private func spend(until time: Int64) {
    outcome.blank += Double(missing) * Double(time - now) / 1e6
    now = time
    loader.advance(to: time)
  }
}
