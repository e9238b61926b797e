/// A list, the times of its loads, and its use.
struct World: Sendable {
  enum Use: Sendable {
    /// One fling of a loaded list from rest, in points per millisecond.
    case fling(Double)
    /// Twelve sessions of reading, dragging, flinging, turning back and, in some worlds, jumping.
    case browsing(jumps: Bool)
    /// A course in some acts, of which the first screen is not loaded yet.
    case course(Course)
    /// A real run, of which the first screen is not loaded yet.
    case recording(RecordedCourse)
  }

  /// A use of a list from its beginning to its end.
  enum Session {
    case acts([Act])
    case recording(RecordedCourse)
  }

  let use: Use
  let loads: LoadModel
  /// The height of a row in points.
  var rowHeight = 44.0
  /// How many loads may run at a time.
  var slots = 4
  /// Whether the list announces ten rows ahead.
  var hostPrefetches = true

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

  var sessions: [Session] {
    switch use {
    case .fling(let velocity): [.acts([.fling(velocity: velocity, stoppedAfter: nil)])]
    case .browsing(let jumps): (0..<12).map { .acts(Act.session($0, jumps: jumps)) }
    case .course(let course): [.acts(course.acts)]
    case .recording(let course): [.recording(course)]
    }
  }

  /// The numbers of slots in the worlds.
  static let slots = [4, 6, 16]

  /// The 106 worlds of each number of slots.
  static let all: [World] = slots.flatMap { slots in
    (flings + browsing(jumps: true) + courses + recordings).map { world in
      var world = world
      world.slots = slots
      return world
    }
  }

  private static let flings: [World] = [1, 2, 5, 10, 40].flatMap { velocity in
    [20, 100, 300].map { World(use: .fling(velocity), loads: .even($0)) }
  }

  static func browsing(jumps: Bool) -> [World] {
    let loads: [LoadModel] = [
      .even(20), .even(100), .even(300), .heavyTailed(100), .heavyTailed(300), .bimodal,
    ]
    return [44, 130, 420].flatMap { height in
      loads.map { World(use: .browsing(jumps: jumps), loads: $0, rowHeight: height) }
    }
  }

  /// Courses as people take them, with slow and fast loads.
  private static let courses: [World] = Course.allCases.flatMap { course in
    [5, 20, 40, 100, 300, 1000].flatMap { load in
      [true, false].map {
        World(use: .course(course), loads: .even(load), hostPrefetches: $0)
      }
    }
  }

  /// Real runs, with the times of loads that they had.
  private static let recordings: [World] = RecordedCourse.all.map {
    World(use: .recording($0), loads: $0.loads)
  }
}
