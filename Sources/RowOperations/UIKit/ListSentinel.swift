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
  final class ListSentinel: UIView {
    private(set) weak var list: UIScrollView?
    private var tracking: ListTracking?
    let relay: ListRelay
    var wasUnsettled = false
    /// Of the sections on screen, at the last layout.
    var counts: [Int: Int] = [:]
    var frames = ViewFrames()
    /// As last read; `nil` if nothing is in sight.
    private(set) var sight: CGRect?
    /// The position of the content in the window, in points that a scroll increases.
    private var position = CGPoint.zero

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

    func view(of bound: AnyObject) -> UIView? { bound as? UIView }

    func visibleShare(of view: AnyObject) -> Double {
      guard let list, let view = view as? UIView, !list.isHiddenInWindow,
        let sight = list.visiblePart, let part = visiblePart(of: view, in: list, sight)
      else { return 0 }
      return part.share(
        of: view.convert(view.bounds, to: list).size, in: list.largestVisibleSize)
    }

    func lookSoon() { setNeedsLayout() }

    func withoutAnimation(_ body: () -> Void) { UIView.performWithoutAnimation(body) }

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
      turns = observeTurns()
    }

    func willCommit() {
      guard let list, list.window != nil else { return }
      updateCoverage(list)
      if sightChanged(of: list) { moved() }
      if list.layer.needsLayout() || hasOtherItems(list) { setNeedsLayout() }
    }

    /// A hidden list keeps the part that it would show, so that its rows stay.
    ///
    /// UIKit does not report that a list moved in its window, so this is read around each commit.
    func sightChanged(of list: UIScrollView) -> Bool {
      let last = (sight, position)
      sight = list.visiblePart
      // It includes the offset of the list itself.
      let corner = list.convert(CGRect.zero, to: nil).origin
      if sight != nil { position = CGPoint(x: -corner.x, y: -corner.y) }
      return (sight, position) != last
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
      report(layout(of: list))
    }

    /// Notices hidden views around the list and another scene, which UIKit does not report.
    private func updateCoverage(_ list: UIScrollView) {
      relay.cover(.hidden, if: list.isHiddenInWindow)
      switch window?.windowScene?.activationState {
      case .foregroundActive, .foregroundInactive: relay.cover(.background, if: false)
      default: break
      }
    }

    // MARK: Scrolling

    private func offsetChanged() {
      if let list { _ = sightChanged(of: list) }
      moved()
    }

    func moved() {
      setNeedsLayout()
      guard let list, sight != nil, !list.isHiddenInWindow else { return }
      let scrolls = sequence(first: list as UIView) { $0.superview }.lazy
        .compactMap { $0 as? UIScrollView }
      relay.offsetChanged(
        .init(
          offset: position, isDragging: scrolls.contains(where: \.isDragging),
          isDecelerating: scrolls.contains(where: \.isDecelerating),
          time: Int64(CACurrentMediaTime() * 1e9)))
    }

    private func panned(_ pan: UIPanGestureRecognizer) {
      guard let list else { return }
      switch pan.state {
      case .began: relay.dragBegan()
      case .ended, .cancelled:
        fingerLifted(landingAt: list.rest(velocity: pan.velocity(in: list)), isExact: false)
      default: break
      }
    }

    func fingerLifted(landingAt target: CGPoint, isExact: Bool) {
      // Of a list out of sight, no row lands.
      guard let list else { return }
      _ = sightChanged(of: list)
      guard let sight else { return }
      let (x, y) = (target.x - list.contentOffset.x, target.y - list.contentOffset.y)
      relay.fingerLifted(
        at: position, restingAt: CGPoint(x: position.x + x, y: position.y + y),
        landingOn: sight.offsetBy(dx: x, dy: y), isExact: isExact
      ) { list.rowFrames(in: $0, relay) }
    }

    // MARK: Coming and going

    override func didMoveToWindow() {
      super.didMoveToWindow()
      guard list != nil, tracking != nil else { return }
      guard let window else { return relay.cover(.noWindow) }
      if window.windowScene?.activationState == .background { relay.cover(.background) }
      // A hidden window is no return.
      if isHiddenInWindow { relay.cover(.hidden) }
      relay.cover(.noWindow, if: false)
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
      if isOwn(sender) { relay.cover(.background) }
    }

    private func didComeBack(_ sender: Any?) {
      let isOfScene = sender is UIScene
      let isInBackground = window?.windowScene?.activationState == .background
      if isOfScene ? isOwn(sender) : !isInBackground { relay.cover(.background, if: false) }
    }

    private func isOwn(_ sender: Any?) -> Bool {
      guard let scene = sender as? UIScene else { return true }
      return window?.windowScene === scene
    }
  }
#endif
