/// A rectangle with subviews and layout passes, without transforms, constraints or drawing.
@MainActor
open class UIView: _LayoutTree, _KeyValueObserved {
  public var _observers = _KeyValueObservers()
  public private(set) lazy var layer = CALayer(self)
  public var superview: UIView? { parent as? UIView }
  public var subviews: [UIView] { children.compactMap { $0 as? UIView } }
  open var isHidden = false
  public var tag = 0
  public var isUserInteractionEnabled = true
  public var accessibilityElementsHidden = false
  public var autoresizingMask: Set<AutoresizingMask> = []
  public var backgroundColor: UIColor?
  /// The name under which a list reuses the view.
  package var reuseName: String?
  private var origin = CGPoint.zero

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
    get { CGRect(origin: origin, size: bounds.size) }
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

  public func convert(_ rect: CGRect, to view: UIView?) -> CGRect {
    let (from, to) = (offsetInRoot, view?.offsetInRoot ?? .zero)
    return rect.offsetBy(dx: from.x - to.x, dy: from.y - to.y)
  }

  private var offsetInRoot: CGPoint {
    var (point, view) = (CGPoint.zero, self)
    while true {
      point.x += view.origin.x - view.bounds.minX
      point.y += view.origin.y - view.bounds.minY
      guard let next = view.superview else { return point }
      view = next
    }
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
