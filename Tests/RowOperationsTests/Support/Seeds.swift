import Foundation

/// A generator of numbers that are the same for the same seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// How hard the stress suites try: `STRESS=low` (the default), `medium` or `high`.
enum StressLevel: String {
  case low, medium, high

  static let current =
    ProcessInfo.processInfo.environment["STRESS"].flatMap(StressLevel.init) ?? .low

  var rounds: Int {
    switch self {
    case .low: 2
    case .medium: 3
    case .high: 5
    }
  }

  var operationsPerRound: Int {
    switch self {
    case .low: 500
    case .medium: 15_000
    case .high: 30_000
    }
  }

  /// The seed of this run: `STRESS_SEED`, to run the choices of an earlier one again, or a new one.
  static let seed: UInt64 = {
    let given = ProcessInfo.processInfo.environment["STRESS_SEED"].flatMap { UInt64($0) }
    let seed = given ?? UInt64.random(in: 0..<1_000_000_000)
    print("STRESS=\(current.rawValue) STRESS_SEED=\(seed)")
    return seed
  }()
}
