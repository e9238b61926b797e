import RowOperations

package struct ScriptedLists<Row: Sendable> {
  package struct List {
    package var rows: [Int: [Row]] = [:]
    var spans: [ShownPositions] = []
    /// Since the list last showed positions.
    var isOtherData = false
  }

  package var lists: [Int: List] = [:]

  package init() {}

  package mutating func record(_ items: [[Row]], at position: Int, list: Int) {
    for (index, item) in items.enumerated() {
      let old = lists[list, default: List()].rows.updateValue(item, forKey: position + index)
      if old != nil { lists[list]?.isOtherData = true }
    }
  }

  /// - Returns: All positions on screen, and whether the data has changed.
  package mutating func show(
    _ shown: Range<Int>, of all: Range<Int>, section: Int?, list: Int
  ) -> (spans: [ShownPositions], isOtherData: Bool) {
    var known = lists[list] ?? List()
    known.spans.removeAll { $0.section == section }
    if let span = ShownPositions(section: section, bounds: all, shown: shown) {
      known.spans.append(span)
    }
    lists[list] = List(rows: known.rows, spans: known.spans)
    return (known.spans, known.isOtherData)
  }

  package func rows(at position: Int, list: Int) -> [Row] { lists[list]?.rows[position] ?? [] }
}
