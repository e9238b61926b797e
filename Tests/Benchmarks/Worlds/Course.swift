import RowOperationsTesting

/// A course through a list, as people take it.
enum Course: CaseIterable, Sendable {
  /// The course of the example `fling`.
  case example
  case intoLoadingScreen
  case catchAndFling
  case jumpAndFling
  case slowDrags

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
enum Act: Sendable {
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
