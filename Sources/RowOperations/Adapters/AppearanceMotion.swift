import Foundation

/// Infers from appearing rows alone whether a list moves, for systems that do not report it.
///
/// Rows that appear in several frames, shortly one after the other, are a scroll. Rows that appear
/// at once are a layout. All times are nanoseconds.
package struct AppearanceMotion: Hashable, Sendable {
  /// What a moment without an appearance means.
  package enum Tick: Hashable, Sendable {
    case early
    /// The list goes on towards its target.
    case moved
    case rested(wasMoving: Bool)
  }

  /// Rows that appear within this time belong to one frame.
  static let frame: Int64 = 4_000_000
  /// A list of which no row has appeared for this long rests.
  package static let pause: Int64 = 250_000_000
  /// So many frames in a row with appearances are a scroll.
  static let framesOfScroll = 3
  /// A fling goes on though no row appears: it is reported this often, as the quiet time of
  /// trackers is 150 ms.
  static let beat: Int64 = 75_000_000

  private enum State: Hashable {
    case resting
    /// So many frames in a row had appearances, the last one at a time.
    case appearing(frames: Int, last: Int64)
    /// Until a time the list is on its way to a target.
    case moving(last: Int64, until: Int64, beat: Int64)
  }

  private var state = State.resting

  package init() {}

  package mutating func rowAppeared(at now: Int64) -> ScrollAction {
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

  /// A finger lets go of the list, which comes to rest after a distance in points.
  package mutating func fingerLifted(distance: Double, at now: Int64) {
    let duration = Deceleration.normal.duration(distance: distance).nanoseconds
    state = .moving(last: now, until: now + duration, beat: now)
  }

  /// The list went out of sight: whatever moved it is over.
  ///
  /// - Returns: Whether it moved.
  package mutating func covered() -> Bool {
    defer { state = .resting }
    guard case .moving = state else { return false }
    return true
  }

  /// When to look again, though no row appears.
  package var deadline: Int64? {
    switch state {
    case .resting: nil
    case .appearing(_, let last): last + Self.pause
    case .moving(let last, let until, let beat):
      // Without a target only appearances are motion.
      until > beat ? min(until, beat + Self.beat) : last + Self.pause
    }
  }

  package mutating func tick(at now: Int64) -> Tick {
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
