import Foundation
import RowOperations

extension ListSimulator {
  /// Begins a drag, also of a list that decelerates.
  public func beginDrag() {
    motion = .dragged
    handle(.scrollWillBegin)
  }

  /// Moves the list by finger or wheel within a frame.
  ///
  /// - Parameters:
  ///   - distance: In points; positive towards the end of the list.
  ///   - time: The time of the move.
  public func drag(by distance: Double, in time: Duration = .milliseconds(16)) {
    move(to: offset + distance, in: time)
  }

  /// Lifts the finger; the list decelerates to its landing.
  ///
  /// - Parameter velocity: In points per millisecond; positive towards the end of the list.
  public func endDrag(velocity: Double) {
    let target = clamped(offset + Deceleration.normal.distance(velocity: velocity))
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

  /// Advances a list that decelerates by one frame, in one pass.
  public func advance(by time: Duration) {
    guard case .decelerating(let before, let start, let velocity, let target) = motion else {
      return
    }
    let elapsed = before + time
    motion = .decelerating(
      elapsed: elapsed, start: start, velocity: velocity, target: target)
    let position = clamped(start + Deceleration.normal.position(at: elapsed, velocity: velocity))
    let isOver =
      elapsed >= Deceleration.normal.duration(velocity: velocity) || position == target
    move(to: isOver ? target : position, in: time)
    if isOver { settle() }
  }

  /// Stops the list with a finger.
  public func stop() {
    motion = .rest
    if behavior.reportsStoppedFlings { handle(.scrollDidSettle) }
  }

  /// Shows another part at once, without the rows in between.
  public func jump(to row: Row) {
    guard let target = offset(of: row) else { return }
    motion = .rest
    go(to: target)
    layOut(speed: .infinity, isFresh: true)
  }

  /// Shows another part in an animation of some frames.
  ///
  /// If the list is already there, it reports no end.
  public func jump(to row: Row, frames: Int) {
    guard let target = offset(of: row) else { return }
    let start = offset
    motion = .rest
    handle(.scrollWillBegin)
    guard target != start else { return }
    for frame in 1...max(frames, 1) {
      go(to: start + (target - start) * Double(frame) / Double(max(frames, 1)))
      handle(.scrollDidMove)
      layOut(speed: .infinity, isFresh: false)
    }
    handle(.scrollDidSettle)
  }

  private func offset(of row: Row) -> Double? {
    items.firstIndex { $0.row == row }.map { clamped(geometry.extent(of: $0).lowerBound) }
  }

  private func settle() {
    motion = .rest
    handle(.scrollDidSettle)
  }

  func clamped(_ offset: Double) -> Double { min(max(offset, 0), maximumOffset) }

  private func go(to target: Double) {
    if target != offset { direction = target < offset ? -1 : 1 }
    offset = target
  }

  private func move(to target: Double, in time: Duration) {
    let target = clamped(target)
    guard target != offset else { return }
    let speed = abs(target - offset) / max(time.milliseconds, 0.001)
    go(to: target)
    handle(.scrollDidMove)
    layOut(speed: speed, isFresh: false)
  }
}

extension Deceleration {
  /// In points, with the sign of the velocity.
  func position(at time: Duration, velocity: Double) -> Double {
    guard time < duration(velocity: velocity) else { return distance(velocity: velocity) }
    return velocity * rate / (1 - rate) * (1 - pow(rate, time.milliseconds))
  }
}
