/// The positions of a list on screen, or of a section that scrolls by itself.
package struct ShownPositions: Hashable, Sendable {
  package let section: Int?
  /// All positions of the list, or of the section.
  package let bounds: Range<Int>
  /// The positions on screen, at least one.
  package let shown: Range<Int>
  /// Whether the rows around the screen may be prefetched.
  let prefetches: Bool

  /// Makes the report of a list; `nil` without a position on screen.
  package init?(
    section: Int? = nil, bounds: Range<Int>, shown: Range<Int>, prefetches: Bool = true
  ) {
    guard !shown.clamped(to: bounds).isEmpty else { return nil }
    self.section = section
    self.bounds = bounds
    self.shown = shown.clamped(to: bounds)
    self.prefetches = prefetches
  }
}

/// The number of a list that shows rows of a tracker.
@usableFromInline package typealias ListNumber = Int

extension ListNumber {
  /// The list that an app reports by itself, without a number.
  package static let unnumbered = 0
}
