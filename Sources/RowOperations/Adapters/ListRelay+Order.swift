import Foundation

extension ListRelay {
  /// Called only for a layout with the counts of the model.
  func lookAtOrder(_ layout: ListLayout) {
    guard !isCovered else { return }
    let isOther = mustRead || countsChanged(layout)
    contentSize = layout.contentSize
    var found = report(layout, isOtherData: isOther)
    if !layout.isInSight { hidePages() } else if !pages.isEmpty { reportPages(layout, at: found) }
    guard layout.isCounted else { return }
    var faults = faults(layout, at: found)
    if !isOther, !check.knows(faults) {
      found = report(layout, isOtherData: true)
      faults = self.faults(layout, at: found)
    }
    for fault in check.laidOut(faults) { report(fault) }
  }

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
    if isOtherData {
      check.reset()
      positions = ListPositions(layout.isCounted ? layout.counts : feeds.first?.counts ?? [])
    }
    let found = positions(of: layout)
    let spans = spans(of: layout, at: found)
    for feed in feeds where !feed.show(layout, spans, positions, isOtherData: isOtherData) {
      // A search goes on.
      DispatchQueue.main.async { [weak watcher] in watcher?.lookSoon() }
    }
    return found
  }

  func hidePages() { for page in pages { page.isHidden = true } }

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

  // MARK: Cells with another row

  /// By cell, the first tracker's.
  private func faults(
    _ layout: ListLayout, at found: [Int]
  ) -> [ObjectIdentifier: BindingCheck.Fault] {
    var faults: [ObjectIdentifier: BindingCheck.Fault] = [:]
    for (tracker, link) in links.enumerated() {
      let wrong = link.tracker.wrongCells(at: found, inList: link.list) {
        ObjectIdentifier(layout.cells[$0].view)
      }
      for (cell, row) in wrong {
        let view = ObjectIdentifier(layout.cells[cell].view)
        guard faults[view] == nil else { continue }
        faults[view] = BindingCheck.Fault(tracker: tracker, row: row, position: found[cell])
      }
    }
    return faults
  }

  private func report(_ fault: BindingCheck.Fault) {
    guard let row = fault.row, links.indices.contains(fault.tracker) else { return }
    let (link, item) = (links[fault.tracker], positions.item(at: fault.position))
    guard let names = link.tracker.names(of: row, at: fault.position, inList: link.list) else {
      return
    }
    OperationDiagnostics.report(
      .staleCell, nil,
      """
      The cell at item \(item.row) of section \(item.section) is bound to row \(names.bound), but the rows \
      there are [\(names.there.joined(separator: ", "))]. Bind every cell each time, to nil where there is no row.
      """)
  }

  // MARK: Landing

  func item(_ path: IndexPath) -> ListItems? {
    guard path.count == 2 else { return nil }
    if isCounted, !positions.counts.isEmpty {
      return positions.position(of: ListPosition(path)).map {
        ListItems(section: path[0], rows: path[1]..<path[1] + 1, first: $0)
      }
    }
    // An uncounted view numbers its items across the model.
    let item = positions.item(at: path[1])
    return ListItems(section: item.section, rows: item.row..<item.row + 1, first: path[1])
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
