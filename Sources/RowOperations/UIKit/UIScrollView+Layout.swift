#if canImport(UIKit) && !os(watchOS)
  import UIKit

  // Reads the content of a view.
  extension ListSentinel {
    /// The offset of a scroll view inside the list, which UIKit does not report.
    struct InnerScroll {
      weak var view: UIScrollView?
      let offset: NSKeyValueObservation
    }

    func layout(of list: UIScrollView, _ relay: any ListRelaying) -> ListLayout {
      let isPlain = !(list is UITableView) && !(list is UICollectionView)
      var layout = isPlain ? ListLayout.uncounted() : ListLayout()
      layout.contentSize = ContentSize(
        width: list.contentSize.width, height: list.contentSize.height)
      layout.isDataConstrained = DataCost.shared.isConstrained
      switch list {
      case let table as UITableView:
        layout.sectionCount = table.numberOfSections
        layout.itemCount = { table.numberOfRows(inSection: $0) }
        layout.cells = (table.indexPathsForVisibleRows ?? []).compactMap { path in
          table.cellForRow(at: path).map { .init($0, at: .init(path)) }
        }
      case let collection as UICollectionView:
        layout.sectionCount = collection.numberOfSections
        layout.itemCount = { collection.numberOfItems(inSection: $0) }
        layout.cells = collection.indexPathsForVisibleItems.compactMap { path in
          collection.cellForItem(at: path).map { .init($0, at: .init(path)) }
        }
      default:
        layout.cells = boundViews(in: list, relay).map { .init($0, at: nil) }
        return layout
      }
      layout.others = otherViews(in: list, list.bounds, relay)
      return layout
    }

    /// Headers, footers and other known views, in the list or in a section that scrolls by itself.
    private func otherViews(
      in view: UIScrollView, _ bounds: CGRect, _ relay: any ListRelaying
    ) -> [AnyObject] {
      var others: [AnyObject] = []
      for subview in view.subviews where !subview.isHidden && subview.frame.intersects(bounds) {
        if subview is UITableViewCell || subview is UICollectionViewCell { continue }
        if let inner = subview as? UIScrollView {
          observe(inner)
          others += otherViews(in: inner, inner.bounds, relay)
        } else if relay.knows(subview) {
          others.append(subview)
        }
      }
      return others
    }

    private func observe(_ inner: UIScrollView) {
      guard innerScrolls[ObjectIdentifier(inner)]?.view !== inner else { return }
      innerScrolls = innerScrolls.filter { $0.value.view != nil }
      let offset = inner.observe(\.contentOffset) { [weak self] _, _ in
        MainThread.assumeIsolated { self?.setNeedsLayout() }
      }
      innerScrolls[ObjectIdentifier(inner)] = InnerScroll(view: inner, offset: offset)
    }

    /// The bound views of a plain scroll view that are on screen.
    private func boundViews(in list: UIScrollView, _ relay: any ListRelaying) -> [AnyObject] {
      relay.boundViews.filter { view in
        guard let view = view as? UIView, view.isInside(list) else { return false }
        return view.convert(view.bounds, to: list).intersects(list.bounds)
      }
    }
  }

  extension UIScrollView {
    /// Whether a batch update is in progress, so that the views on screen are unknown.
    var isChangingItems: Bool {
      switch self {
      case let table as UITableView: table.hasUncommittedUpdates
      case let collection as UICollectionView: collection.hasUncommittedUpdates
      default: false
      }
    }

    var deceleration: Deceleration {
      Deceleration(rate: min(max(decelerationRate.rawValue, 0.001), 0.9999))
    }

    var limits: ScrollLimits {
      let insets = adjustedContentInset
      #if os(tvOS)
        let isPaged = false
      #else
        let isPaged = isPagingEnabled
      #endif
      return ScrollLimits(
        content: ContentSize(width: contentSize.width, height: contentSize.height),
        viewport: ContentSize(width: bounds.width, height: bounds.height),
        insets: (insets.left, insets.right, insets.top, insets.bottom), isPaged: isPaged)
    }

    func rowFrames(in frame: RestingFrame, _ relay: any ListRelaying) -> [RowFrame] {
      let rectangle = CGRect(
        x: frame.origin.x, y: frame.origin.y, width: frame.width, height: frame.height)
      switch self {
      case let table as UITableView:
        return (table.indexPathsForRows(in: rectangle) ?? [])
          .map { RowFrame($0, table.rectForRow(at: $0)) }
      case let collection as UICollectionView:
        let layout = collection.collectionViewLayout
        return (layout.layoutAttributesForElements(in: rectangle) ?? [])
          .filter { $0.representedElementCategory == .cell }
          .map { RowFrame($0.indexPath, $0.frame) }
      default:
        return relay.boundViews.compactMap { view in
          guard let view = view as? UIView, view.isInside(self),
            let index = relay.index(ofRowIn: view)
          else { return nil }
          return RowFrame([0, index], view.convert(view.bounds, to: self))
        }
      }
    }
  }

  extension UIView {
    /// Whether a scroll view is the innermost one around the view and shows it.
    fileprivate func isInside(_ list: UIScrollView) -> Bool {
      var view: UIView = self
      while !view.isHidden, let next = view.superview {
        if let scroll = next as? UIScrollView { return scroll === list }
        view = next
      }
      return false
    }
  }

  extension ScrollWatch.Offset {
    init(_ point: CGPoint) { self.init(x: point.x, y: point.y) }
  }

  extension RowFrame {
    init(_ path: IndexPath, _ frame: CGRect) {
      self.init(
        path: path, x: frame.minX, y: frame.minY, width: frame.width, height: frame.height)
    }
  }
#endif
