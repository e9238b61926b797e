/// A number in a ``Slab``, valid until the element is removed.
@frozen
@usableFromInline
package struct ID<Kind>: Hashable, Sendable {
  @usableFromInline package let index: Int32

  @inlinable
  init(index: Int32) { self.index = index }

  static var none: ID { ID(index: -1) }
}

package enum CellKind {}
@usableFromInline package enum RowKind {}
package enum RunKind {}

/// The number of a cell, or of a view inside one.
package typealias CellID = ID<CellKind>
@usableFromInline package typealias RowID = ID<RowKind>
/// The number of an operation, from its admission to its end.
package typealias RunID = ID<RunKind>
