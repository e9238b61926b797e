/// A rectangle with subviews and layout passes, without constraints or drawing.
@MainActor
open class UIView: _LayoutTree, _KeyValueObserved {
  public var _observers = _KeyValueObservers()
  public private(set) lazy var layer = CALayer(self)
  public var superview: UIView? { parent as? UIView }
  public var subviews: [UIView] { children.compactMap { $0 as? UIView } }
  open var isHidden = false
  public var clipsToBounds = false
  public var tag = 0
  public var isUserInteractionEnabled = true
  public var accessibilityElementsHidden = false
  public var autoresizingMask: Set<AutoresizingMask> = []
  public var backgroundColor: UIColor?
  /// The name under which a list reuses the view.
  package var reuseName: String?
  /// The corner of the frame, without the transform.
  private var origin = CGPoint.zero
  /// About the center (UIView.h).
  package var transform = AffineTransform.identity

  public enum AutoresizingMask: Sendable {
    case flexibleWidth
    case flexibleHeight
  }

  public init(frame: CGRect) {
    super.init()
    self.frame = frame
  }

  public convenience override init() { self.init(frame: .zero) }
  public required init?(coder: NSCoder) { nil }

  open var frame: CGRect {
    get {
      transform == .identity ? CGRect(origin: origin, size: bounds.size) : box(bounds, toSuperview)
    }
    set {
      origin = newValue.origin
      bounds.size = newValue.size
    }
  }

  open var bounds = CGRect.zero {
    didSet {
      guard bounds != oldValue else { return }
      let (variant, isResized) = (MainLoop.variant, bounds.size != oldValue.size)
      let notifies = isResized || variant.scrollsLayer
      if notifies, variant.notifiesFirst { layer.didChange(\CALayer.bounds) }
      boundsChanged(from: oldValue)
      if notifies, !variant.notifiesFirst { layer.didChange(\CALayer.bounds) }
    }
  }

  /// A view of another size needs a layout, and resizes its subviews (UIView.h).
  func boundsChanged(from old: CGRect) {
    guard bounds.size != old.size else { return }
    setNeedsLayout()
    for view in subviews where !view.autoresizingMask.isEmpty {
      if view.autoresizingMask.contains(.flexibleWidth) {
        view.frame.size.width += bounds.width - old.width
      }
      if view.autoresizingMask.contains(.flexibleHeight) {
        view.frame.size.height += bounds.height - old.height
      }
    }
  }

  /// The smallest rectangle around the four corners in the other view.
  public func convert(_ rect: CGRect, to view: UIView?) -> CGRect {
    if view === superview, transform == .identity {
      return rect.offsetBy(dx: origin.x - bounds.minX, dy: origin.y - bounds.minY)
    }
    var map = toRoot
    // An inverse that does not exist is the transform itself (CGAffineTransformInvert).
    if let view { map.append(view.toRoot.inverted() ?? view.toRoot) }
    return box(rect, map)
  }

  private func box(_ rect: CGRect, _ map: AffineTransform) -> CGRect {
    let corners = [(rect.minX, rect.minY), (rect.maxX, rect.minY), (rect.minX, rect.maxY)]
      .map { map.transform(CGPoint(x: $0, y: $1)) }
    let last = map.transform(CGPoint(x: rect.maxX, y: rect.maxY))
    return corners.reduce(CGRect(origin: last, size: .zero)) {
      $0.union(CGRect(origin: $1, size: .zero))
    }
  }

  private var toSuperview: AffineTransform {
    var map = AffineTransform(translationByX: -bounds.midX, byY: -bounds.midY)
    map.append(transform)
    map.append(
      AffineTransform(
        translationByX: origin.x + bounds.width / 2, byY: origin.y + bounds.height / 2))
    return map
  }

  private var toRoot: AffineTransform {
    var map = toSuperview
    if let superview { map.append(superview.toRoot) }
    return map
  }

  public var window: UIWindow? { _root as? UIWindow }
  open func addSubview(_ view: UIView) { add(view) }
  open func removeFromSuperview() { remove() }
  open func didMoveToWindow() {}
  open override func _rootChanged() { didMoveToWindow() }

  open func setNeedsLayout() { isMarked = true }
  open func layoutSubviews() {}
  open override func _layOut() { layoutSubviews() }

  /// Lays out the tree below the highest marked view around this one (CALayer.h).
  open func layoutIfNeeded() {
    var root: _LayoutTree = self
    while let next = root.parent, next.isMarked { root = next }
    while root.needsLayoutBelow { root.layOutTree() }
  }

  package private(set) static var areAnimationsEnabled = true

  public static func animate(withDuration: Double, animations: @escaping () -> Void) {
    animations()
  }

  public static func performWithoutAnimation(_ actions: () -> Void) {
    let outer = areAnimationsEnabled
    areAnimationsEnabled = false
    actions()
    areAnimationsEnabled = outer
  }

}
