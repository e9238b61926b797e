import Foundation

/// Derives from the offsets of a list whether the list moves, and where it will stop.
///
/// GTK reports neither. But a flung list slows down as `exp(-4 t)`, with `t` in seconds, so its
/// speed and its remaining distance shrink alike. Two stretches of a fling therefore predict the
/// same place. While a hand moves the list, the predicted place runs ahead.
struct ScrollMotion {
  enum Action: Hashable {
    case none
    case began
    case moved
    /// A fling will stop at this offset, or at the end of the list if that comes first.
    case landing(at: Double)
    case settled
  }

  private struct Sample {
    /// The time of the frame, in microseconds.
    let time: Int64
    let offset: Double

    /// The offset at which a list stops that slows down between the two samples.
    func target(by now: Sample) -> Double {
      let decay = exp(-ScrollMotion.friction * Double(now.time - time) / 1_000_000)
      guard decay < 1 else { return now.offset }
      return now.offset + (now.offset - offset) * decay / (1 - decay)
    }
  }

  /// The friction of GTK's scrolled windows, per second.
  private static let friction = 4.0
  /// How long a sample counts, in microseconds; longer where frames are rare.
  private static let memory: Int64 = 120_000
  private static let fewestSamples = 5
  /// After how many microseconds and frames without movement the list counts as at rest.
  private static let quietTime: Int64 = 100_000
  private static let quietFrames = 3
  /// How far two predictions may differ, in points, since GTK rounds offsets.
  private static let slack = 24.0

  /// The latest offsets; empty at rest.
  private var samples: [Sample] = []
  private var target: Double?
  /// Frames since the last change.
  private var idleFrames = 0

  var isMoving: Bool { !samples.isEmpty }

  /// Takes another offset and the time of its frame.
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
      // A hand moves the list again.
      self.target = nil
      return .began
    }
    guard samples.count >= Self.fewestSamples, !turns, distance > Self.slack,
      abs(late - early) < distance / 4
    else { return .moved }
    target = late
    return .landing(at: late)
  }

  /// Whether the list has moved back and forth.
  private var turns: Bool {
    let steps = zip(samples, samples.dropFirst()).map { $1.offset - $0.offset }
    return steps.contains { $0 > 0 } && steps.contains { $0 < 0 }
  }

  /// Takes the time of a frame, with or without a movement.
  mutating func frame(at time: Int64) -> Action {
    idleFrames += 1
    guard let last = samples.last, time - last.time >= Self.quietTime,
      idleFrames > Self.quietFrames
    else { return .none }
    (samples, target) = ([], nil)
    return .settled
  }
}
