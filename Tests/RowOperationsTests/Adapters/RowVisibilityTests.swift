import Testing

@testable import RowOperations

extension Adapters {
  @Suite("Visibility of a row")
  struct RowVisibilityTests {
    private var visibility = RowVisibility()

    @Test("Appearances count while the host reports no visibility [21]")
    mutating func appearances() {
      #expect(visibility.presence == .away)
      visibility.appeared()
      visibility.appeared()
      #expect(visibility.presence == .displayed)
      visibility.disappeared()
      #expect(visibility.presence == .away)
    }

    @Test(
      "A row that scrolls away without disappearing is off screen until it scrolls back")
    mutating func scrolledAway() {
      visibility.appeared()
      visibility.scrolled(isVisible: false)
      #expect(visibility.presence == .away)
      visibility.appeared()
      #expect(
        visibility.presence == .away,
        "The exact report takes precedence over a repeated appearance.")
      visibility.scrolled(isVisible: true)
      #expect(visibility.presence == .displayed)
    }

    @Test(
      "A row that scrolled away and disappeared is on screen when it appears again")
    mutating func returned() {
      visibility.appeared()
      visibility.scrolled(isVisible: false)
      visibility.disappeared()
      visibility.scrolled(isVisible: false)
      visibility.appeared()
      #expect(visibility.presence == .displayed)
    }

    @Test("A row that is reported visible is on screen even if it never appeared")
    mutating func visibleAlone() {
      visibility.scrolled(isVisible: true)
      #expect(visibility.presence == .displayed)
    }

    @Test("No row of a covered list is on screen, even if it is reported visible")
    mutating func covered() {
      visibility.appeared()
      visibility.listCovered(true)
      visibility.scrolled(isVisible: true)
      #expect(visibility.presence == .covered)
      visibility.listCovered(false)
      #expect(visibility.presence == .displayed)
    }
  }
}
