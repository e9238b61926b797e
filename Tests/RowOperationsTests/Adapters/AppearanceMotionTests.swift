import Testing

@testable import RowOperations

extension Adapters {
  @Suite("Motion inferred from appearing rows")
  struct AppearanceMotionTests {
    private var motion = AppearanceMotion()

    private mutating func appear(at milliseconds: Int64) -> ScrollAction {
      motion.rowAppeared(at: milliseconds * 1_000_000)
    }

    private mutating func appear(at times: [Int64]) -> [ScrollAction] {
      var actions: [ScrollAction] = []
      for time in times { actions.append(appear(at: time)) }
      return actions
    }

    private mutating func tick(at milliseconds: Int64) -> AppearanceMotion.Tick {
      motion.tick(at: milliseconds * 1_000_000)
    }

    @Test("Rows that appear in one layout are no scroll, and the list rests after them [12]")
    mutating func layout() {
      let layout = appear(at: Array(repeating: 0, count: 12))
      #expect(layout == Array(repeating: .none, count: 12))
      #expect(appear(at: 3) == .none)
      #expect(tick(at: 100) == .early)
      #expect(tick(at: 253) == .rested(wasMoving: false))
      #expect(motion.deadline == nil)
    }

    @Test("Rows that appear in three successive frames are a scroll")
    mutating func scroll() {
      let actions = appear(at: [0, 50, 100, 150])
      #expect(actions == [.none, .none, .began, .moved])
      #expect(tick(at: 399) == .early)
      #expect(tick(at: 400) == .rested(wasMoving: true))
      #expect(appear(at: 500) == .none)
    }

    @Test("Rows that appear 4 ms apart are in two frames, rows that appear 3 ms apart in one")
    mutating func frames() {
      let actions = appear(at: [0, 3, 4, 8, 11, 12])
      #expect(actions == [.none, .none, .none, .began, .none, .moved])
    }

    @Test("Frames that are 250 ms apart are successive, later ones are not")
    mutating func pause() {
      let actions = appear(at: [0, 250, 500])
      #expect(actions == [.none, .none, .began])
      motion = AppearanceMotion()
      #expect(appear(at: [0, 250, 501, 752]) == Array(repeating: .none, count: 4))
    }

    @Test("Occasional insertions are no scroll")
    mutating func insertions() {
      let actions = appear(at: [0, 300, 600, 900])
      #expect(actions == Array(repeating: .none, count: 4))
    }

    @Test("A fling lasts until it has landed, even if rows appear rarely")
    mutating func fling() {
      motion.fingerLifted(distance: 500, at: 0)
      let end = Deceleration.normal.duration(distance: 500).milliseconds
      #expect(tick(at: 75) == .moved)
      #expect(tick(at: 100) == .early)
      #expect(appear(at: 140) == .moved)
      #expect(tick(at: 215) == .moved)
      #expect(tick(at: Int64(end) - 1) == .moved)
      #expect(tick(at: Int64(end) + 1) == .rested(wasMoving: true))
    }

    @Test("A fling rests when it has landed, but not within 250 ms of the last row")
    mutating func landing() {
      let end = Deceleration.normal.duration(distance: 500).nanoseconds
      motion.fingerLifted(distance: 500, at: 0)
      #expect(motion.tick(at: end) == .rested(wasMoving: true))
      motion.fingerLifted(distance: 500, at: 0)
      let last = end - 100_000_000
      #expect(motion.rowAppeared(at: last) == .moved)
      #expect(motion.tick(at: end) == .moved)
      #expect(motion.tick(at: last + AppearanceMotion.pause - 1) == .early)
      #expect(motion.tick(at: last + AppearanceMotion.pause) == .rested(wasMoving: true))
    }

    @Test("A cover ends the motion of the list [9]")
    mutating func covered() {
      _ = appear(at: [0, 50, 100])
      motion.covered()
      #expect(motion.deadline == nil)
    }
  }
}
