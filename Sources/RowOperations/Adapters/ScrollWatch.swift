import Foundation

package enum ScrollAction: Hashable, Sendable {
  /// Not a scroll: a layout, or no change.
  case none
  case began
  case moved
  case settled
  /// The list travels to its landing.
  case landing
}

/// Infers from readings whether a scroll view scrolls, and when it rests.
///
/// An offset also changes without a scroll: corrected heights, new insets, rows inserted above. And
/// ends get lost: a finger stops a fling, or an animation ends where it began. The quiet time
/// covers those.
package struct ScrollWatch {
  package struct Reading {
    let offset: CGPoint
    let isDragging: Bool
    let isDecelerating: Bool
    /// In nanoseconds.
    let time: Int64

    package init(offset: CGPoint, isDragging: Bool, isDecelerating: Bool, time: Int64) {
      (self.offset, self.time) = (offset, time)
      (self.isDragging, self.isDecelerating) = (isDragging, isDecelerating)
    }
  }

  private enum State {
    /// No touch; so many consecutive frames have changed the offset, the last one at `last`.
    case resting(frames: Int, last: Int64?)
    /// A finger moves the list.
    case dragged
    /// The finger lifted; the offset last changed at `last`.
    ///
    /// For a frame or two the view may still report a drag, or neither a drag nor a deceleration.
    case released(last: Int64?)
    case decelerating
    /// The offset changes frame by frame without a touch.
    case animated(last: Int64)
  }

  /// The consecutive changes that mean an animation; a layout causes one or two.
  static let framesOfAnimation = 3
  /// The time between frames of an animation; closer changes are in one frame.
  static let frame: ClosedRange<Int64> = 4_000_000...50_000_000

  private var state = State.resting(frames: 0, last: nil)
  private var offset: CGPoint?
  /// The last announced landing, until the next drag.
  private var target: CGPoint?

  package mutating func offsetChanged(_ reading: Reading) -> ScrollAction {
    let new = reading.offset
    guard new != offset else { return .none }
    offset = new
    if reading.isDecelerating { return decelerated(to: new) }
    return reading.isDragging
      ? dragged(to: new, at: reading.time) : movedByItself(to: new, at: reading.time)
  }

  private mutating func dragged(to new: CGPoint, at time: Int64) -> ScrollAction {
    switch state {
    case .dragged:
      return .moved
    case .released(let last) where isSameMotion(last, time):
      // It may report a drag for a moment.
      state = .released(last: time)
      return .moved
    case .resting where isTarget(new):
      // So may a view released without motion.
      return .none
    case .resting, .released, .decelerating, .animated:
      state = .dragged
      target = nil
      return .began
    }
  }

  private func isSameMotion(_ last: Int64?, _ time: Int64) -> Bool {
    last.map { time - $0 <= Self.frame.upperBound } ?? true
  }

  private mutating func decelerated(to new: CGPoint) -> ScrollAction {
    guard isTarget(new) else {
      state = .decelerating
      return .moved
    }
    // The last half point takes several more frames.
    if case .resting = state { return .none }
    state = .resting(frames: 0, last: nil)
    return .settled
  }

  private func isTarget(_ new: CGPoint) -> Bool { target.map { $0.isNear(new) } ?? false }

  private mutating func movedByItself(to new: CGPoint, at time: Int64) -> ScrollAction {
    switch state {
    case .released(let last) where !isTarget(new) && isSameMotion(last, time):
      // The view does not decelerate yet.
      state = .released(last: time)
      return .moved
    case .dragged, .released, .decelerating:
      state = .resting(frames: 0, last: nil)
      return .settled
    case .resting(let frames, let last):
      return movedAtRest(frames: frames, last: last, at: time)
    case .animated(let last) where time - last <= Self.frame.upperBound:
      state = .animated(last: time)
      return .moved
    case .animated:
      // Another animation or a layout; the last end was not reported.
      state = .resting(frames: 1, last: time)
      return .settled
    }
  }

  private mutating func movedAtRest(frames: Int, last: Int64?, at time: Int64) -> ScrollAction {
    let pause = last.map { time - $0 } ?? .max
    // Several changes within one frame are one layout.
    guard pause >= Self.frame.lowerBound else { return .none }
    let frames = pause <= Self.frame.upperBound ? frames + 1 : 1
    guard frames >= Self.framesOfAnimation else {
      state = .resting(frames: frames, last: time)
      return .none
    }
    state = .animated(last: time)
    return .began
  }

  /// - Parameter isExact: Whether it settles on reaching the target.
  mutating func fingerLifted(
    at offset: CGPoint, target: CGPoint, isExact: Bool = true
  ) -> ScrollAction {
    self.offset = offset
    self.target = isExact ? target : nil
    guard !target.isNear(offset) else {
      state = .resting(frames: 0, last: nil)
      return .settled
    }
    state = .released(last: nil)
    return .landing
  }

  mutating func covered() -> ScrollAction {
    target = nil
    defer { state = .resting(frames: 0, last: nil) }
    if case .resting = state { return .none }
    return .settled
  }
}

extension CGPoint {
  fileprivate func isNear(_ other: CGPoint) -> Bool {
    abs(x - other.x) < 0.5 && abs(y - other.y) < 0.5
  }
}
