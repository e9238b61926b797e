import RowOperationsTesting

@testable import RowOperations

/// The newest names of renamed rows, which a script may name as before until a turn has ended.
package struct FormerNames: Hashable, Sendable {
  private struct Name: Hashable, Sendable {
    let row: Int
    let number: Int
  }

  private var names: [Int: Name] = [:]
  /// The number of renames so far.
  private(set) var count = 0

  /// The names in the order of the former ones.
  var facts: [Int] { names.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value.row] } }

  func name(of row: Int) -> Int { names[row].map { name(of: $0.row) } ?? row }

  mutating func rename(_ old: Int, to new: Int) {
    count += 1
    names[new] = nil
    names[old] = Name(row: new, number: count)
  }

  /// A turn has ended that began when there were so many renames.
  mutating func turnEnded(began: Int) { names = names.filter { $0.value.number > began } }
}

extension EventScript.Step {
  /// The step with the newest names of rows.
  ///
  /// Loads keep the names with which they began, and streams have the newest.
  func named(_ names: FormerNames) -> EventScript.Step {
    switch self {
    case .show, .report, .finish, .fail, .miss, .element, .endStream, .failStream: self
    case .rename(let old, let new): .rename(names.name(of: old), to: new)
    default: map(row: { names.name(of: $0) }, cell: { $0 }) ?? self
    }
  }
}
