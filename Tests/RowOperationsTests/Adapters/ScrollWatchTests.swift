import Testing

@testable import RowOperations

extension Adapters {
  @Suite("Is the view really scrolling")
  struct ScrollWatchTests {
    private var watch = ScrollWatch()

    private mutating func drag(to y: Double) -> ScrollAction {
      watch.offsetChanged(.init(y: y, isDragging: true, isDecelerating: false, time: 0))
    }

    private mutating func decelerate(to y: Double) -> ScrollAction {
      watch.offsetChanged(.init(y: y, isDragging: false, isDecelerating: true, time: 0))
    }

    /// The offset changes though the view is neither dragged nor does it decelerate.
    private mutating func change(to y: Double, at milliseconds: Int64) -> ScrollAction {
      watch.offsetChanged(
        .init(y: y, isDragging: false, isDecelerating: false, time: milliseconds * 1_000_000))
    }

    @Test("A drag begins once and moves from then on")
    mutating func drag() {
      #expect(drag(to: 1) == .began)
      #expect(drag(to: 2) == .moved)
      #expect(drag(to: 2) == .none, "The same offset once more is no move.")
      #expect(drag(to: 1) == .moved)
    }

    @Test("A fling lands where it was said to, and has settled when it is there [17]")
    mutating func fling() {
      #expect(drag(to: 10) == .began)
      #expect(watch.fingerLifted(at: .init(y: 10), target: .init(y: 500)) == .landing)
      #expect(decelerate(to: 300) == .moved)
      #expect(decelerate(to: 499.7) == .settled)
      #expect(decelerate(to: 499.9) == .none, "It creeps on for some frames.")
      #expect(change(to: 500, at: 900) == .none, "The last half point is a layout.")
    }

    @Test("A finger that lets go of a list that does not decelerate settles it [17]")
    mutating func letGo() {
      #expect(drag(to: 10) == .began)
      #expect(watch.fingerLifted(at: .init(y: 10), target: .init(y: 10)) == .settled)
      #expect(drag(to: 12) == .began)
    }

    @Test("While the view says it is dragged after it was let go, no new drag has begun [17]")
    mutating func lateFlags() {
      _ = drag(to: 10)
      #expect(watch.fingerLifted(at: .init(y: 10), target: .init(y: 500)) == .landing)
      #expect(drag(to: 14) == .moved)
      #expect(change(to: 18, at: 5) == .moved, "It does not decelerate yet, but it will.")
      #expect(decelerate(to: 20) == .moved)
      #expect(decelerate(to: 500) == .settled)
    }

    @Test("A fling that the app calls off as it begins is over with the next motion")
    mutating func calledOff() {
      _ = drag(to: 10)
      #expect(watch.fingerLifted(at: .init(y: 10), target: .init(y: 500)) == .landing)
      #expect(change(to: 0, at: 1) == .moved, "It may still begin to decelerate.")
      #expect(change(to: 40, at: 900) == .settled)
      #expect(change(to: 41, at: 2_000) == .none, "A layout.")
      #expect(drag(to: 42) == .began)
    }

    @Test(
      "While a list that was let go where it was still counts as dragged, no drag has begun [17]")
    mutating func lateFlagAtRest() {
      _ = drag(to: 10)
      #expect(watch.fingerLifted(at: .init(y: 10), target: .init(y: 10)) == .settled)
      #expect(drag(to: 10.33) == .none)
      #expect(drag(to: 11) == .began)
    }

    @Test("A finger that takes hold of a fling begins a new drag, with no end told [18]")
    mutating func caught() {
      _ = drag(to: 10)
      _ = watch.fingerLifted(at: .init(y: 10), target: .init(y: 500))
      #expect(decelerate(to: 100) == .moved)
      #expect(drag(to: 101) == .began)
      #expect(watch.fingerLifted(at: .init(y: 101), target: .init(y: 700)) == .landing)
      #expect(decelerate(to: 500) == .moved, "What was the target is none any more.")
    }

    @Test("A fling that was stopped has settled when the view no longer decelerates [18]")
    mutating func stopped() {
      _ = drag(to: 10)
      _ = watch.fingerLifted(at: .init(y: 10), target: .init(y: 500))
      #expect(decelerate(to: 100) == .moved)
      #expect(change(to: 101, at: 100) == .settled)
    }

    @Test("A drag whose end is not forwarded settles when the view is not dragged any more [18]")
    mutating func unforwardedEnd() {
      _ = drag(to: 10)
      #expect(change(to: 11, at: 20) == .settled)
    }

    @Test("A list that bounces back after it reached its end goes on moving [10]")
    mutating func bounce() {
      _ = drag(to: 10)
      _ = watch.fingerLifted(at: .init(y: 10), target: .init(y: 500))
      #expect(decelerate(to: 500) == .settled)
      #expect(decelerate(to: 530) == .moved)
      #expect(decelerate(to: 500.2) == .settled)
      #expect(decelerate(to: 498) == .moved)
      #expect(change(to: 500, at: 400) == .settled)
    }

    @Test("An offset that a layout corrects is no scroll [12]")
    mutating func layout() {
      #expect(change(to: 40, at: 0) == .none)
      #expect(change(to: 44, at: 0) == .none, "Several times in a pass,")
      #expect(change(to: 46, at: 1) == .none)
      #expect(change(to: 48, at: 2) == .none)
      #expect(change(to: 52, at: 16) == .none, "also in the next frame,")
      #expect(change(to: 60, at: 400) == .none, "and later, each time that rows are committed.")
      #expect(change(to: 68, at: 800) == .none)
      #expect(change(to: 76, at: 1200) == .none)
    }

    @Test("An offset that changes frame by frame is an animation; a jump at once is none [11]")
    mutating func animation() {
      #expect(change(to: 5_000, at: 0) == .none)
      #expect(change(to: 100, at: 1_000) == .none)
      #expect(change(to: 200, at: 1_016) == .none)
      #expect(change(to: 300, at: 1_033) == .began)
      #expect(change(to: 400, at: 1_050) == .moved)
      #expect(change(to: 500, at: 1_600) == .settled, "Its end was not told.")
      #expect(drag(to: 510) == .began)
    }

    @Test("What moved the list is over when it is covered [9]")
    mutating func covered() {
      _ = drag(to: 10)
      #expect(watch.covered() == .settled)
      #expect(watch.covered() == .none)
      #expect(change(to: 20, at: 50) == .none)
      #expect(drag(to: 30) == .began)
    }

    @Test("A list that scrolls sideways is followed as well")
    mutating func sideways() {
      let reading = ScrollWatch.Reading(
        x: 5, y: 0, isDragging: true, isDecelerating: false, time: 0)
      #expect(watch.offsetChanged(reading) == .began)
      #expect(watch.fingerLifted(at: .init(x: 5, y: 0), target: .init(x: 90, y: 0)) == .landing)
    }
  }
}
