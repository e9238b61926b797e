@_exported import Kit

public typealias NSRect = CGRect
public typealias NSPoint = CGPoint

/// A rectangle with subviews, with the origin at its top, as in the lists of AppKit.
@MainActor
open class NSView: _LayoutTree {
  public var superview: NSView? { parent as? NSView }
  public var subviews: [NSView] { children.compactMap { $0 as? NSView } }
  public var needsLayout: Bool {
    get { isMarked }
    set { isMarked = newValue }
  }
  public var postsFrameChangedNotifications = false
  public var postsBoundsChangedNotifications = false
  /// The origin of the content; only clip views move it.
  private var origin = CGPoint.zero

  public nonisolated static let frameDidChangeNotification = Notification.Name("NSViewFrame")
  public nonisolated static let boundsDidChangeNotification = Notification.Name("NSViewBounds")

  public init(frame: CGRect) {
    self.frame = frame
    super.init()
  }

  public convenience override init() { self.init(frame: .zero) }
  public required init?(coder: NSCoder) { nil }

  open var frame: CGRect {
    didSet {
      guard frame != oldValue else { return }
      if frame.size != oldValue.size { needsLayout = true }
      if frame.origin != oldValue.origin { visibleRectChanged() }
      guard postsFrameChangedNotifications else { return }
      NotificationCenter.default.post(name: Self.frameDidChangeNotification, object: self)
    }
  }

  public var bounds: CGRect {
    get { CGRect(origin: origin, size: frame.size) }
    set {
      guard newValue.origin != origin else { return }
      origin = newValue.origin
      for view in subviews { view.needsLayout = true }
      visibleRectChanged()
      guard postsBoundsChangedNotifications else { return }
      NotificationCenter.default.post(name: Self.boundsDidChangeNotification, object: self)
    }
  }

  /// Lists prepare other rows when views around them move (`prepareContent(in:)`, NSView.h).
  func visibleRectChanged() { for view in subviews { view.visibleRectChanged() } }

  public var identifier: NSUserInterfaceItemIdentifier?
  var clipsToBounds: Bool { !MainLoop.variant.extendsVisibleRects }

  /// The part that no view around it clips, without regard to a window (NSView.h).
  public var visibleRect: CGRect {
    guard !isHiddenOrHasHiddenAncestor else { return .zero }
    guard let superview else { return bounds }
    let inside = superview.visibleRect
      .offsetBy(dx: bounds.minX - frame.minX, dy: bounds.minY - frame.minY)
    guard clipsToBounds else { return inside }
    return bounds.overlaps(inside) ? bounds.intersection(inside) : .zero
  }

  /// In the coordinates of a view around this one (NSView.h).
  public func convert(_ rect: CGRect, to view: NSView?) -> CGRect {
    rect.offsetBy(dx: place.x - (view?.place.x ?? 0), dy: place.y - (view?.place.y ?? 0))
  }

  private var place: CGPoint {
    let outer = superview?.place ?? .zero
    return CGPoint(x: outer.x + frame.minX - bounds.minX, y: outer.y + frame.minY - bounds.minY)
  }

  public var window: NSWindow? { _root as? NSWindow }
  public var enclosingScrollView: NSScrollView? {
    sequence(first: self) { $0.superview }.dropFirst().lazy.compactMap { $0 as? NSScrollView }.first
  }

  public func addSubview(_ view: NSView) { add(view) }
  public func removeFromSuperview() { remove() }
  open func viewDidMoveToWindow() {}
  open override func _rootChanged() { viewDidMoveToWindow() }

  public var isHidden = false {
    didSet {
      guard isHidden != oldValue, superview?.isHiddenOrHasHiddenAncestor != true else { return }
      hiddenChanged()
    }
  }

  public var isHiddenOrHasHiddenAncestor: Bool {
    isHidden || superview?.isHiddenOrHasHiddenAncestor == true
  }

  private func hiddenChanged() {
    if isHiddenOrHasHiddenAncestor { viewDidHide() } else { viewDidUnhide() }
    needsLayout = true
    for view in subviews where !view.isHidden { view.hiddenChanged() }
  }

  open func viewDidHide() {}
  open func viewDidUnhide() {}
  open func hitTest(_ point: NSPoint) -> NSView? { self }
  public func setAccessibilityElement(_ isElement: Bool) {}

  open func layout() {}
  open override func _layOut() { layout() }
}

public final class NSWindow: _LayoutTree {
  public enum StyleMask: Sendable {
    case titled
  }

  public enum BackingStoreType: Sendable {
    case buffered
  }

  public enum OcclusionState: Sendable {
    case visible
  }

  public nonisolated static let didChangeOcclusionStateNotification = Notification.Name("Occlusion")

  public package(set) var occlusionState: Set<OcclusionState> = [.visible] {
    didSet {
      NotificationCenter.default.post(
        name: Self.didChangeOcclusionStateNotification, object: self)
    }
  }

  public init(
    contentRect: CGRect, styleMask: [StyleMask], backing: BackingStoreType, defer: Bool
  ) {
    super.init()
    MainLoop.add(self)
  }

  public var contentView: NSView? {
    didSet {
      oldValue?.removeFromSuperview()
      if let contentView { add(contentView) }
    }
  }

  private var isInFront = false
  public func orderFront(_ sender: Any?) { isInFront = true }
  public func layoutIfNeeded() { while needsLayoutBelow { layOutTree() } }
  public override var _root: AnyObject? { self }
  public override var _isOnDisplay: Bool { isInFront }
}

/// A view with a clip view, which moves its document by its own bounds.
public final class NSScrollView: NSView {
  public let contentView = NSClipView()
  private var isLive = false

  public nonisolated static let willStartLiveScrollNotification = Notification.Name("NSLiveStart")
  public nonisolated static let didLiveScrollNotification = Notification.Name("NSLive")
  public nonisolated static let didEndLiveScrollNotification = Notification.Name("NSLiveEnd")

  public override init(frame: CGRect) {
    super.init(frame: frame)
    contentView.frame = bounds
    addSubview(contentView)
  }

  public required init?(coder: NSCoder) { nil }

  public override var frame: CGRect { didSet { contentView.frame.size = frame.size } }

  public var documentView: NSView? {
    didSet {
      oldValue?.removeFromSuperview()
      if let documentView { contentView.addSubview(documentView) }
    }
  }

  /// A user scrolls; a wheel mouse reports neither the start nor the end.
  package func userScroll(by distance: Double, isLegacy: Bool) {
    if !isLegacy, !isLive { post(Self.willStartLiveScrollNotification) }
    isLive = !isLegacy
    contentView.scroll(to: contentView.bounds.minY + CGFloat(distance))
    post(Self.didLiveScrollNotification)
  }

  package func endUserScroll() {
    if isLive { post(Self.didEndLiveScrollNotification) }
    isLive = false
  }

  private func post(_ name: Notification.Name) {
    NotificationCenter.default.post(name: name, object: self)
  }
}

public final class NSClipView: NSView {
  override var clipsToBounds: Bool { true }

  package func scroll(to y: Double) {
    let height = subviews.first?.frame.height ?? 0
    bounds.origin.y = max(0, min(y, Double(height - frame.height)))
  }
}

@MainActor
public final class NSTextField: NSView {
  public var stringValue = ""

  public convenience init(labelWithString text: String) {
    self.init(frame: .zero)
    stringValue = text
  }
}

public final class NSImage: NSObject {
  public var representations: [_Representation] { [] }
  public var size: CGSize { .zero }
}

public struct _Representation: Sendable {
  public let pixelsWide = 0
  public let pixelsHigh = 0
}

@MainActor
public final class NSAnimationContext: NSObject {
  public var duration = 0.25
  public var allowsImplicitAnimation = false
  public package(set) static var current = NSAnimationContext()

  public static func runAnimationGroup(_ changes: (NSAnimationContext) -> Void) {
    let outer = current
    current = NSAnimationContext()
    changes(current)
    current = outer
  }
}

public struct NSUserInterfaceItemIdentifier: Hashable, Sendable {
  let name: String
  public init(_ name: String) { self.name = name }
}
