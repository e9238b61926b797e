import RowOperationsTesting

/// A list, the times of its loads, and its use.
struct World: Hashable, Sendable {
  enum Use: Hashable, Sendable {
    /// One fling of a loaded list from rest, in points per millisecond.
    case fling(Double)
    /// Sessions of reading, dragging, flinging, turning back and, in some worlds, jumping.
    case browsing(sessions: Int, jumps: Bool = true)
    /// A course in some acts, of which the first screen is not loaded yet.
    case course(Course)
    /// A real run, of which the first screen is not loaded yet.
    case recording(RecordedCourse)
  }

  let use: Use
  let loads: LoadModel
  /// The height of a row in points.
  var rowHeight = 44.0
  /// How many loads may run at a time.
  var slots = 4
  /// Whether the list reports where it will stop.
  var reportsLanding = true
  /// Whether the list announces ten rows ahead.
  var hostPrefetches = true

  var name: String {
    switch use {
    case .fling(let velocity):
      "fling at \(Int(velocity)) \(velocity == 1 ? "point" : "points")/ms, \(loads.name)"
    case .browsing: "browsing, \(Int(rowHeight)) points, \(loads.name)"
    case .course(let course):
      "\(course.rawValue), \(loads.name), \(slots) slots"
        + (hostPrefetches ? "" : ", nothing prefetched by the list")
    case .recording(let course): "recording \(course.name), \(loads.name), \(slots) slots"
    }
  }

  var isFling: Bool {
    guard case .fling = use else { return false }
    return true
  }

  /// Whether the loader has loaded all that it wants when the use begins.
  var startsLoaded: Bool {
    switch use {
    case .fling, .browsing: true
    case .course, .recording: false
    }
  }

  /// A use of a list from its beginning to its end.
  enum Session {
    case acts([Act])
    case recording(RecordedCourse)
  }

  var sessions: [Session] {
    switch use {
    case .fling(let velocity): [.acts([.fling(velocity: velocity, stoppedAfter: nil)])]
    case .browsing(let sessions, let jumps):
      (0..<sessions).map { .acts(Act.session($0, jumps: jumps)) }
    case .course(let course): [.acts(course.acts)]
    case .recording(let course): [.recording(course)]
    }
  }

  static let velocities: [Double] = [1, 2, 5, 10, 40]

  static let flings: [World] = velocities.flatMap { velocity in
    [20, 100, 300].map { World(use: .fling(velocity), loads: .even($0)) }
  }

  static func browsing(sessions: Int, jumps: Bool = true) -> [World] {
    let loads: [LoadModel] = [
      .even(20), .even(100), .even(300), .heavyTailed(100), .heavyTailed(300), .bimodal,
    ]
    return [44, 130, 420].flatMap { height in
      loads.map {
        World(use: .browsing(sessions: sessions, jumps: jumps), loads: $0, rowHeight: height)
      }
    }
  }

  /// Courses as people take them, with slow and fast loads and with few and many slots.
  static let courses: [World] = Course.allCases.flatMap { course in
    [5, 20, 40, 100, 300, 1000].flatMap { load in
      [2, 4, 6, 16].flatMap { slots in
        [true, false].map {
          World(use: .course(course), loads: .even(load), slots: slots, hostPrefetches: $0)
        }
      }
    }
  }

  /// Real runs, with the times of loads that they had.
  static let recordings: [World] = RecordedCourse.all.flatMap { course in
    [4, 6, 16].map { World(use: .recording(course), loads: course.loads, slots: $0) }
  }

  /// The 33 lists of the tables; a quick run takes some of them.
  static func lists(_ effort: Effort, sessions: Int = 12) -> [World] {
    effort.isQuick
      ? Array(flings[6...8]) + browsing(sessions: 1)[...1] : flings + browsing(sessions: sessions)
  }

  /// The worlds of B8.
  static func all(_ effort: Effort) -> [World] {
    let rest = effort.isQuick ? Array(courses[...3] + recordings[...0]) : courses + recordings
    return lists(effort) + rest
  }

  /// The same worlds with another list or other slots.
  struct Setting: Sendable {
    let name: String
    let apply: @Sendable (inout World) -> Void

    /// The settings that the articles name.
    static let inArticles = all[..<3]

    static let all: [Setting] = [
      Setting(name: "4 slots, landing told, 10 rows prefetched by the list") { _ in },
      Setting(name: "6 slots") { $0.slots = 6 },
      Setting(name: "12 slots") { $0.slots = 12 },
      Setting(name: "4 slots, landing not told") { $0.reportsLanding = false },
      Setting(name: "4 slots, nothing prefetched by the list") { $0.hostPrefetches = false },
      Setting(name: "12 slots, landing not told, nothing prefetched by the list") {
        $0.slots = 12
        $0.reportsLanding = false
        $0.hostPrefetches = false
      },
    ]
  }

  func with(_ setting: Setting) -> World {
    var world = self
    setting.apply(&world)
    return world
  }
}

/// A course through a list, as people take it.
enum Course: String, CaseIterable, Sendable {
  /// The course of the example `fling`.
  case example = "flings, a jump, and home"
  case intoLoadingScreen = "a fling into a loading screen"
  case catchAndFling = "a catch and a second fling"
  case jumpAndFling = "a jump and a fling at once"
  case slowDrags = "slow drags with pauses"

  var acts: [Act] {
    switch self {
    case .example:
      [.load, .fling(velocity: 3, stoppedAfter: nil), .load]
        + Array(repeating: .flingOn(velocity: 3, 400), count: 3)
        + [
          .fling(velocity: 3, stoppedAfter: nil), .load,
          .fling(velocity: -1.5, stoppedAfter: nil), .load,
          .jump(to: 7000), .load,
          .fling(velocity: -3, stoppedAfter: nil), .load,
        ]
    case .intoLoadingScreen:
      [.fling(velocity: 3, stoppedAfter: nil), .load]
    case .catchAndFling:
      [
        .load, .fling(velocity: 5, stoppedAfter: 300), .fling(velocity: 3, stoppedAfter: nil),
        .load,
      ]
    case .jumpAndFling:
      [.load, .jump(to: 5000), .fling(velocity: 2, stoppedAfter: nil), .load]
    case .slowDrags:
      [.load]
        + (0..<8).flatMap { number -> [Act] in
          [.drag(speed: number % 4 == 3 ? -0.5 : 0.6, time: 600), .read(150 + 100 * number)]
        } + [.load]
    }
  }
}

/// A part of the use of a list.
enum Act: Hashable, Sendable {
  /// Reads the rows on screen, in milliseconds.
  case read(Int)
  /// Drags the list: points per millisecond, and milliseconds.
  case drag(speed: Double, time: Int)
  /// Flings the list, and stops it after some milliseconds.
  case fling(velocity: Double, stoppedAfter: Int?)
  /// Flings the list, until a finger is about to catch it.
  case flingOn(velocity: Double, Int)
  case jump(to: Int)
  /// Waits until all rows on screen are loaded.
  case load

  var isGesture: Bool {
    switch self {
    case .read, .load: false
    case .drag, .fling, .flingOn, .jump: true
    }
  }

  /// About forty seconds of browsing, which follow from a number.
  static func session(_ number: Int, jumps: Bool) -> [Act] {
    var random = SeededGenerator(seed: UInt64(number) &+ 77)
    var acts: [Act] = []
    for _ in 0..<16 {
      let sign: Double = Int.random(in: 0..<4, using: &random) == 0 ? -1 : 1
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<3:
        let speed = Double.random(in: 0.2...1.2, using: &random)
        acts.append(.drag(speed: sign * speed, time: .random(in: 300...1200, using: &random)))
      case 3..<8:
        let velocity = Double.random(in: 1...6, using: &random)
        let isStopped = Int.random(in: 0..<4, using: &random) == 0
        acts.append(
          .fling(
            velocity: sign * velocity,
            stoppedAfter: isStopped ? .random(in: 200...900, using: &random) : nil))
      case 8:
        // The second of these two flings goes back.
        acts.append(.fling(velocity: 3, stoppedAfter: 400))
        acts.append(.fling(velocity: -3, stoppedAfter: nil))
      default:
        let row = Int.random(in: 0..<9000, using: &random)
        if jumps { acts.append(.jump(to: row)) }
      }
      acts.append(.read(.random(in: 300...2500, using: &random)))
    }
    return acts
  }
}
