/// The positions on screen of a list, or of a section that scrolls by itself.
package struct ShownPositions: Hashable, Sendable {
  package let section: Int?
  /// All positions.
  package let bounds: Range<Int>
  /// At least one.
  package let shown: Range<Int>
  let prefetches: Bool

  /// `nil` without a position on screen.
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

package typealias ListNumber = Int

extension ListNumber {
  /// The list that an app reports by itself, without a number.
  static let unnumbered = 0
}
