import Foundation

/// The position of an item in a list: its section, and its number in the section.
@frozen
@usableFromInline
package struct ListPosition: Hashable, Comparable, Sendable {
  @usableFromInline package var section: Int
  @usableFromInline package var row: Int

  package init(section: Int = 0, row: Int) {
    self.section = section
    self.row = row
  }

  /// Makes the position of an index path of two numbers.
  init(_ path: IndexPath) { self.init(section: path[0], row: path[1]) }

  @usableFromInline
  package static func < (a: ListPosition, b: ListPosition) -> Bool {
    (a.section, a.row) < (b.section, b.row)
  }
}
