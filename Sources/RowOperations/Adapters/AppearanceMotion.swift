import Foundation

/// Infers the motion of a list from appearing rows, for systems that do not report it.
///
/// Rows that appear in several frames in quick succession are a scroll. Rows that appear at once
/// are a layout. All times are nanoseconds.
struct AppearanceMotion: Hashable, Sendable {
  /// The meaning of a moment without an appearance.
  enum Tick: Hashable, Sendable {
    case early
    /// The list continues towards its target.
    case moved
    case rested(wasMoving: Bool)
  }

  /// Rows that appear within this time belong to one frame.
  static let frame: Int64 = 4_000_000
  /// After this time without an appearance the list rests.
  static let pause: Int64 = 250_000_000
  /// This number of consecutive frames with appearances is a scroll.
  static let framesOfScroll = 3
  /// The interval at which a fling without appearances is reported, since the quiet time of
  /// trackers is 150 ms.
  static let beat: Int64 = 75_000_000

  private enum State: Hashable {
    case resting
    /// A number of consecutive frames had appearances, the last one at `last`.
    case appearing(frames: Int, last: Int64)
    /// The list travels to a target until `until`.
    case moving(last: Int64, until: Int64, beat: Int64)
  }

  private var state = State.resting

  init() {}

  mutating func rowAppeared(at now: Int64) -> ScrollAction {
    switch state {
    case .resting:
      state = .appearing(frames: 1, last: now)
      return .none
    case .appearing(let frames, let last):
      guard now - last >= Self.frame else { return .none }
      let frames = now - last <= Self.pause ? frames + 1 : 1
      guard frames >= Self.framesOfScroll else {
        state = .appearing(frames: frames, last: now)
        return .none
      }
      state = .moving(last: now, until: now, beat: now)
      return .began
    case .moving(let last, let until, _):
      guard now - last >= Self.frame else { return .none }
      state = .moving(last: now, until: until, beat: now)
      return .moved
    }
  }

  /// Records that the finger lifted; the list rests after a distance in points.
  mutating func fingerLifted(distance: Double, at now: Int64) {
    let duration = Deceleration.normal.duration(distance: distance).nanoseconds
    state = .moving(last: now, until: now + duration, beat: now)
  }

  /// Ends the motion, since the list went out of sight.
  mutating func covered() { state = .resting }

  /// The time of the next tick without an appearance.
  var deadline: Int64? {
    switch state {
    case .resting: nil
    case .appearing(_, let last): last + Self.pause
    case .moving(let last, let until, let beat):
      // Without a target, appearances are the only sign of motion.
      until > beat ? min(until, beat + Self.beat) : last + Self.pause
    }
  }

  mutating func tick(at now: Int64) -> Tick {
    guard let deadline, deadline <= now else { return .early }
    switch state {
    case .resting: return .early
    case .appearing:
      state = .resting
      return .rested(wasMoving: false)
    case .moving(let last, let until, _):
      guard until <= now, last + Self.pause <= now else {
        state = .moving(last: last, until: until, beat: now)
        return .moved
      }
      state = .resting
      return .rested(wasMoving: true)
    }
  }
}
