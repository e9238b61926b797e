import Foundation
import Testing

@testable import RowOperations

extension Adapters {
  @Suite("Scrolling that is inferred from offsets")
  struct ScrollWatchTests {
    private var watch = ScrollWatch()

    private mutating func drag(to y: Double) -> ScrollAction {
      watch.offsetChanged(
        .init(offset: CGPoint(x: 0, y: y), isDragging: true, isDecelerating: false, time: 0))
    }

    private mutating func decelerate(to y: Double) -> ScrollAction {
      watch.offsetChanged(
        .init(offset: CGPoint(x: 0, y: y), isDragging: false, isDecelerating: true, time: 0))
    }

    /// The offset changes while the view is neither dragged nor decelerating.
    private mutating func change(to y: Double, at milliseconds: Int64) -> ScrollAction {
      watch.offsetChanged(
        .init(
          offset: CGPoint(x: 0, y: y), isDragging: false, isDecelerating: false,
          time: milliseconds * 1_000_000))
    }

    private mutating func lift(at y: Double, to target: Double) -> ScrollAction {
      watch.fingerLifted(at: CGPoint(x: 0, y: y), target: CGPoint(x: 0, y: target))
    }

    @Test("A drag begins once, then moves")
    mutating func drag() {
      #expect(drag(to: 1) == .began)
      #expect(drag(to: 2) == .moved)
      #expect(drag(to: 2) == .none, "The same offset again is no move.")
      #expect(drag(to: 1) == .moved)
    }

    @Test("A fling lands on its target and settles when it arrives there [17]")
    mutating func fling() {
      #expect(drag(to: 10) == .began)
      #expect(lift(at: 10, to: 500) == .landing)
      #expect(decelerate(to: 300) == .moved)
      #expect(decelerate(to: 499.7) == .settled)
      #expect(decelerate(to: 499.9) == .none, "The view creeps on for some frames.")
      #expect(change(to: 500, at: 900) == .none, "The last half point is a layout.")
    }

    @Test("A finger that lifts from a list without deceleration settles it [17]")
    mutating func letGo() {
      #expect(drag(to: 10) == .began)
      #expect(lift(at: 10, to: 10) == .settled)
      #expect(drag(to: 12) == .began)
    }

    @Test("A view that still reports a drag after the finger lifted begins no new drag [17]")
    mutating func lateFlags() {
      _ = drag(to: 10)
      #expect(lift(at: 10, to: 500) == .landing)
      #expect(drag(to: 14) == .moved)
      #expect(change(to: 18, at: 5) == .moved, "The view does not decelerate yet, but will.")
      #expect(decelerate(to: 20) == .moved)
      #expect(decelerate(to: 500) == .settled)
    }

    @Test("A fling that the app stops at its beginning ends with the next motion")
    mutating func calledOff() {
      _ = drag(to: 10)
      #expect(lift(at: 10, to: 500) == .landing)
      #expect(change(to: 0, at: 1) == .moved, "The view may still begin to decelerate.")
      #expect(change(to: 40, at: 900) == .settled)
      #expect(change(to: 41, at: 2_000) == .none, "A layout.")
      #expect(drag(to: 42) == .began)
    }

    @Test(
      "A list that rests but still reports a drag begins no new drag [17]")
    mutating func lateFlagAtRest() {
      _ = drag(to: 10)
      #expect(lift(at: 10, to: 10) == .settled)
      #expect(drag(to: 10.33) == .none)
      #expect(drag(to: 11) == .began)
    }

    @Test("A finger that catches a fling begins a new drag without an end of the fling [18]")
    mutating func caught() {
      _ = drag(to: 10)
      _ = lift(at: 10, to: 500)
      #expect(decelerate(to: 100) == .moved)
      #expect(drag(to: 101) == .began)
      #expect(lift(at: 101, to: 700) == .landing)
      #expect(decelerate(to: 500) == .moved, "The old target no longer counts.")
    }

    @Test("A list is at its target when it is closer than half a point on both axes [17]")
    mutating func near() {
      let points = [(0.25, 499.75), (0.5, 500), (-0.5, 500), (0, 500.5), (0, 499.5)]
      for (x, y) in points {
        _ = watch.fingerLifted(at: CGPoint(x: 0, y: 10), target: CGPoint(x: 0, y: 500))
        let action = watch.offsetChanged(
          .init(offset: CGPoint(x: x, y: y), isDragging: false, isDecelerating: true, time: 0))
        #expect(action == (x == 0.25 ? .settled : .moved), "\(x), \(y)")
      }
    }

    @Test("A stopped fling settles when the view no longer decelerates [18]")
    mutating func stopped() {
      _ = drag(to: 10)
      _ = lift(at: 10, to: 500)
      #expect(decelerate(to: 100) == .moved)
      #expect(change(to: 101, at: 100) == .settled)
    }

    @Test("A drag without a forwarded end settles when the view is no longer dragged [18]")
    mutating func unforwardedEnd() {
      _ = drag(to: 10)
      #expect(change(to: 11, at: 20) == .settled)
    }

    @Test("A list that bounces at its end moves again and settles again [10]")
    mutating func bounce() {
      _ = drag(to: 10)
      _ = lift(at: 10, to: 500)
      #expect(decelerate(to: 500) == .settled)
      #expect(decelerate(to: 530) == .moved)
      #expect(decelerate(to: 500.2) == .settled)
      #expect(decelerate(to: 498) == .moved)
      #expect(change(to: 500, at: 400) == .settled)
    }

    @Test("An offset correction by a layout is no scroll [12]")
    mutating func layout() {
      #expect(change(to: 40, at: 0) == .none)
      #expect(change(to: 44, at: 0) == .none, "Several corrections in a pass are no scroll.")
      #expect(change(to: 46, at: 1) == .none)
      #expect(change(to: 48, at: 2) == .none)
      #expect(change(to: 52, at: 16) == .none, "A correction in the next frame is no scroll.")
      #expect(change(to: 60, at: 400) == .none, "A correction after later commits is no scroll.")
      #expect(change(to: 68, at: 800) == .none)
      #expect(change(to: 76, at: 1200) == .none)
    }

    @Test("An offset that changes frame by frame is an animation; a single jump is not [11]")
    mutating func animation() {
      #expect(change(to: 5_000, at: 0) == .none)
      #expect(change(to: 100, at: 1_000) == .none)
      #expect(change(to: 200, at: 1_016) == .none)
      #expect(change(to: 300, at: 1_033) == .began)
      #expect(change(to: 400, at: 1_050) == .moved)
      #expect(change(to: 500, at: 1_600) == .settled, "The view did not report the end.")
      #expect(drag(to: 510) == .began)
    }

    @Test("Changes that are 4 to 50 ms apart are in successive frames of an animation [11]")
    mutating func frames() {
      #expect(change(to: 1, at: 0) == .none)
      #expect(change(to: 2, at: 4) == .none)
      #expect(change(to: 3, at: 8) == .began)
      #expect(change(to: 4, at: 58) == .moved)
      #expect(change(to: 5, at: 109) == .settled)
      watch = ScrollWatch()
      #expect(change(to: 1, at: 0) == .none)
      #expect(change(to: 2, at: 50) == .none)
      #expect(change(to: 3, at: 100) == .began)
    }

    @Test("A released list that does not decelerate yet moves on within 50 ms [17]")
    mutating func released() {
      _ = drag(to: 10)
      _ = lift(at: 10, to: 500)
      #expect(change(to: 20, at: 0) == .moved)
      #expect(change(to: 30, at: 50) == .moved)
      #expect(change(to: 40, at: 101) == .settled)
    }

    @Test("A cover ends the motion of the list [9]")
    mutating func covered() {
      _ = drag(to: 10)
      #expect(watch.covered() == .settled)
      #expect(watch.covered() == .none)
      #expect(change(to: 20, at: 50) == .none)
      #expect(drag(to: 30) == .began)
    }

    @Test("A list that scrolls sideways is followed too")
    mutating func sideways() {
      let reading = ScrollWatch.Reading(
        offset: CGPoint(x: 5, y: 0), isDragging: true, isDecelerating: false, time: 0)
      #expect(watch.offsetChanged(reading) == .began)
      #expect(watch.fingerLifted(at: reading.offset, target: CGPoint(x: 90, y: 0)) == .landing)
    }
  }
}
