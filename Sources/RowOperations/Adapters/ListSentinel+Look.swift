#if (canImport(UIKit) && !os(watchOS)) || (canImport(AppKit) && !targetEnvironment(macCatalyst))
  #if canImport(UIKit)
    import UIKit

    typealias KitView = UIView
    typealias KitTable = UITableView
    typealias KitTableCell = UITableViewCell
    typealias KitCollection = UICollectionView
    typealias KitCollectionCell = UICollectionViewCell
  #else
    import AppKit

    typealias KitView = NSView
    typealias KitTable = NSTableView
    typealias KitTableCell = NSTableRowView
    typealias KitCollection = NSCollectionView
    typealias KitCollectionCell = NSCollectionViewItem
  #endif

  extension ListSentinel: ListWatching {
    func place(of view: AnyObject) -> ViewPlace {
      guard let list, let inner = self.view(of: view) else { return .outside }
      guard inner.superview != nil else { return .unplaced }
      // The nearest list around a cell owns it.
      if isCell(view) {
        let around = sequence(first: inner) { $0.superview }.dropFirst()
        let owner = around.first { list is KitTable ? $0 is KitTable : $0 is KitCollection }
        if owner === list { return .cell }
      }
      return inner.isDescendant(of: list) ? .inside : .outside
    }

    private func isCell(_ view: AnyObject) -> Bool {
      list is KitTable && view is KitTableCell || list is KitCollection && view is KitCollectionCell
    }

    /// Reports the part of a layout that is in sight.
    func report(_ read: ListLayout) {
      var layout = read
      layout.isDataConstrained = DataCost.shared.isConstrained
      let loose = relay.looseViews()
      if layout.isCounted {
        layout.others = loose
      } else {
        layout.cells = loose.map { .init($0, at: nil) }
      }
      wasUnsettled = !layout.isSettled
      frames.record(layout.views, frame: visiblePart(of:))
      // A list lays its cells out for all of its bounds.
      layout.cells = layout.cells.filter { visiblePart(of: $0.view) != nil }
      layout.others = layout.others.filter { visiblePart(of: $0) != nil }
      counts.removeAll(keepingCapacity: true)
      for cell in layout.cells {
        guard let section = cell.position?.section, counts[section] == nil else { continue }
        counts[section] = layout.itemCount(section)
      }
      // The list may be laid out in an animation, but not the cells' contents.
      withoutAnimation { relay.laidOut(layout) }
    }

    /// For unreported deletions, moves, drags and drops, and for removed views.
    func hasOtherItems(_ list: ListView) -> Bool {
      if frames.haveChanged(frame: visiblePart(of:)) { return true }
      guard !list.hasUncommittedItems else { return false }
      return wasUnsettled || counts.contains { $0.value != list.itemCount(inSection: $0.key) }
    }
  }

  extension ListSentinel {
    struct InnerScroll {
      weak var view: KitView?
      let observation: AnyObject
    }

    /// Looks after each scroll of a view inside the list.
    func observeOnce(_ inner: KitView, _ start: () -> AnyObject) {
      guard innerScrolls[ObjectIdentifier(inner)]?.view !== inner else { return }
      innerScrolls = innerScrolls.filter { $0.value.view != nil }
      innerScrolls[ObjectIdentifier(inner)] = InnerScroll(view: inner, observation: start())
    }

    func observeTurns() -> RunLoopObservation {
      RunLoopObservation(
        willCommit: { [weak self] in self?.willCommit() },
        didCommit: { [weak self] in self?.didCommit() })
    }

    /// The commit may have moved the list with the views around it.
    ///
    /// The run loop may wait now, so this wakes it.
    private func didCommit() {
      guard window != nil, let list, sightChanged(of: list) else { return }
      DispatchQueue.main.async { [weak self] in self?.moved() }
    }
  }

  extension KitView {
    var largestVisibleSize: CGSize {
      var size = bounds.size
      for view in sequence(first: self, next: \.superview).dropFirst()
      where view.cutsSubviews || view.superview == nil {
        let outer = view.convert(view.bounds, to: self)
        size.width = min(size.width, outer.width)
        size.height = min(size.height, outer.height)
      }
      return size
    }
  }
#endif
