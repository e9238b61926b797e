#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  import AppKit

  /// Reads the content of a list, as a view of no size inside it.
  ///
  /// AppKit lays it out after the list. It is marked for layout when the list scrolls or changes
  /// its size or numbers of items, and when a cell is bound. The list retains it, and it retains
  /// the tracking.
  final class ListSentinel: NSView {
    private(set) weak var list: NSView?
    private var tracking: ListTracking?
    let relay: ListRelay
    private var phases = ScrollPhases()
    private var size: NotificationObservation?
    private var notifications: [NotificationObservation] = []
    private var turns: RunLoopObservation?
    var innerScrolls: [ObjectIdentifier: InnerScroll] = [:]
    private var rowViews: [NSView] = []
    var wasUnsettled = false
    /// Of the sections on screen, at the last layout.
    var counts: [Int: Int] = [:]
    var frames = ViewFrames()
    /// As last read while the list was not hidden.
    private var sight = NSRect.zero

    init(watching list: NSView, for tracking: ListTracking) {
      self.list = list
      self.tracking = tracking
      relay = tracking.relay
      super.init(frame: .zero)
      setAccessibilityElement(false)
      list.postsFrameChangedNotifications = true
      size = on(NSView.frameDidChangeNotification, list) { $0.needsLayout = true }
      turns = observeTurns()
      list.addSubview(self)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }

    func view(of bound: AnyObject) -> NSView? {
      (bound as? NSCollectionViewItem)?.view ?? bound as? NSView
    }

    func visibleShare(of view: AnyObject) -> Double {
      guard let list, !list.isHiddenOrHasHiddenAncestor, let part = visiblePart(of: view),
        let view = self.view(of: view)
      else { return 0 }
      return part.share(of: view.bounds.size, in: list.largestVisibleSize)
    }

    /// The part of a view that is in sight, in the list's coordinates.
    ///
    /// A hidden list keeps the part that it would show, so that its rows stay; AppKit reports none.
    func visiblePart(of view: AnyObject) -> NSRect? {
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

    func withoutAnimation(_ body: () -> Void) {
      NSAnimationContext.runAnimationGroup { context in
        context.duration = 0
        context.allowsImplicitAnimation = false
        body()
      }
    }

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
      report(listLayout())
    }

    func willCommit() {
      guard window != nil, let list else { return }
      if sightChanged(of: list) || hasOtherItems(list) { needsLayout = true }
    }

    func moved() { needsLayout = true }

    func sightChanged(of list: NSView) -> Bool {
      guard !list.isHiddenOrHasHiddenAncestor else { return false }
      let last = sight
      sight = list.visibleRect
      return sight != last
    }

    private func listLayout() -> ListLayout {
      var layout = ListLayout()
      rowViews.removeAll(keepingCapacity: true)
      if let list {
        layout.contentSize = list.frame.size
        layout.isInSight = !sight.intersection(list.bounds).isEmpty || list.hasVisiblePart
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
      observeOnce(clip) {
        clip.postsBoundsChangedNotifications = true
        return on(NSView.boundsDidChangeNotification, clip) { $0.needsLayout = true }
      }
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
      relay.cover(.noWindow, if: window == nil)
      relay.cover(.hidden, if: isHiddenOrHasHiddenAncestor)
      needsLayout = true
    }

    private func occlusionChanged() {
      relay.cover(.background, if: window?.occlusionState.contains(.visible) == false)
    }
  }

  extension NSView {
    var hasUncommittedItems: Bool { false }

    func itemCount(inSection section: Int) -> Int {
      switch self {
      case let table as NSTableView: section == 0 ? table.numberOfRows : 0
      case let collection as NSCollectionView:
        section < collection.numberOfSections ? collection.numberOfItems(inSection: section) : 0
      default: 0
      }
    }

    var cutsSubviews: Bool { self is NSClipView }

    /// A view without a size counts if it is inside.
    ///
    /// Since macOS 14 the visible rectangle of a view that does not clip extends past its bounds.
    fileprivate var hasVisiblePart: Bool {
      if frame.width > 0, frame.height > 0 { return !visibleRect.intersection(bounds).isEmpty }
      guard let superview else { return false }
      let shown = superview.visibleRect
      return !shown.isEmpty && shown.insetBy(dx: -1, dy: -1).contains(frame.origin)
    }
  }
#endif
