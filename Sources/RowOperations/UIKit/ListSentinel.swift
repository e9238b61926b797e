#if canImport(UIKit) && !os(watchOS)
  import UIKit

  /// Reads the content of a list, as a view of no size inside it.
  ///
  /// Core Animation lays a view out before its subviews, so this one comes after the list, in the
  /// same commit. It is marked for layout when the list's offset, size or content size changes, and
  /// when a cell is bound. Right before a commit, it is marked if the list is marked or its items
  /// or cells have moved. It reads once per layout pass.
  ///
  /// The list retains it, and it retains the tracking.
  final class ListSentinel: UIView, ListWatching {
    private(set) weak var list: UIScrollView?
    private var tracking: ListTracking?
    let relay: any ListRelaying
    private var wasUnsettled = false
    /// Of the sections on screen, at the last layout.
    private var counts: [Int: Int] = [:]
    private var frames = ViewFrames()
    /// As last read; `nil` if nothing is in sight.
    private var sight: CGRect?
    /// The position of the content in the window, in points that a scroll increases.
    private var position = ScrollWatch.Offset(y: 0)

    private var observations: [NSKeyValueObservation] = []
    private var notifications: [NotificationObservation] = []
    private var pan: PanObservation?
    private var turns: RunLoopObservation?
    var innerScrolls: [ObjectIdentifier: InnerScroll] = [:]

    init(watching list: UIScrollView, for tracking: ListTracking) {
      self.list = list
      self.tracking = tracking
      relay = tracking.relay
      super.init(frame: .zero)
      isUserInteractionEnabled = false
      accessibilityElementsHidden = true
      list.addSubview(self)
      observeLayouts(of: list)
      observeApp()
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }

    func place(of view: AnyObject) -> ViewPlace {
      guard let list, let view = view as? UIView else { return .outside }
      guard view.superview != nil else { return .unplaced }
      // The nearest list around a cell owns it.
      if isCell(view) {
        let owner: UIView? =
          list is UITableView
          ? view.enclosing(UITableView.self) : view.enclosing(UICollectionView.self)
        if owner === list { return .cell }
      }
      return view.isDescendant(of: list) ? .inside : .outside
    }

    private func isCell(_ view: AnyObject) -> Bool {
      list is UITableView && view is UITableViewCell
        || list is UICollectionView && view is UICollectionViewCell
    }

    func visibleShare(of view: AnyObject) -> Double {
      guard let list, let view = view as? UIView, !list.isHiddenInWindow,
        let sight = list.visiblePart, let part = visiblePart(of: view, in: list, sight)
      else { return 0 }
      return part.share(
        of: view.convert(view.bounds, to: list).size, in: list.largestVisibleSize)
    }

    func lookSoon() { setNeedsLayout() }

    func stop() {
      if let list { pan?.stop(list.panGestureRecognizer) }
      (observations, notifications, pan) = ([], [], nil)
      (turns, innerScrolls) = (nil, [:])
      tracking = nil
      removeFromSuperview()
    }

    // MARK: When the list may be laid out

    private func observeLayouts(of list: UIScrollView) {
      // UIKit sets these properties on the main thread.
      observations = [
        list.observe(\.contentOffset) { [weak self] _, _ in
          MainThread.assumeIsolated { self?.offsetChanged() }
        },
        list.observe(\.contentSize) { [weak self] _, _ in
          MainThread.assumeIsolated { self?.setNeedsLayout() }
        },
        list.layer.observe(\.bounds) { [weak self] _, _ in
          MainThread.assumeIsolated { self?.setNeedsLayout() }
        },
      ]
      pan = PanObservation(list.panGestureRecognizer) { [weak self] in self?.panned($0) }
      turns = RunLoopObservation(
        willCommit: { [weak self] in self?.willCommit() },
        didCommit: { [weak self] in self?.didCommit() })
    }

    private func willCommit() {
      guard let list, list.window != nil else { return }
      updateCoverage(list)
      if sightChanged(of: list) { moved() }
      if list.layer.needsLayout() || hasOtherItems(list) || relay.hasLostView { setNeedsLayout() }
    }

    /// The commit may have moved the list with the views around it.
    ///
    /// The run loop may wait now, so this wakes it.
    private func didCommit() {
      guard let list, list.window != nil, sightChanged(of: list) else { return }
      DispatchQueue.main.async { [weak self] in self?.moved() }
    }

    /// A hidden list keeps the part that it would show, so that its rows stay.
    ///
    /// UIKit does not report that a list moved in its window, so this is read around each commit.
    /// Observers would have to follow each change of the hierarchy.
    ///
    /// O(views around the list)
    private func sightChanged(of list: UIScrollView) -> Bool {
      let last = (sight, position)
      sight = list.visiblePart
      // It includes the offset of the list itself.
      let corner = list.convert(CGRect.zero, to: nil).origin
      if sight != nil { position = .init(x: -corner.x, y: -corner.y) }
      return (sight, position) != last
    }

    /// For a deletion, a move, a drag or a drop that nothing reported.
    private func hasOtherItems(_ list: UIScrollView) -> Bool {
      if frames.haveChanged(frame: visiblePart(of:)) { return true }
      guard !list.hasUncommittedItems else { return false }
      return wasUnsettled || counts.contains { $0.value != list.itemCount(inSection: $0.key) }
    }

    /// As of the last read of the list's own part.
    func visiblePart(of view: AnyObject) -> CGRect? {
      guard let list, let sight, let view = view as? UIView else { return nil }
      return visiblePart(of: view, in: list, sight)
    }

    override func layoutSubviews() {
      super.layoutSubviews()
      guard let list, list.window != nil, tracking != nil else { return }
      updateCoverage(list)
      sight = list.visiblePart
      let (layout, candidates) = layout(of: list, sight, relay)
      wasUnsettled = !layout.isSettled
      frames.record(candidates, frame: visiblePart(of:))
      counts.removeAll(keepingCapacity: true)
      for cell in layout.cells {
        guard let section = cell.position?.section, counts[section] == nil else { continue }
        counts[section] = layout.itemCount(section)
      }
      // The list may be laid out in an animation, but not the cells' contents.
      UIView.performWithoutAnimation { relay.laidOut(layout) }
    }

    /// Notices hidden views around the list and another scene, which UIKit does not report.
    private func updateCoverage(_ list: UIScrollView) {
      if list.isHiddenInWindow { relay.covered(.hidden) } else { relay.uncovered(.hidden) }
      switch window?.windowScene?.activationState {
      case .foregroundActive, .foregroundInactive: relay.uncovered(.background)
      default: break
      }
    }

    // MARK: Scrolling

    private func offsetChanged() {
      if let list { _ = sightChanged(of: list) }
      moved()
    }

    private func moved() {
      setNeedsLayout()
      guard let list, sight != nil, !list.isHiddenInWindow else { return }
      let scrolls = sequence(first: list as UIView) { $0.superview }.lazy
        .compactMap { $0 as? UIScrollView }
      relay.offsetChanged(
        .init(
          x: position.x, y: position.y, isDragging: scrolls.contains(where: \.isDragging),
          isDecelerating: scrolls.contains(where: \.isDecelerating),
          time: Int64(CACurrentMediaTime() * 1e9)))
    }

    private func panned(_ pan: UIPanGestureRecognizer) {
      guard let list else { return }
      switch pan.state {
      case .began: relay.dragBegan()
      case .ended, .cancelled:
        // A finger that moves down decreases the offset. In points per millisecond.
        let velocity = pan.velocity(in: list)
        let rest = list.limits.rest(
          from: .init(list.contentOffset),
          velocity: .init(x: -velocity.x / 1000, y: -velocity.y / 1000), list.deceleration)
        fingerLifted(landingAt: rest, isExact: false)
      default: break
      }
    }

    func fingerLifted(landingAt target: ScrollWatch.Offset, isExact: Bool) {
      // Of a list out of sight, no row lands.
      guard let list else { return }
      _ = sightChanged(of: list)
      guard let sight else { return }
      let (x, y) = (target.x - list.contentOffset.x, target.y - list.contentOffset.y)
      let frame = RestingFrame(
        origin: .init(x: sight.minX + x, y: sight.minY + y), width: sight.width,
        height: sight.height)
      relay.fingerLifted(
        at: position, restingAt: .init(x: position.x + x, y: position.y + y), landingOn: frame,
        isExact: isExact
      ) { list.rowFrames(in: $0, relay) }
    }

    // MARK: Coming and going

    override func didMoveToWindow() {
      super.didMoveToWindow()
      guard list != nil, tracking != nil else { return }
      guard let window else { return relay.covered(.window) }
      if window.windowScene?.activationState == .background { relay.covered(.background) }
      // A hidden window is no return.
      if isHiddenInWindow { relay.covered(.hidden) }
      relay.uncovered(.window)
      setNeedsLayout()
    }

    private func observeApp() {
      let leaving = [
        UIApplication.didEnterBackgroundNotification, UIScene.didEnterBackgroundNotification,
      ]
      // Without scenes, only the app reports its return.
      let returning = [
        UIScene.willEnterForegroundNotification, UIApplication.didBecomeActiveNotification,
      ]
      notifications =
        leaving.map { name in
          NotificationObservation(name) { [weak self] in self?.didEnterBackground($0) }
        }
        + returning.map { name in
          NotificationObservation(name) { [weak self] in self?.didComeBack($0) }
        }
    }

    private func didEnterBackground(_ sender: Any?) {
      if isOwn(sender) { relay.covered(.background) }
    }

    private func didComeBack(_ sender: Any?) {
      let isOfScene = sender is UIScene
      let isInBackground = window?.windowScene?.activationState == .background
      if isOfScene ? isOwn(sender) : !isInBackground { relay.uncovered(.background) }
    }

    private func isOwn(_ sender: Any?) -> Bool {
      guard let scene = sender as? UIScene else { return true }
      return window?.windowScene === scene
    }
  }
#endif
