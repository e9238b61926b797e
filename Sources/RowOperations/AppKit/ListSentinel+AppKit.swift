#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  import AppKit

  /// Reads the content of a list, as a view of no size inside it.
  ///
  /// AppKit lays it out after the list, before both are drawn.
  ///
  /// It is marked for layout whenever the list may be laid out: when the list scrolls or changes
  /// its size, and when a cell is bound. The list retains it, and it retains the tracking.
  final class ListSentinel: NSView, ListWatching {
    private weak var list: NSView?
    private var tracking: ListTracking?
    private let relay: any ListRelaying
    private var phases = ScrollPhases()

    init(watching list: NSView, for tracking: ListTracking) {
      self.list = list
      self.tracking = tracking
      relay = tracking.relay
      super.init(frame: .zero)
      setAccessibilityElement(false)
      list.postsFrameChangedNotifications = true
      on(NSView.frameDidChangeNotification, list, #selector(markForLayout))
      list.addSubview(self)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }

    func isListed(_ view: AnyObject) -> Bool {
      list is NSTableView && (view is NSTableRowView || view is NSTableCellView)
        || list is NSCollectionView && view is NSCollectionViewItem
    }

    func stop() {
      NotificationCenter.default.removeObserver(self)
      tracking = nil
      removeFromSuperview()
    }

    private func on(_ name: Notification.Name, _ sender: AnyObject?, _ selector: Selector) {
      NotificationCenter.default.addObserver(self, selector: selector, name: name, object: sender)
    }

    @objc private func markForLayout() { needsLayout = true }

    override func hitTest(_ point: NSPoint) -> NSView? { nil }

    // MARK: Displays

    override func layout() {
      super.layout()
      guard window != nil, tracking != nil else { return }
      relay.laidOut(listLayout())
    }

    private func listLayout() -> ListLayout {
      var layout = ListLayout()
      layout.isDataConstrained = DataCost.shared.isConstrained
      if let size = list?.frame.size {
        layout.contentSize = ContentSize(width: size.width, height: size.height)
      }
      switch list {
      case let table as NSTableView: add(table, to: &layout)
      case let collection as NSCollectionView: add(collection, to: &layout)
      default: break
      }
      return layout
    }

    /// A table view also has row views off screen.
    private func add(_ table: NSTableView, to layout: inout ListLayout) {
      layout.sectionCount = 1
      layout.itemCount = { _ in table.numberOfRows }
      let rows = table.rows(in: table.visibleRect)
      for row in rows.location..<rows.location + rows.length {
        let position = PrefetchWindow.Position(row: row)
        if let view = table.rowView(atRow: row, makeIfNecessary: false) {
          layout.cells.append(.init(view, at: position))
        }
        for column in 0..<table.numberOfColumns {
          if let cell = table.view(atColumn: column, row: row, makeIfNecessary: false) {
            layout.cells.append(.init(cell, at: position))
          }
        }
      }
    }

    private func add(_ collection: NSCollectionView, to layout: inout ListLayout) {
      layout.sectionCount = collection.numberOfSections
      layout.itemCount = { collection.numberOfItems(inSection: $0) }
      let visible = collection.visibleRect
      for item in collection.visibleItems() where item.view.frame.intersects(visible) {
        let path = collection.indexPath(for: item)
        let position = path.map { PrefetchWindow.Position($0) }
        layout.cells.append(.init(item, at: position))
        layout.cells.append(.init(item.view, at: position))
      }
      let kinds = [
        NSCollectionView.elementKindSectionHeader, NSCollectionView.elementKindSectionFooter,
      ]
      for view in kinds.flatMap({ collection.visibleSupplementaryViews(ofKind: $0) })
      where relay.knows(view) { layout.others.append(view) }
    }

    // MARK: Scrolling

    private func observeScrolling() {
      guard let scroll = list?.enclosingScrollView else { return }
      let (start, move) = (#selector(scrollBegan), #selector(scrollMoved))
      scroll.contentView.postsBoundsChangedNotifications = true
      on(NSView.boundsDidChangeNotification, scroll.contentView, move)
      on(NSScrollView.willStartLiveScrollNotification, scroll, start)
      on(NSScrollView.didEndLiveScrollNotification, scroll, #selector(scrollEnded))
    }

    @objc private func scrollBegan() { relay.scrolled(phases.changed(to: .dragged)) }

    @objc private func scrollMoved() {
      needsLayout = true
      // AppKit predicts no landing, so the vertical offset is enough.
      relay.scrolled(phases.offsetChanged(to: (list?.visibleRect.minY).map(Double.init) ?? 0))
    }

    // AppKit calls it at the end of the momentum.
    @objc private func scrollEnded() { relay.scrolled(phases.changed(to: .resting)) }

    // MARK: Coming and going

    override func viewDidMoveToWindow() {
      super.viewDidMoveToWindow()
      guard let list, tracking != nil else { return }
      NotificationCenter.default.removeObserver(self)
      on(NSView.frameDidChangeNotification, list, #selector(markForLayout))
      observeScrolling()
      if let window {
        on(NSWindow.didChangeOcclusionStateNotification, window, #selector(occlusionChanged))
        occlusionChanged()
      }
      visibilityChanged()
    }

    override func viewDidHide() {
      super.viewDidHide()
      visibilityChanged()
    }

    override func viewDidUnhide() {
      super.viewDidUnhide()
      visibilityChanged()
    }

    private func visibilityChanged() {
      if window == nil || isHiddenOrHasHiddenAncestor {
        relay.covered(.window)
      } else {
        relay.uncovered(.window)
        needsLayout = true
      }
    }

    @objc private func occlusionChanged() {
      if window?.occlusionState.contains(.visible) == false {
        relay.covered(.background)
      } else {
        relay.uncovered(.background)
      }
    }
  }
#endif
