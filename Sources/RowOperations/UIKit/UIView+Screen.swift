#if canImport(UIKit) && !os(watchOS)
  import UIKit

  extension UIView {
    /// Whether a part of the view is on screen in a list.
    ///
    /// The view may be in scroll views inside the list, except those whose own tracking reports it.
    ///
    /// - Parameter observe: Called for each such scroll view, whose offset matters from now on.
    func isOnScreen(in list: UIScrollView, observe: (UIScrollView) -> Void) -> Bool {
      var (view, rect) = (self, bounds)
      while view !== list {
        guard !view.isHidden, let next = view.superview else { return false }
        rect = view.convert(rect, to: next)
        if let scroll = next as? UIScrollView, scroll !== list {
          guard !scroll.reports(self) else { return false }
          observe(scroll)
          guard let visible = rect.part(inside: scroll.bounds) else { return false }
          rect = visible
        }
        view = next
      }
      return rect.part(inside: list.bounds) != nil
    }

    /// Whether a list is the innermost scroll view around the view and shows it.
    func isInside(_ list: UIScrollView) -> Bool {
      var view = self
      while !view.isHidden, let next = view.superview {
        if let scroll = next as? UIScrollView { return scroll === list }
        view = next
      }
      return false
    }

    /// The innermost view of a type around this view.
    func enclosing<Outer: UIView>(_: Outer.Type) -> Outer? {
      sequence(first: self) { $0.superview }.dropFirst().lazy.compactMap { $0 as? Outer }.first
    }

    /// Whether the view or a view around it is hidden.
    var isHiddenInWindow: Bool {
      var view: UIView? = self
      while let known = view, known !== window {
        if known.isHidden { return true }
        view = known.superview
      }
      return false
    }
  }

  extension UIScrollView {
    /// Whether a tracking of this list reports the displays of a view inside it.
    fileprivate func reports(_ view: UIView) -> Bool {
      subviews.contains { ($0 as? ListSentinel)?.relay.tracks(view) ?? false }
    }
  }

  extension CGRect {
    /// The part of the rectangle that is inside another one; `nil` if they share at most an edge.
    ///
    /// A view without a size, such as a label without a text, has a part if it is inside.
    fileprivate func part(inside other: CGRect) -> CGRect? {
      let (left, right) = (max(minX, other.minX), min(maxX, other.maxX))
      let (top, bottom) = (max(minY, other.minY), min(maxY, other.maxY))
      guard left < right || width == 0 && left == right,
        top < bottom || height == 0 && top == bottom
      else { return nil }
      return CGRect(x: left, y: top, width: right - left, height: bottom - top)
    }
  }
#endif
