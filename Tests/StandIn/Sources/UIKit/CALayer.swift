/// The layer of a view, with the view's own values.
@MainActor
public final class CALayer: NSObject, _KeyValueObserved {
  public var _observers = _KeyValueObservers()
  private unowned let view: UIView

  init(_ view: UIView) { self.view = view }

  public var bounds: CGRect { view.bounds }
  public func needsLayout() -> Bool { view.isMarked }
}
