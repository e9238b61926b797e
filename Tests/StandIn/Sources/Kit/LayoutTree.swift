/// The tree of views and its layout passes, which UIKit and AppKit have in common.
@MainActor
open class _LayoutTree: NSObject {
  package private(set) weak var parent: _LayoutTree?
  package private(set) var children: [_LayoutTree] = []
  /// Whether the view is marked for layout.
  package var isMarked = true

  public override init() { super.init() }

  /// The window around the view.
  open var _root: AnyObject? { parent?._root }
  /// The view's own layout.
  open func _layOut() {}
  open func _rootChanged() {}
  /// Whether the window is laid out by commits.
  open var _isOnDisplay: Bool { false }

  package func add(_ view: _LayoutTree) {
    let old = view._root
    view.leaveParent()
    children.append(view)
    view.parent = self
    isMarked = true
    view.moved(from: old)
  }

  package func remove() {
    let old = _root
    leaveParent()
    moved(from: old)
  }

  private func leaveParent() {
    parent?.children.removeAll { $0 === self }
    parent?.isMarked = true
    parent = nil
  }

  private func moved(from old: AnyObject?) {
    guard _root !== old else { return }
    _rootChanged()
    // A view that comes into a window is laid out.
    isMarked = true
    for view in children { view.moved(from: old) }
  }

  /// Whether the view is another one or inside it.
  public func isDescendant(of view: _LayoutTree) -> Bool {
    sequence(first: self) { $0.parent }.contains { $0 === view }
  }

  package var needsLayoutBelow: Bool { isMarked || children.contains(where: \.needsLayoutBelow) }

  /// A view is laid out before its subviews (Core Animation Programming Guide).
  package func layOutTree() {
    if isMarked {
      isMarked = false
      _layOut()
    }
    let views = MainLoop.variant.laysOutBackwards ? children.reversed() : children
    for view in views where view.parent === self { view.layOutTree() }
  }

  package func layOutOnceMore() {
    isMarked = true
    for view in children { view.layOutOnceMore() }
    layOutTree()
  }
}
