#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  import AppKit

  /// Reads the content of a list, as a view of no size inside it.
  ///
  /// AppKit lays it out after the list, before both are drawn. It is marked for layout when the
  /// list scrolls or changes its size or numbers of items, and when a cell is bound. The list
  /// retains it, and it retains the tracking.
  final class ListSentinel: NSView, ListWatching {
    private(set) weak var list: NSView?
    private var tracking: ListTracking?
    private let relay: any ListRelaying
    private var phases = ScrollPhases()
    private var size: NotificationObservation?
    private var notifications: [NotificationObservation] = []
    private var turns: RunLoopObservation?
    private var innerScrolls: [ObjectIdentifier: InnerScroll] = [:]
    private var rowViews: [NSView] = []
    /// Of the sections on screen, at the last layout.
    private var counts: [Int: Int] = [:]
    private var frames = ViewFrames()
    /// As last read while the list was not hidden.
    private var sight = NSRect.zero

    private struct InnerScroll {
      weak var view: NSView?
      let offset: NotificationObservation
    }

    init(watching list: NSView, for tracking: ListTracking) {
      self.list = list
      self.tracking = tracking
      relay = tracking.relay
      super.init(frame: .zero)
      setAccessibilityElement(false)
      list.postsFrameChangedNotifications = true
      size = on(NSView.frameDidChangeNotification, list) { $0.needsLayout = true }
      turns = RunLoopObservation(
        willCommit: { [weak self] in self?.turnEnds() },
        didCommit: { [weak self] in self?.didCommit() })
      list.addSubview(self)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }

    func place(of view: AnyObject) -> ViewPlace {
      guard let list, let inner = self.view(of: view) else { return .outside }
      guard inner.superview != nil else { return .unplaced }
      // The nearest list around a cell owns it.
      if isCell(view) {
        let around = sequence(first: inner) { $0.superview }.dropFirst()
        let owner = around.first {
          list is NSTableView ? $0 is NSTableView : $0 is NSCollectionView
        }
        if owner === list { return .cell }
      }
      return inner.isDescendant(of: list) ? .inside : .outside
    }

    private func isCell(_ view: AnyObject) -> Bool {
      list is NSTableView && view is NSTableRowView
        || list is NSCollectionView && view is NSCollectionViewItem
    }

    private func view(of bound: AnyObject) -> NSView? {
      (bound as? NSCollectionViewItem)?.view ?? bound as? NSView
    }

    func visibleShare(of view: AnyObject) -> Double {
      guard let list, !list.isHiddenOrHasHiddenAncestor, let part = visiblePart(of: view),
        let view = self.view(of: view)
      else { return 0 }
      return part.share(of: view.bounds.size, in: list.largestVisibleSize)
    }

    private func isOnScreen(_ view: AnyObject) -> Bool { visiblePart(of: view) != nil }

    /// The part of a view that is in sight, in the list's coordinates.
    ///
    /// A hidden list keeps the part that it would show, so that its rows stay. AppKit says that
    /// nothing of them is visible.
    private func visiblePart(of view: AnyObject) -> NSRect? {
      guard let list, let view = self.view(of: view), view.window != nil,
        view.isDescendant(of: list), isInRow(view)
      else { return nil }
      guard list.isHiddenOrHasHiddenAncestor else {
        guard !view.isHiddenOrHasHiddenAncestor, view.hasVisiblePart else { return nil }
        let part = view.visibleRect.intersection(view.bounds)
        return view.convert(part.isEmpty ? view.bounds : part, to: list)
      }
      let between = sequence(first: view, next: \.superview).prefix { $0 !== list }
      let frame = view.convert(view.bounds, to: list)
      let isInside = frame.isEmpty ? sight.contains(frame.origin) : frame.intersects(sight)
      return isInside && !between.contains(where: \.isHidden) ? frame : nil
    }

    /// A deleted row fades out, and its view is in no row.
    private func isInRow(_ view: NSView) -> Bool {
      guard let table = list as? NSTableView else { return true }
      let around = sequence(first: view) { $0.superview }.prefix { $0 !== table }
      guard let rowView = around.first(where: { $0 is NSTableRowView }) else { return true }
      return rowViews.contains { $0 === rowView }
    }

    func lookSoon() { needsLayout = true }

    func stop() {
      (size, notifications, turns, innerScrolls, rowViews) = (nil, [], nil, [:], [])
      tracking = nil
      removeFromSuperview()
    }

    private func on(
      _ name: Notification.Name, _ sender: AnyObject,
      _ body: @escaping @MainActor (ListSentinel) -> Void
    ) -> NotificationObservation {
      NotificationObservation(name, from: sender) { [weak self] _ in if let self { body(self) } }
    }

    override func hitTest(_ point: NSPoint) -> NSView? { nil }

    // MARK: Displays

    override func layout() {
      super.layout()
      guard window != nil, tracking != nil else { return }
      if let list { _ = sightChanged(of: list) }
      let (layout, candidates) = listLayout()
      frames.record(candidates, frame: visiblePart(of:))
      counts.removeAll(keepingCapacity: true)
      for cell in layout.cells {
        guard let section = cell.position?.section, counts[section] == nil else { continue }
        counts[section] = layout.itemCount(section)
      }
      // The list may be laid out in an animation, but not the cells' contents.
      NSAnimationContext.runAnimationGroup { context in
        context.duration = 0
        context.allowsImplicitAnimation = false
        relay.laidOut(layout)
      }
    }

    /// For a deletion in a line of a grid, which changes neither size nor offset, a removed view,
    /// and a moved cell.
    private func turnEnds() {
      guard window != nil, let list else { return }
      if sightChanged(of: list) { needsLayout = true }
      guard !needsLayout else { return }
      let hasOtherItems = counts.contains { $0.value != itemCount(of: list, inSection: $0.key) }
      if hasOtherItems || relay.hasLostView || frames.haveChanged(frame: visiblePart(of:)) {
        needsLayout = true
      }
    }

    /// The commit may have moved the list with the views around it.
    ///
    /// The run loop may wait now, so this wakes it.
    private func didCommit() {
      guard window != nil, let list, sightChanged(of: list) else { return }
      DispatchQueue.main.async { [weak self] in self?.needsLayout = true }
    }

    private func sightChanged(of list: NSView) -> Bool {
      guard !list.isHiddenOrHasHiddenAncestor else { return false }
      let last = sight
      sight = list.visibleRect
      return sight != last
    }

    private func itemCount(of list: NSView, inSection section: Int) -> Int {
      switch list {
      case let table as NSTableView: section == 0 ? table.numberOfRows : 0
      case let collection as NSCollectionView:
        section < collection.numberOfSections ? collection.numberOfItems(inSection: section) : 0
      default: 0
      }
    }

    private func listLayout() -> (ListLayout, candidates: [AnyObject]) {
      var layout = ListLayout()
      layout.isDataConstrained = DataCost.shared.isConstrained
      rowViews.removeAll(keepingCapacity: true)
      if let list {
        layout.contentSize = ContentSize(width: list.frame.width, height: list.frame.height)
        layout.isInSight = !sight.intersection(list.bounds).isEmpty || list.hasVisiblePart
      }
      switch list {
      case let table as NSTableView: add(table, to: &layout)
      case let collection as NSCollectionView: add(collection, to: &layout)
      default: break
      }
      let (all, looseViews) = (layout.views, relay.looseViews())
      layout.cells = layout.cells.filter { isOnScreen($0.view) }
      layout.others = looseViews.filter(isOnScreen)
      return (layout, all + looseViews)
    }

    /// A table view also has row views off screen.
    private func add(_ table: NSTableView, to layout: inout ListLayout) {
      layout.sectionCount = 1
      layout.itemCount = { _ in table.numberOfRows }
      let rows = table.rows(in: sight)
      for row in rows.location..<rows.location + rows.length {
        let position = ListPosition(row: row)
        if let view = table.rowView(atRow: row, makeIfNecessary: false) {
          rowViews.append(view)
          layout.cells.append(.init(view, at: position))
        }
        for column in 0..<table.numberOfColumns {
          let cell = table.view(atColumn: column, row: row, makeIfNecessary: false)
          if let cell { layout.cells.append(.init(cell, at: position)) }
        }
      }
    }

    private func add(_ collection: NSCollectionView, to layout: inout ListLayout) {
      layout.sectionCount = collection.numberOfSections
      layout.itemCount = { collection.numberOfItems(inSection: $0) }
      for item in collection.visibleItems() {
        observe(item.view.enclosingScrollView)
        let path = collection.indexPath(for: item)
        let position = path.map { ListPosition($0) }
        let isInner = item.view.enclosingScrollView !== collection.enclosingScrollView
        layout.cells.append(.init(item, at: position, isInner: isInner))
        layout.cells.append(.init(item.view, at: position, isInner: isInner))
      }
    }

    private func observe(_ scroll: NSScrollView?) {
      guard let scroll, scroll !== list?.enclosingScrollView else { return }
      let clip = scroll.contentView
      guard innerScrolls[ObjectIdentifier(clip)]?.view !== clip else { return }
      innerScrolls = innerScrolls.filter { $0.value.view != nil }
      clip.postsBoundsChangedNotifications = true
      let offset = on(NSView.boundsDidChangeNotification, clip) { $0.needsLayout = true }
      innerScrolls[ObjectIdentifier(clip)] = InnerScroll(view: clip, offset: offset)
    }

    // MARK: Scrolling

    private func observeScrolling() {
      let around = sequence(first: self as NSView, next: \.superview)
      for case let scroll as NSScrollView in around { observe(scrolling: scroll) }
    }

    private func observe(scrolling scroll: NSScrollView) {
      scroll.contentView.postsBoundsChangedNotifications = true
      notifications += [
        on(NSView.boundsDidChangeNotification, scroll.contentView) { $0.scrollMoved() },
        on(NSScrollView.didLiveScrollNotification, scroll) { $0.userScrolled() },
        on(NSScrollView.willStartLiveScrollNotification, scroll) {
          $0.relay.scrolled($0.phases.changed(to: .dragged))
        },
        // AppKit posts it at the end of the momentum.
        on(NSScrollView.didEndLiveScrollNotification, scroll) {
          $0.relay.scrolled($0.phases.changed(to: .resting))
        },
      ]
    }

    private func scrollMoved() {
      needsLayout = true
      // AppKit predicts no landing.
      relay.scrolled(phases.offsetChanged(to: 0))
    }

    /// A mouse wheel scrolls without a start and an end (NSScrollView.h): the quiet time ends the
    /// scroll.
    private func userScrolled() {
      if !phases.isMoving { relay.scrolled(.moved) }
    }

    // MARK: Coming and going

    override func viewDidMoveToWindow() {
      super.viewDidMoveToWindow()
      guard list != nil, tracking != nil else { return }
      notifications = []
      observeScrolling()
      if let window {
        notifications.append(
          on(NSWindow.didChangeOcclusionStateNotification, window) { $0.occlusionChanged() })
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
      if window == nil { relay.covered(.window) } else { relay.uncovered(.window) }
      if isHiddenOrHasHiddenAncestor { relay.covered(.hidden) } else { relay.uncovered(.hidden) }
      needsLayout = true
    }

    private func occlusionChanged() {
      if window?.occlusionState.contains(.visible) == false {
        relay.covered(.background)
      } else {
        relay.uncovered(.background)
      }
    }
  }

  extension NSView {
    /// A view without a size counts if it is inside.
    ///
    /// Since macOS 14 the visible rectangle of a view that does not clip extends past its bounds.
    fileprivate var hasVisiblePart: Bool {
      if frame.width > 0, frame.height > 0 { return !visibleRect.intersection(bounds).isEmpty }
      guard let superview else { return false }
      let shown = superview.visibleRect
      return !shown.isEmpty && shown.insetBy(dx: -1, dy: -1).contains(frame.origin)
    }

    fileprivate var largestVisibleSize: NSSize {
      var size = bounds.size
      for view in sequence(first: self, next: \.superview).dropFirst()
      where view is NSClipView || view.superview == nil {
        let outer = view.convert(view.bounds, to: self)
        size.width = min(size.width, outer.width)
        size.height = min(size.height, outer.height)
      }
      return size
    }
  }
#endif
