import Foundation

extension ListRelay {
  /// Called only for a layout whose counts agree with the model.
  func lookAtOrder(_ layout: ListLayout) {
    guard !coverage.isCovered else { return }
    let isOther = mustRead || countsChanged(layout)
    contentSize = layout.contentSize
    var found = report(layout, isOtherData: isOther)
    if layout.isInSight, !pages.isEmpty { reportPages(layout, at: found) }
    guard layout.isCounted else { return }
    var wrong = wrongCells(layout, at: found)
    if !isOther, wrong.contains(where: { !check.knows($0.cell, row: $0.row, at: $0.position) }) {
      found = report(layout, isOtherData: true)
      wrong = wrongCells(layout, at: found)
    }
    for (row, position) in check.laidOut(wrong) where row >= 0 { report(row, at: position) }
  }

  /// O(sections on screen), and O(sections) after a change of the content size.
  private func countsChanged(_ layout: ListLayout) -> Bool {
    guard layout.isCounted else { return layout.contentSize != contentSize }
    let counts = positions.counts
    guard layout.sectionCount == counts.count else { return true }
    guard layout.contentSize == contentSize else { return layout.counts != counts }
    var last = -1
    for cell in layout.cells {
      guard let section = cell.position?.section, section != last else { continue }
      last = section
      guard section >= 0, section < counts.count, counts[section] == layout.itemCount(section)
      else { return true }
    }
    return false
  }

  /// - Returns: The position of each cell; −1 for none.
  private func report(_ layout: ListLayout, isOtherData: Bool) -> [Int] {
    mustRead = false
    isCounted = layout.isCounted
    var model: OrderModel<Row>?
    func current() -> OrderModel<Row> {
      let current = model ?? rows.read()
      model = current
      return current
    }
    if isOtherData {
      check.reset()
      positions = ListPositions(layout.isCounted ? layout.counts : current().counts())
    }
    let found = positions(of: layout)
    let spans = spans(of: layout, at: found)
    // A copy, since the app's code may stop the tracking.
    let trackers = trackers
    for (index, link) in links.enumerated() {
      guard !links.isEmpty else { break }
      if layout.isCounted {
        trackers[index].show(spans, ofList: link.list, isOtherData: isOtherData) {
          source(current())
        }
        continue
      }
      let isFound = trackers[index].find(
        layout.cells.map(\.view), inList: link.list, isOtherData: isOtherData
      ) { source(current()) }
      if !isFound { DispatchQueue.main.async { [weak watcher] in watcher?.lookSoon() } }
    }
    return found
  }

  private func source(_ model: OrderModel<Row>) -> RowSource<Row> {
    let positions = positions
    return RowSource(count: positions.all.count) { range, take in
      positions.forEachSection(at: range) { model.read($0, take) }
    }
  }

  /// A section that scrolls by itself is on screen as a whole.
  private func reportPages(_ layout: ListLayout, at found: [Int]) {
    let shown: [Range<Int>] =
      if isCounted {
        spans(of: layout, at: found).map { $0.section == nil ? $0.shown : $0.bounds }
      } else {
        // The tracker finds the positions by the rows.
        links.compactMap { $0.tracker.shownPositions(inList: $0.list) }
      }
    let first = shown.map(\.lowerBound).min() ?? 0
    let end = shown.map(\.upperBound).max() ?? first
    for page in pages {
      page.shows(first..<end, of: positions.all.count, onScreen: layout.cells.count)
    }
  }

  // Loops over indices, since a weakly held view is slow to retain.

  private func positions(of layout: ListLayout) -> [Int] {
    let positions = positions
    var found: [Int] = []
    found.reserveCapacity(layout.cells.count)
    for cell in layout.cells.indices {
      found.append(layout.cells[cell].position.flatMap(positions.position) ?? -1)
    }
    return found
  }

  private func spans(of layout: ListLayout, at found: [Int]) -> [ShownPositions] {
    var inner: [Int: [Int]] = [:]
    var outer: [Int] = []
    outer.reserveCapacity(found.count)
    for cell in layout.cells.indices where found[cell] >= 0 {
      if layout.cells[cell].isInner, let item = layout.cells[cell].position {
        inner[item.section, default: []].append(found[cell])
      } else {
        outer.append(found[cell])
      }
    }
    var spans: [ShownPositions] = []
    if let span = span(outer, of: positions.all, section: nil) { spans.append(span) }
    guard !inner.isEmpty else { return spans }
    for section in inner.keys.sorted() {
      let all = positions.positions(ofSection: section)
      if let span = span(inner[section] ?? [], of: all, section: section) { spans.append(span) }
    }
    return spans
  }

  private func span(_ shown: [Int], of all: Range<Int>, section: Int?) -> ShownPositions? {
    // In a table with columns, several views are at one position.
    let shown = shown.sortedWithoutRepeats()
    let last = lastShown[section] ?? all.lowerBound
    guard let range = VisibleRange.of(shown, displays: shown.count, near: last) else { return nil }
    lastShown[section] = range.lowerBound
    return ShownPositions(section: section, bounds: all, shown: range, prefetches: !isHeld)
  }

  /// −1 stands for a row that is not near.
  private func wrongCells(
    _ layout: ListLayout, at found: [Int]
  ) -> [(cell: AnyObject, row: Int, position: ListPosition)] {
    var rows: [Int: Int] = [:]
    for link in links {
      let wrong = link.tracker.wrongCells(at: found, inList: link.list) {
        ObjectIdentifier(layout.cells[$0].view)
      }
      for (cell, row) in wrong {
        rows[cell] = rows[cell] ?? row.map { Int($0.index) } ?? -1
      }
    }
    guard !rows.isEmpty else { return [] }
    return layout.cells.enumerated().compactMap { number, cell in
      guard let row = rows[number], let position = cell.position else { return nil }
      return (cell.view, row, position)
    }
  }

  private func report(_ row: Int, at item: ListPosition) {
    guard let position = positions.position(of: item) else { return }
    for (tracker, link) in zip(trackers, links) {
      guard let name = tracker.row(number: row) else { continue }
      let rows = tracker.rows(at: position, inList: link.list).map { "\($0)" }
      OperationDiagnostics.report(
        .staleCell, nil,
        """
        The cell at item \(item.row) of section \(item.section) is bound to row \(name), but the rows \
        there are [\(rows.joined(separator: ", "))]. Bind every cell each time, to nil where there is no row.
        """)
      return
    }
  }

  func index(ofRowIn view: AnyObject) -> Int? {
    for link in links {
      if let position = link.tracker.position(ofRowIn: view, inList: link.list) { return position }
    }
    return nil
  }

  func landingRows(at paths: [IndexPath]) -> [Row] {
    let model = rows.read()
    var landing: [Row] = []
    for path in paths where path.count == 2 {
      let item = ListPosition(path)
      if isCounted, !positions.counts.isEmpty {
        guard let position = positions.position(of: item) else { continue }
        model.read(item, at: position) { landing.append($0) }
      } else {
        // An uncounted view numbers its items across the model.
        model.read(positions.item(at: item.row), at: item.row) { landing.append($0) }
      }
    }
    return landing
  }
}

extension [Int] {
  fileprivate func sortedWithoutRepeats() -> [Int] {
    for index in indices.dropFirst() where self[index - 1] >= self[index] {
      return Set(self).sorted()
    }
    return self
  }
}
