/// What a change of the offset, or of the view's own state, means.
package enum ScrollAction: Hashable, Sendable {
  /// Nothing: the list was only laid out, or nothing has changed.
  case none
  /// The list begins to move.
  case began
  /// It goes on moving.
  case moved
  /// It has come to rest.
  case settled
  /// The finger let go, and the list is on its way to where it will rest.
  case landing
}

/// Tells from the offsets of a scroll view, and from what the view says of itself, whether the list
/// is really scrolling, and when it has come to rest.
///
/// An offset also changes where nobody scrolls: estimated heights turn out wrong, insets change,
/// rows are inserted above. And ends get lost: a finger stops a fling, an animation goes where the
/// list is already. What is missed here, the tracker's quiet time makes up for.
package struct ScrollWatch: Hashable, Sendable {
  /// What a scroll view says of itself when its offset has changed.
  package struct Reading: Hashable, Sendable {
    package let x: Double
    package let y: Double
    package let isDragging: Bool
    package let isDecelerating: Bool
    /// In nanoseconds.
    package let time: Int64

    package init(x: Double = 0, y: Double, isDragging: Bool, isDecelerating: Bool, time: Int64) {
      (self.x, self.y, self.time) = (x, y, time)
      (self.isDragging, self.isDecelerating) = (isDragging, isDecelerating)
    }
  }

  package struct Offset: Hashable, Sendable {
    package let x: Double
    package let y: Double

    package init(x: Double = 0, y: Double) { (self.x, self.y) = (x, y) }

    func isNear(_ other: Offset) -> Bool { abs(x - other.x) < 0.5 && abs(y - other.y) < 0.5 }
  }

  private enum State: Hashable {
    /// How many frames in a row have changed the offset though nobody touched the list, and when
    /// the last one did. Goes anywhere.
    case resting(frames: Int, last: Int64?)
    /// A finger moves the list. Goes to `released`, `decelerating` and `resting`.
    case dragged
    /// The finger let go. For a frame or two the view may still say that it is dragged, or neither
    /// that nor that it decelerates; when the offset changed last. Goes anywhere.
    case released(last: Int64?)
    /// Goes to `dragged` and `resting`.
    case decelerating
    /// The offset changes frame by frame though nobody touches the list. Goes anywhere.
    case animated(last: Int64)
  }

  /// An animation changes the offset in this many frames in a row; a layout does so once or twice.
  static let framesOfAnimation = 3
  /// Changes that are closer together belong to one frame, those further apart to no animation.
  static let frame: ClosedRange<Int64> = 4_000_000...50_000_000

  private var state = State.resting(frames: 0, last: nil)
  private var offset: Offset?
  /// Where the list was last said to come to rest, until it is dragged anew.
  private var target: Offset?

  package init() {}

  /// The offset has been set, to another one or to the same.
  package mutating func offsetChanged(_ reading: Reading) -> ScrollAction {
    let new = Offset(x: reading.x, y: reading.y)
    guard new != offset else { return .none }
    offset = new
    if reading.isDecelerating { return decelerated(to: new) }
    return reading.isDragging
      ? dragged(to: new, at: reading.time) : movedByItself(to: new, at: reading.time)
  }

  private mutating func dragged(to new: Offset, at time: Int64) -> ScrollAction {
    switch state {
    case .dragged:
      return .moved
    case .released(let last) where isSameMotion(last, time):
      // A view that has just been let go may say for a moment that it is dragged.
      state = .released(last: time)
      return .moved
    case .resting where isTarget(new):
      // So may one that was let go where it was.
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

  private mutating func decelerated(to new: Offset) -> ScrollAction {
    guard isTarget(new) else {
      state = .decelerating
      return .moved
    }
    // The last half point takes a deceleration several frames more.
    if case .resting = state { return .none }
    state = .resting(frames: 0, last: nil)
    return .settled
  }

  private func isTarget(_ new: Offset) -> Bool { target.map { $0.isNear(new) } ?? false }

  private mutating func movedByItself(to new: Offset, at time: Int64) -> ScrollAction {
    switch state {
    case .released(let last) where !isTarget(new) && isSameMotion(last, time):
      // It does not decelerate yet.
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
      // Another one begins, or a layout: the end of the last was not told.
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

  /// The finger lets go; the list will rest at the target, which is known as the fling begins.
  ///
  /// - Parameter isExact: Whether the list is settled when it reaches the target. Where the target
  ///   is an estimate, it settles when it stops.
  package mutating func fingerLifted(
    at offset: Offset, target: Offset, isExact: Bool = true
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

  /// The list went out of sight: whatever moved it is over.
  package mutating func covered() -> ScrollAction {
    target = nil
    defer { state = .resting(frames: 0, last: nil) }
    if case .resting = state { return .none }
    return .settled
  }
}
