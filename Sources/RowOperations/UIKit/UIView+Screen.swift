#if canImport(UIKit) && !os(watchOS)
  import UIKit

  extension ListSentinel {
    /// The part of a view that is in sight, in the list's coordinates.
    ///
    /// It may be in inner scroll views, unless their own tracking reports it.
    func visiblePart(of view: UIView, in list: UIScrollView, _ sight: CGRect) -> CGRect? {
      guard !view.isHidden else { return nil }
      let part = view.visiblePart(view.bounds, upTo: list) { inner in
        guard !inner.isHidden else { return false }
        guard let scroll = inner as? UIScrollView else { return true }
        guard !scroll.reports(view) else { return false }
        observe(scroll)
        return true
      }
      return part?.part(inside: sight)
    }
  }

  extension UIView {
    /// The part that the views around it and its window show, in its own coordinates.
    ///
    /// Only frames count: neither views over this one nor whether it is hidden. Without clipping,
    /// it extends past the bounds.
    var visiblePart: CGRect? {
      guard let window else { return nil }
      let whole = clipsToBounds ? bounds : window.convert(window.bounds, to: self)
      guard let part = visiblePart(whole, upTo: window)?.part(inside: window.bounds) else {
        return nil
      }
      return window.convert(part, to: self).part(inside: whole)
    }

    var cutsSubviews: Bool { clipsToBounds }

    /// What the views up to an outer one show of a part, in the outer coordinates.
    ///
    /// - Parameter shows: Whether a view in between shows anything.
    fileprivate func visiblePart(
      _ part: CGRect, upTo outer: UIView, shows: (UIView) -> Bool = { _ in true }
    ) -> CGRect? {
      var (view, part) = (self, part)
      while view !== outer {
        guard let next = view.superview else { return nil }
        part = view.convert(part, to: next)
        if next !== outer {
          guard shows(next) else { return nil }
          if next.clipsToBounds {
            guard let rest = part.part(inside: next.bounds) else { return nil }
            part = rest
          }
        }
        view = next
      }
      return part
    }

    func isInside(_ list: UIScrollView) -> Bool {
      var view = self
      while !view.isHidden, let next = view.superview {
        if let scroll = next as? UIScrollView { return scroll === list }
        view = next
      }
      return false
    }

    var isHiddenInWindow: Bool {
      sequence(first: self, next: \.superview).contains { $0.isHidden }
    }
  }

  extension UIScrollView {
    fileprivate func reports(_ view: UIView) -> Bool {
      subviews.contains { ($0 as? ListSentinel)?.relay.tracks(view) ?? false }
    }
  }

  extension CGRect {
    /// `nil` if the rectangles share at most an edge.
    ///
    /// A view without a size has a part if it is inside. Slivers below a thousandth of a point come
    /// from rounding.
    fileprivate func part(inside other: CGRect) -> CGRect? {
      let (left, right) = (max(minX, other.minX), min(maxX, other.maxX))
      let (top, bottom) = (max(minY, other.minY), min(maxY, other.maxY))
      guard right - left > 0.001 || width == 0 && left == right,
        bottom - top > 0.001 || height == 0 && top == bottom
      else { return nil }
      return CGRect(x: left, y: top, width: right - left, height: bottom - top)
    }
  }
#endif
