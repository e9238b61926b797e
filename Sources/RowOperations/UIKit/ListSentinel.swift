#if canImport(UIKit) && !os(watchOS)
  import UIKit

  /// Reads the content of a list, as a view of no size inside it.
  ///
  /// Core Animation lays it out after the list, in the same commit.
  ///
  /// Core Animation lays a view out before its subviews. So it is enough to mark this view for
  /// layout whenever the list may be laid out: when its offset, size or content size changes, when
  /// a cell is bound, and right before a commit if the list itself is marked. It reads once per
  /// layout pass, and takes no part in the list's own layout.
  ///
  /// The list retains it, and it retains the tracking.
  final class ListSentinel: UIView, ListWatching {
    private(set) weak var list: UIScrollView?
    private var tracking: ListTracking?
    private let relay: any ListRelaying
    var appearance = AppearanceWatch()

    private let started = ContinuousClock.now
    private var observations: [NSKeyValueObservation] = []
    private var beforeCommit: CFRunLoopObserver?
    /// The offsets of scroll views inside the list, such as those of orthogonal sections.
    var innerScrolls: [ObjectIdentifier: InnerScroll] = [:]

    init(watching list: UIScrollView, for tracking: ListTracking) {
      self.list = list
      self.tracking = tracking
      relay = tracking.relay
      super.init(frame: .zero)
      isUserInteractionEnabled = false
      accessibilityElementsHidden = true
      list.addSubview(self)
      observe(list)
      observeApp()
      observeTraits()
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }

    func isListed(_ view: AnyObject) -> Bool {
      list is UITableView && (view is UITableViewCell || view is UITableViewHeaderFooterView)
        || list is UICollectionView && view is UICollectionReusableView
    }

    func stop() {
      observations = []
      NotificationCenter.default.removeObserver(self)
      if let beforeCommit { CFRunLoopObserverInvalidate(beforeCommit) }
      innerScrolls = [:]
      list?.panGestureRecognizer.removeTarget(self, action: nil)
      tracking = nil
      removeFromSuperview()
    }

    // MARK: When the list may be laid out

    private func observe(_ list: UIScrollView) {
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
      list.panGestureRecognizer.addTarget(self, action: #selector(panned))
      // Core Animation commits with the order 2,000,000.
      let order = 1_999_000
      let activity = CFRunLoopActivity.beforeWaiting.rawValue
      beforeCommit = CFRunLoopObserverCreateWithHandler(nil, activity, true, order) {
        [weak self] observer, _ in
        let isGone = self == nil
        MainThread.assumeIsolated { self?.willCommit() }
        if isGone { CFRunLoopObserverInvalidate(observer) }
      }
      CFRunLoopAddObserver(CFRunLoopGetMain(), beforeCommit, .commonModes)
    }

    private func willCommit() {
      if list?.layer.needsLayout() == true { setNeedsLayout() }
    }

    override func layoutSubviews() {
      super.layoutSubviews()
      look()
    }

    private func look() {
      guard let list, list.window != nil, tracking != nil else { return }
      if list.isChangingItems {
        // The layout that ends the changes comes later.
        return DispatchQueue.main.async { [weak self] in self?.setNeedsLayout() }
      }
      relay.laidOut(layout(of: list, relay))
    }

    // MARK: Scrolling

    func offsetChanged() {
      setNeedsLayout()
      guard let list else { return }
      let offset = ScrollWatch.Offset(list.contentOffset)
      relay.offsetChanged(
        .init(
          x: offset.x, y: offset.y, isDragging: list.isDragging,
          isDecelerating: list.isDecelerating, time: started.duration(to: .now).nanoseconds))
    }

    @objc private func panned(_ pan: UIPanGestureRecognizer) {
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
      guard let list else { return }
      let frame = RestingFrame(
        origin: target, width: list.bounds.width, height: list.bounds.height)
      relay.fingerLifted(at: .init(list.contentOffset), landingOn: frame, isExact: isExact) {
        list.rowFrames(in: $0, relay)
      }
    }

    // MARK: Coming and going

    override func didMoveToWindow() {
      super.didMoveToWindow()
      guard list != nil, tracking != nil else { return }
      if window == nil {
        relay.covered(.window)
      } else {
        traitsChanged()
        relay.uncovered(.window)
        setNeedsLayout()
      }
    }

    private func observeApp() {
      let center = NotificationCenter.default
      for name in [
        UIApplication.didEnterBackgroundNotification, UIScene.didEnterBackgroundNotification,
      ] {
        center.addObserver(self, selector: #selector(didEnterBackground), name: name, object: nil)
      }
      // Without scenes, only the app reports its return.
      for name in [
        UIScene.willEnterForegroundNotification, UIApplication.didBecomeActiveNotification,
      ] { center.addObserver(self, selector: #selector(didComeBack), name: name, object: nil) }
    }

    @objc private func didEnterBackground(_ notification: Notification) {
      if isOwn(notification.object) { wentIntoBackground() }
    }

    @objc private func didComeBack(_ notification: Notification) {
      let isOfScene = notification.object is UIScene
      let isInBackground = window?.windowScene?.activationState == .background
      if isOfScene ? isOwn(notification.object) : !isInBackground { cameBack() }
    }

    /// Whether a notification comes from the app or from the list's own scene.
    private func isOwn(_ sender: Any?) -> Bool {
      guard let scene = sender as? UIScene else { return true }
      return window?.windowScene === scene
    }

    private func wentIntoBackground() {
      appearance.wentIntoBackground()
      relay.covered(.background)
    }

    private func cameBack() {
      if appearance.cameBack() { relay.invalidateAll() }
      relay.uncovered(.background)
    }

    // MARK: Traits

    private func observeTraits() {
      #if canImport(_Concurrency, _version: 5.9)
        if #available(iOS 17, tvOS 17, *) {
          let traits: [any UITraitDefinition.Type] = [
            UITraitUserInterfaceStyle.self, UITraitDisplayScale.self,
            UITraitPreferredContentSizeCategory.self,
          ]
          registerForTraitChanges(traits) { (sentinel: ListSentinel, _: UITraitCollection) in
            sentinel.traitsChanged()
          }
        }
      #endif
    }

    #if !os(visionOS)
      override func traitCollectionDidChange(_ previous: UITraitCollection?) {
        super.traitCollectionDidChange(previous)
        traitsChanged()
      }
    #endif

    private func traitsChanged() {
      // Outside a window, the traits are not those of the list.
      guard window != nil else { return }
      let now = ListAppearance(
        isDark: traitCollection.userInterfaceStyle == .dark, scale: traitCollection.displayScale,
        textSize: traitCollection.preferredContentSizeCategory.rawValue)
      if appearance.changed(to: now) { relay.invalidateAll() }
    }
  }
#endif
