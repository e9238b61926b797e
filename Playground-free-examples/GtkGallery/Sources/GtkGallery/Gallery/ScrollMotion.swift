import Foundation

/// Tells from where a list is at each frame whether it moves, and where it will come to rest.
///
/// GTK says neither. But a list that was let go of slows down as `exp(-4 t)`, `t` in seconds, so that
/// speed and distance still to go shrink alike: whoever works out from each frame where that leads to
/// finds the same place again and again. While a hand moves the list, that place runs ahead.
struct ScrollMotion {
  enum Action: Hashable {
    case none
    case began
    case moved
    /// It has been let go of and will come to rest at this offset, unless it is at its end before.
    case landing(at: Double)
    case settled
  }

  private enum State {
    /// Goes to `moving`.
    case resting(at: Double)
    /// Goes to `resting`.
    case moving(Motion)
  }

  fileprivate struct Motion {
    var time: Int64
    var offset: Double
    var lastChange: Int64
    var target: Double?
    /// In how many frames in a row the target has been the same.
    var agreements = 0
    var isLanding = false
  }

  /// Of GTK's scrolled windows, per second.
  fileprivate static let friction = 4.0
  fileprivate static let agreementsForLanding = 3
  /// How long an offset does not change until the list is at rest, in microseconds.
  private static let quietTime: Int64 = 100_000

  private var state: State

  init(at offset: Double) { state = .resting(at: offset) }

  var isMoving: Bool {
    guard case .moving = state else { return false }
    return true
  }

  /// A frame is about to be made.
  ///
  /// - Parameter time: Of the frame, in microseconds.
  mutating func frame(at time: Int64, offset: Double) -> Action {
    switch state {
    case .resting(at: offset):
      return .none
    case .resting:
      state = .moving(Motion(time: time, offset: offset, lastChange: time))
      return .began
    case .moving(var motion):
      guard offset != motion.offset else {
        guard time - motion.lastChange >= Self.quietTime else { return .none }
        state = .resting(at: offset)
        return .settled
      }
      let action = motion.moved(to: offset, at: time)
      state = .moving(motion)
      return action
    }
  }
}

extension ScrollMotion.Motion {
  fileprivate mutating func moved(to new: Double, at now: Int64) -> ScrollMotion.Action {
    let distance = new - offset
    // Both ends of this step lie on the curve, wherever within it the frames were made.
    let decay = exp(-ScrollMotion.friction * Double(now - time) / 1_000_000)
    let newTarget = decay < 1 ? new + distance * decay / (1 - decay) : new
    let agrees = target.map { abs(newTarget - $0) < abs(distance) / 4 } ?? false
    agreements = agrees ? agreements + 1 : 0
    (time, offset, lastChange, target) = (now, new, now, newTarget)
    if agreements == ScrollMotion.agreementsForLanding, !isLanding {
      isLanding = true
      return .landing(at: newTarget)
    }
    guard isLanding, !agrees else { return .moved }
    // A hand took hold of it again.
    isLanding = false
    return .began
  }
}
