import RowOperationsTesting

/// A list, the times of its loads, and its use.
struct World: Hashable, Sendable {
  enum Use: Hashable, Sendable {
    /// One fling of a loaded list from rest, in points per millisecond.
    case fling(Double)
    /// Sessions of reading, dragging, flinging, turning back and, in some worlds, jumping.
    case browsing(sessions: Int, jumps: Bool = true)
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
    case .fling(let velocity): "fling at \(Int(velocity)) points/ms, \(loads.name)"
    case .browsing: "browsing, \(Int(rowHeight)) points, \(loads.name)"
    }
  }

  var isFling: Bool {
    guard case .fling = use else { return false }
    return true
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

  /// The 33 worlds of B8; a quick run takes some of them.
  static func all(_ effort: Effort, sessions: Int = 12) -> [World] {
    effort.isQuick
      ? Array(flings[6...8]) + browsing(sessions: 1)[...1] : flings + browsing(sessions: sessions)
  }

  /// The same worlds with another list or other slots.
  struct Setting: Sendable {
    let name: String
    let apply: @Sendable (inout World) -> Void

    static let all: [Setting] = [
      Setting(name: "4 slots, landing told, 10 rows prefetched by the list") { _ in },
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

/// A part of the use of a list.
enum Act: Hashable, Sendable {
  /// Reads the rows on screen, in milliseconds.
  case read(Int)
  /// Drags the list: points per millisecond, and milliseconds.
  case drag(speed: Double, time: Int)
  /// Flings the list, and stops it after some milliseconds.
  case fling(velocity: Double, stoppedAfter: Int?)
  case jump(to: Int)

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
