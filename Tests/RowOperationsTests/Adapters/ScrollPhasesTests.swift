import Testing

@testable import RowOperations

extension Adapters {
  @Suite("Scrolling reported in phases")
  struct ScrollPhasesTests {
    private func actions(_ stages: [ScrollStage]) -> [ScrollAction] {
      var phases = ScrollPhases()
      return stages.map { phases.changed(to: $0) }
    }

    @Test("A fling begins, moves and settles")
    func fling() {
      #expect(
        actions([.touched, .dragged, .decelerating, .resting]) == [.none, .began, .moved, .settled])
    }

    @Test("A finger that stops a fling settles it, and begins a new scroll when it moves [18]")
    func stopped() {
      #expect(
        actions([.dragged, .decelerating, .touched, .dragged, .resting])
          == [.began, .moved, .settled, .began, .settled])
    }

    @Test("A touch that moves nothing is no scroll")
    func touch() {
      #expect(actions([.touched, .resting, .resting]) == [.none, .none, .none])
    }

    @Test("A drag right after a fling and an animation right after a drag are new scrolls")
    func restarts() {
      #expect(
        actions([.decelerating, .dragged, .animated, .resting])
          == [.began, .began, .began, .settled])
    }

    @Test("An offset that changes at rest or under a resting finger is a layout [12]")
    func layout() {
      var phases = ScrollPhases()
      #expect(phases.offsetChanged(to: 1) == .none)
      _ = phases.changed(to: .touched)
      #expect(phases.offsetChanged(to: 1) == .none)
      _ = phases.changed(to: .dragged)
      #expect(phases.offsetChanged(to: 1) == .moved)
      _ = phases.changed(to: .resting)
      #expect(phases.offsetChanged(to: 1) == .none)
    }

    private let extent = ScrollExtent(offset: 1_000, length: 800, contentLength: 9_000)

    @Test("A decelerating list travels as far as its velocity allows, in its direction")
    func velocity() {
      var phases = ScrollPhases()
      _ = phases.changed(to: .dragged)
      #expect(phases.distance(velocity: 2_000, extent) == nil)
      _ = phases.changed(to: .decelerating)
      let rest = extent.rest(velocity: 2)
      #expect(phases.distance(velocity: 2_000, extent) == rest - 1_000)
      #expect(phases.distance(velocity: nil, extent) == nil)
      #expect(phases.distance(velocity: .nan, extent) == nil)
      _ = phases.offsetChanged(to: 1_010)
      _ = phases.offsetChanged(to: 1_000)
      #expect(phases.distance(velocity: 2_000, extent) == extent.rest(velocity: -2) - 1_000)
    }
  }
}
