import Foundation

/// The times of loads in virtual time.
///
/// The same load of the same row takes the same time in every trial, which makes loaders
/// comparable.
struct LoadModel: Hashable, Sendable {
  enum Shape: Hashable, Sendable {
    /// All loads take the same time.
    case even
    /// A Pareto distribution with exponent 1.5.
    ///
    /// Half of the loads take less than 0.8 times the time, one in a hundred takes 11 times as
    /// long, and none more than 30 times.
    case heavyTailed
    /// 70 % come from a cache in 2 ms, the others take the time.
    case bimodal
    /// The loads take the time at least, and this one at most, all times in between alike.
    case spread(to: Int)
  }

  var shape = Shape.even
  let milliseconds: Int

  static func even(_ milliseconds: Int) -> LoadModel { LoadModel(milliseconds: milliseconds) }

  static func heavyTailed(_ milliseconds: Int) -> LoadModel {
    LoadModel(shape: .heavyTailed, milliseconds: milliseconds)
  }

  static func spread(_ milliseconds: Int, to most: Int) -> LoadModel {
    LoadModel(shape: .spread(to: most), milliseconds: milliseconds)
  }

  static let bimodal = LoadModel(shape: .bimodal, milliseconds: 500)

  /// How long an attempt to load a row takes, in nanoseconds.
  func time(row: Int, attempt: Int) -> Int64 {
    let chance = Self.chance(row, attempt)
    let factor: Double
    switch shape {
    case .even: factor = 1
    case .heavyTailed: factor = min(0.5 * pow(1 - chance, -1 / 1.5), 30)
    case .bimodal: factor = chance < 0.7 ? 2 / Double(milliseconds) : 1
    case .spread(let most): factor = 1 + chance * (Double(most) / Double(milliseconds) - 1)
    }
    return Int64(factor * Double(milliseconds) * 1e6)
  }

  /// A number from 0 to below 1 (the finalizer of SplitMix64).
  private static func chance(_ row: Int, _ attempt: Int) -> Double {
    var z = (UInt64(bitPattern: Int64(row)) << 8 | UInt64(attempt & 255)) &+ 0x9e37_79b9_7f4a_7c15
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return Double((z ^ (z >> 31)) >> 11) / Double(1 << 53)
  }
}
