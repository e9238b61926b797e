import Foundation

/// The positions of the list on screen, and the check of the cells against the rows there.
extension ListRelay {
  /// Reports the positions on screen, and reads the rows around them.
  ///
  /// Called only for a layout whose counts agree with the model.
  func lookAtOrder(_ layout: ListLayout) {
    guard !coverage.isCovered else { return }
    let isOther = mustRead || countsChanged(layout)
    contentSize = layout.contentSize
    report(layout, isOtherData: isOther)
    if !pages.isEmpty { reportPages(layout) }
    guard layout.isCounted else { return }
    var wrong = wrongCells(layout)
    if !isOther, wrong.contains(where: { !check.knows($0.cell, row: $0.row, at: $0.position) }) {
      report(layout, isOtherData: true)
      wrong = wrongCells(layout)
    }
    for (row, position) in check.laidOut(wrong) where row >= 0 { report(row, at: position) }
  }

  /// Whether the list's counts of items have changed.
  ///
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

  private func report(_ layout: ListLayout, isOtherData: Bool) {
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
      trace?.counted(positions.counts)
    }
    defer { trace?.endReading() }
    let spans = spans(of: layout)
    for (tracker, link) in zip(trackers, links) {
      if layout.isCounted {
        tracker.show(spans, ofList: link.list, isOtherData: isOtherData) { source(current()) }
        continue
      }
      let isFound = tracker.find(
        layout.cells.map(\.view), inList: link.list, isOtherData: isOtherData
      ) { source(current()) }
      if !isFound { DispatchQueue.main.async { [weak watcher] in watcher?.lookSoon() } }
    }
  }

  private func source(_ model: OrderModel<Row>) -> RowSource<Row> {
    let positions = positions
    return RowSource(count: positions.all.count) { [weak self] position, take in
      var read: [Row] = []
      model.read(positions.item(at: position), position) { row in
        take(row)
        if self?.trace != nil { read.append(row) }
      }
      self?.trace?.rowsRead(read, at: position)
    }
  }

  /// Reports the positions on screen to the pages.
  ///
  /// A section that scrolls by itself is on screen as a whole.
  private func reportPages(_ layout: ListLayout) {
    let shown: [Range<Int>] =
      if isCounted {
        spans(of: layout).map { $0.section == nil ? $0.shown : $0.bounds }
      } else {
        // The tracker finds the positions by the rows.
        links.compactMap { $0.tracker.shownPositions(inList: $0.list) }
      }
    let first = shown.map(\.lowerBound).min() ?? 0
    let end = shown.map(\.upperBound).max() ?? first
    for page in pages { page.shows(first..<end, of: positions.all.count) }
  }

  /// The positions on screen, of the list and of each section that scrolls by itself.
  private func spans(of layout: ListLayout) -> [ShownPositions] {
    var inner: [Int: [Int]] = [:]
    var outer: [Int] = []
    for cell in layout.cells {
      guard let item = cell.position, let position = positions.position(of: item) else { continue }
      if cell.isInner {
        inner[item.section, default: []].append(position)
      } else {
        outer.append(position)
      }
    }
    var spans: [ShownPositions] = []
    if let span = span(outer, of: positions.all, section: nil) { spans.append(span) }
    for section in inner.keys.sorted() {
      let all = positions.positions(ofSection: section)
      if let span = span(inner[section] ?? [], of: all, section: section) { spans.append(span) }
    }
    return spans
  }

  private func span(_ shown: [Int], of all: Range<Int>, section: Int?) -> ShownPositions? {
    // In a table with columns, several views are at one position.
    let shown = Set(shown).sorted()
    let last = lastShown[section] ?? all.lowerBound
    guard let range = VisibleRange.of(shown, displays: shown.count, near: last) else { return nil }
    lastShown[section] = range.lowerBound
    return ShownPositions(section: section, bounds: all, shown: range, prefetches: !isHeld)
  }

  /// The cells with another row than that of their position; −1 stands for a row that is not near.
  private func wrongCells(
    _ layout: ListLayout
  ) -> [(cell: AnyObject, row: Int, position: ListPosition)] {
    let (links, positions) = (links, positions)
    var wrong: [(cell: AnyObject, row: Int, position: ListPosition)] = []
    for cell in layout.cells {
      guard let item = cell.position, let position = positions.position(of: item) else { continue }
      links: for link in links {
        switch link.tracker.place(of: cell.view, at: position, inList: link.list) {
        case .unbound, .unknown, .right: continue
        case .elsewhere(let row): wrong.append((cell.view, Int(row.index), item))
        case .outside: wrong.append((cell.view, -1, item))
        }
        break links
      }
    }
    return wrong
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

  package func index(ofRowIn view: AnyObject) -> Int? {
    for link in links {
      if let position = link.tracker.position(ofRowIn: view, inList: link.list) { return position }
    }
    return nil
  }

  /// The rows of the items where the list lands.
  func landingRows(at paths: [IndexPath]) -> [Row] {
    let model = rows.read()
    var landing: [Row] = []
    for path in paths where path.count == 2 {
      let item = ListPosition(path)
      if isCounted, !positions.counts.isEmpty {
        guard let position = positions.position(of: item) else { continue }
        model.read(item, position) { landing.append($0) }
      } else {
        // A view that does not count its items numbers them across the model.
        model.read(positions.item(at: item.row), item.row) { landing.append($0) }
      }
    }
    return landing
  }
}
