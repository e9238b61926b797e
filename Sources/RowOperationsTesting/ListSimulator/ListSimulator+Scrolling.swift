import RowOperations

extension ListSimulator {
  /// A finger takes hold of the list.
  public func beginDrag() {
    motion = .dragged
    handle(.scrollWillBegin)
  }

  /// The finger, or the wheel, moves the list within a frame.
  ///
  /// - Parameters:
  ///   - distance: In points; positive towards the end of the list.
  ///   - time: How long that takes.
  public func drag(by distance: Double, in time: Duration = .milliseconds(16)) {
    move(to: offset + distance, in: time)
  }

  /// The finger lets go; the list decelerates to where it will rest.
  ///
  /// - Parameter velocity: In points per millisecond; positive towards the end of the list.
  public func endDrag(velocity: Double) {
    let target = clamped(offset + deceleration.distance(velocity: velocity))
    handle(.scrollWillEnd(landingOn: rows(at: target)))
    guard target != offset else { return settle() }
    motion = .decelerating(elapsed: .zero, start: offset, velocity: velocity, target: target)
  }

  /// Flings the list: a drag that ends at once.
  ///
  /// - Parameter velocity: In points per millisecond; positive towards the end of the list.
  public func fling(velocity: Double) {
    beginDrag()
    endDrag(velocity: velocity)
  }

  /// Lets time pass for a list that decelerates: one frame, in one pass.
  public func advance(by time: Duration) {
    guard case .decelerating(let before, let start, let velocity, let target) = motion else {
      return
    }
    let elapsed = before + time
    motion = .decelerating(
      elapsed: elapsed, start: start, velocity: velocity, target: target)
    let position = clamped(start + deceleration.position(at: elapsed, velocity: velocity))
    let isOver = elapsed >= deceleration.duration(velocity: velocity) || position == target
    move(to: isOver ? target : position, in: time)
    if isOver { settle() }
  }

  /// A finger stops the list where it is.
  ///
  /// - Parameter tellsEnd: Whether the list says that it has come to rest; some do not.
  public func stop(tellsEnd: Bool = true) {
    motion = .rest
    if tellsEnd { handle(.scrollDidSettle) }
  }

  /// Shows another part of the list at once, without the rows in between.
  public func jump(to row: Row) {
    guard let index = rows.firstIndex(of: row) else { return }
    motion = .rest
    let target = clamped(geometry.extent(of: index).lowerBound)
    direction = target < offset ? -1 : 1
    offset = target
    layOut(speed: .infinity)
  }

  private func settle() {
    motion = .rest
    handle(.scrollDidSettle)
  }

  private func clamped(_ offset: Double) -> Double { min(max(offset, 0), maximumOffset) }

  private func move(to target: Double, in time: Duration) {
    let target = clamped(target)
    guard target != offset else { return }
    let speed = abs(target - offset) / max(time.milliseconds, 0.001)
    direction = target < offset ? -1 : 1
    offset = target
    handle(.scrollDidMove)
    layOut(speed: speed)
  }
}
