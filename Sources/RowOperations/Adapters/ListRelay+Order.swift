import Foundation

/// The order of the list's rows, and the check of the cells against it.
extension ListRelay {
  func readOrder(_ reader: OrderReader<Row>, _ layout: ListLayout) {
    let isOther = mustRead || countsChanged(layout)
    contentSize = layout.contentSize
    var wrong = isOther ? [] : wrongCells(layout)
    let isNew = wrong.contains { !check.knows($0.cell, row: $0.row, at: $0.position) }
    if isOther || isNew {
      read(reader, layout)
      wrong = wrongCells(layout)
    }
    // A row outside the order is no fault.
    for (row, position) in check.laidOut(wrong) where row >= 0 { report(row, at: position) }
  }

  /// Whether the list's counts of items have changed.
  ///
  /// O(sections on screen), and O(sections) after a change of the content size.
  private func countsChanged(_ layout: ListLayout) -> Bool {
    guard layout.sectionCount == order.counts.count else { return true }
    guard layout.contentSize == contentSize else {
      return !layout.isCounted || layout.counts != order.counts
    }
    let counts = order.counts
    var last = -1
    for cell in layout.cells {
      guard let section = cell.position?.section, section != last else { continue }
      last = section
      guard section >= 0, section < counts.count, counts[section] == layout.itemCount(section)
      else { return true }
    }
    return false
  }

  private func read(_ reader: OrderReader<Row>, _ layout: ListLayout) {
    mustRead = false
    let old = order
    order = reader.read(layout.counts)
    trace?.orderRead(order)
    guard order.rows != old.rows else { return }
    check.reset()
    for (tracker, link) in zip(trackers, links) {
      tracker.setOrder(order.rows, ofList: link.list)
    }
  }

  /// The cells with another row than that of their position; −1 stands for a row outside the order.
  private func wrongCells(
    _ layout: ListLayout
  ) -> [(cell: AnyObject, row: Int, position: ListPosition)] {
    let (links, order) = (links, order)
    var wrong: [(cell: AnyObject, row: Int, position: ListPosition)] = []
    for cell in layout.cells {
      if let row = Self.wrongRow(of: cell, in: order, links) {
        wrong.append((cell.view, row, cell.position ?? .init(section: -1, row: -1)))
      }
    }
    return wrong
  }

  private static func wrongRow(
    of cell: ListLayout.Cell, in order: ListOrder<Row>, _ links: [TrackerLink]
  ) -> Int? {
    for link in links {
      switch link.tracker.boundIndex(of: cell.view, inList: link.list) {
      case .unbound: continue
      case .elsewhere: return -1
      case .at(let row):
        guard let position = cell.position else { continue }
        let expected = order.rows(at: position)
        // A repeated row is known by its first index.
        if expected.contains(row) || order.rows[expected].contains(order.rows[row]) { continue }
        return row
      }
    }
    return nil
  }

  private func report(_ row: Int, at position: ListPosition) {
    let rows = order.rows(at: position).map { "\(order.rows[$0])" }.joined(separator: ", ")
    OperationDiagnostics.report(
      .staleCell, nil,
      """
      The cell at item \(position.row) of section \(position.section) is bound to row \(order.rows[row]), \
      but the rows there are [\(rows)]. Bind every cell each time, to nil where there is no row.
      """)
  }

  package func index(ofRowIn view: AnyObject) -> Int? {
    for link in links {
      if case .at(let row) = link.tracker.boundIndex(of: view, inList: link.list) { return row }
    }
    return nil
  }

  /// The rows of an index path, in the last order.
  func rows(at path: IndexPath) -> [Row] {
    switch rows {
    case .order: path.count == 2 ? Array(order.rows[order.rows(at: .init(path))]) : []
    case .lookUp(let row): row(path).map { [$0] } ?? []
    }
  }
}
