import RowOperations

private protocol Engine {
  associatedtype RowID: Hashable & Sendable
  associatedtype CellID: Hashable & Sendable
  associatedtype Effect

  //@ mutating func apply(_ input: TrackerInput<RowID, CellID>, at now: Int64)  // A report.
}
