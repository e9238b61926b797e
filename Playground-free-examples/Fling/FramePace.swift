import Foundation

/// How regularly the frames of a run came.
///
/// On a busy machine frames come late, and the list hears late of its loads. A few late frames
/// change little: on two cores, eight busy processes beside the run made a fourth of its time pass
/// in late frames, and its blank time a tenth longer. With 20 it was more than half of the time,
/// and the blank time two or three times as long.
struct FramePace: Equatable, Sendable {
  /// The interval of a frame that comes 50 ms late, in seconds.
  static let late = 1.0 / 60 + 0.05
  /// Beyond this share of time in late frames, the figures say little.
  static let limit = 1.0 / 3

  /// The share of the run's time that passed in late frames.
  let lateShare: Double

  /// - Parameter times: Of the frames, in seconds.
  init(_ times: [Double]) {
    let intervals = zip(times.dropFirst(), times).map { $0 - $1 }
    let total = intervals.reduce(0, +)
    lateShare = total > 0 ? intervals.filter { $0 > Self.late }.reduce(0, +) / total : 0
  }

  /// A sentence about several runs if frames came too late in any; `nil` otherwise.
  static func remark(_ runs: [FramePace]) -> String? {
    guard let worst = runs.map(\.lateShare).max(), worst > limit else { return nil }
    let percent = Int((worst * 100).rounded())
    return "The machine was too busy for the frames, which came late for \(percent) % of the time. "
      + "The figures say little."
  }
}
