import Foundation

/// Tells from the offsets of a list whether it moves, and where it will come to rest.
///
/// GTK says neither. But a list that was let go of slows down as `exp(-4 t)`, `t` in seconds: speed
/// and distance still to go shrink alike. So whoever works out from two stretches of its way where
/// each leads to finds the same place twice. While a hand moves the list, that place runs ahead.
struct ScrollMotion {
  enum Action: Hashable {
    case none
    case began
    case moved
    /// It has been let go of and will come to rest at this offset, unless it is at its end before.
    case landing(at: Double)
    case settled
  }

  private struct Sample {
    /// In microseconds.
    let time: Int64
    let offset: Double

    /// Where a list that slows down comes to rest if it was here and is there now.
    func target(by now: Sample) -> Double {
      let decay = exp(-ScrollMotion.friction * Double(now.time - time) / 1_000_000)
      guard decay < 1 else { return now.offset }
      return now.offset + (now.offset - offset) * decay / (1 - decay)
    }
  }

  /// Of GTK's scrolled windows, per second.
  private static let friction = 4.0
  /// The stretch of time that is looked at, in microseconds; longer where frames are rare.
  private static let memory: Int64 = 120_000
  private static let fewestSamples = 5
  /// How long the offset stays as it is until the list counts as at rest, in microseconds and frames.
  private static let quietTime: Int64 = 100_000
  private static let quietFrames = 3
  /// How far off a target may be, as GTK rounds offsets to points; shorter ways tell too little.
  private static let slack = 24.0

  /// Empty at rest.
  private var samples: [Sample] = []
  private var target: Double?
  /// Frames since the last change.
  private var idleFrames = 0

  var isMoving: Bool { !samples.isEmpty }

  /// The list is at another offset in the frame of that time.
  mutating func moved(to offset: Double, at time: Int64) -> Action {
    let isBeginning = !isMoving
    if samples.last?.time == time { samples.removeLast() }
    samples.append(Sample(time: time, offset: offset))
    while samples.count > Self.fewestSamples, samples[0].time < time - Self.memory {
      samples.removeFirst()
    }
    idleFrames = 0
    guard !isBeginning else { return .began }
    let (first, middle, now) = (samples[0], samples[samples.count / 2], samples[samples.count - 1])
    let (early, late) = (first.target(by: middle), middle.target(by: now))
    let distance = abs(now.offset - middle.offset)
    if let target {
      guard abs(late - target) > distance + Self.slack else { return .moved }
      // A hand took hold of it again.
      self.target = nil
      return .began
    }
    guard samples.count >= Self.fewestSamples, !turns, distance > Self.slack,
      abs(late - early) < distance / 4
    else { return .moved }
    target = late
    return .landing(at: late)
  }

  /// Whether the list went back and forth.
  private var turns: Bool {
    let steps = zip(samples, samples.dropFirst()).map { $1.offset - $0.offset }
    return steps.contains { $0 > 0 } && steps.contains { $0 < 0 }
  }

  /// A frame is being made.
  mutating func frame(at time: Int64) -> Action {
    idleFrames += 1
    guard let last = samples.last, time - last.time >= Self.quietTime,
      idleFrames > Self.quietFrames
    else { return .none }
    (samples, target) = ([], nil)
    return .settled
  }
}
