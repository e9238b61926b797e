import Foundation

@frozen
@usableFromInline
package struct ListPosition: Hashable, Comparable, Sendable {
  @usableFromInline package var section: Int
  @usableFromInline package var row: Int

  package init(section: Int = 0, row: Int) {
    self.section = section
    self.row = row
  }

  init(_ path: IndexPath) { self.init(section: path[0], row: path[1]) }

  @usableFromInline
  package static func < (a: ListPosition, b: ListPosition) -> Bool {
    (a.section, a.row) < (b.section, b.row)
  }
}
