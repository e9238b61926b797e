/// Finds cells that stay bound to a row other than that of their index path.
///
/// During a change, the model and the list may disagree. So a fault counts once two consecutive
/// layouts find it.
struct BindingCheck {
  struct Fault: Hashable {
    /// The place of the tracker among those of the list.
    let tracker: Int
    /// `nil` if the row is not near.
    let row: RowID?
    let position: Int
  }

  /// At the last layout, by cell.
  private var found: [ObjectIdentifier: Fault] = [:]
  private var reported: Set<Fault> = []

  func knows(_ faults: [ObjectIdentifier: Fault]) -> Bool {
    faults.allSatisfy { found[$0.key] == $0.value }
  }

  /// - Returns: The faults to report, each once.
  mutating func laidOut(_ faults: [ObjectIdentifier: Fault]) -> [Fault] {
    guard !faults.isEmpty || !found.isEmpty else { return [] }
    let repeated = faults.filter { found[$0.key] == $0.value }.values
    found = faults
    return repeated.sorted { $0.position < $1.position }.filter { reported.insert($0).inserted }
  }

  /// A change of the order changes the numbers of rows.
  mutating func reset() { (found, reported) = ([:], []) }
}
