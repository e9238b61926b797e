/// Finds cells that stay bound to a row other than that of their index path.
///
/// During a change, the model and the list may disagree for a moment. So a fault counts once two
/// consecutive layouts find it.
struct BindingCheck {
  private struct Fault: Equatable {
    let row: Int
    let position: ListPosition
  }

  private struct Found {
    let cell: ObjectIdentifier
    let fault: Fault
    let layouts: Int
  }

  private var found: [Found] = []
  private var reported: [Fault] = []

  func knows(_ cell: AnyObject, row: Int, at position: ListPosition) -> Bool {
    self[cell]?.fault == Fault(row: row, position: position)
  }

  private subscript(cell: AnyObject) -> Found? {
    found.first { $0.cell == ObjectIdentifier(cell) }
  }

  /// - Returns: The faults to report, each once.
  mutating func laidOut(
    _ wrong: [(cell: AnyObject, row: Int, position: ListPosition)]
  ) -> [(row: Int, position: ListPosition)] {
    guard !wrong.isEmpty || !found.isEmpty else { return [] }
    var now: [Found] = []
    var faults: [(row: Int, position: ListPosition)] = []
    for (cell, row, position) in wrong {
      let fault = Fault(row: row, position: position)
      let before = self[cell].flatMap { $0.fault == fault ? $0.layouts : nil } ?? 0
      now.append(Found(cell: ObjectIdentifier(cell), fault: fault, layouts: before + 1))
      guard before == 1, !reported.contains(fault) else { continue }
      reported.append(fault)
      faults.append((row, position))
    }
    found = now
    return faults
  }

  /// A change of the order changes the numbers of rows.
  mutating func reset() {
    found = []
    reported = []
  }
}
