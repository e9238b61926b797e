import RowOperations

package struct ScriptedLists<Row: Sendable> {
  package struct List {
    package fileprivate(set) var rows: [Int: [Row]] = [:]
    package fileprivate(set) var spans: [ShownPositions] = []
    /// Since the list last showed positions.
    package fileprivate(set) var isOtherData = false
  }

  package private(set) var lists: [Int: List] = [:]

  package init() {}

  package mutating func record(_ rows: [Row], isItem: Bool, at position: Int, list: Int) {
    var known = lists[list] ?? List()
    for (index, row) in rows.enumerated() where !isItem {
      known.isOtherData = known.isOtherData || known.rows[position + index] != nil
      known.rows[position + index] = [row]
    }
    if isItem {
      known.isOtherData = known.isOtherData || known.rows[position] != nil
      known.rows[position] = rows
    }
    lists[list] = known
  }

  /// - Returns: All positions of the list on screen, and whether its data has changed.
  package mutating func show(
    _ shown: Range<Int>, of all: Range<Int>, section: Int?, list: Int
  ) -> (spans: [ShownPositions], isOtherData: Bool) {
    var known = lists[list] ?? List()
    known.spans.removeAll { $0.section == section }
    if let span = ShownPositions(section: section, bounds: all, shown: shown) {
      known.spans.append(span)
    }
    let isOtherData = known.isOtherData
    known.isOtherData = false
    lists[list] = known
    return (known.spans, isOtherData)
  }

  package func rows(at position: Int, list: Int) -> [Row] { lists[list]?.rows[position] ?? [] }
}
