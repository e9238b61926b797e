#if canImport(UIKit) && !os(watchOS)
  import UIKit

  extension ListSentinel {
    struct InnerScroll {
      weak var view: UIScrollView?
      let offset: NSKeyValueObservation
    }

    /// - Returns: The content in sight, and all views that were read.
    func layout(
      of list: UIScrollView, _ sight: CGRect?, _ relay: any ListRelaying
    ) -> (ListLayout, candidates: [AnyObject]) {
      let isPlain = !(list is UITableView) && !(list is UICollectionView)
      var layout = isPlain ? ListLayout.uncounted() : ListLayout()
      layout.contentSize = ContentSize(
        width: list.contentSize.width, height: list.contentSize.height)
      layout.isDataConstrained = DataCost.shared.isConstrained
      layout.isSettled = !list.hasUncommittedItems
      layout.isInSight = sight.map { !$0.isEmpty || list.bounds.isEmpty } ?? false
      switch list {
      case let table as UITableView: read(table, into: &layout)
      case let collection as UICollectionView: read(collection, into: &layout)
      default: break
      }
      // A list lays its cells out for all of its bounds.
      let (all, looseViews) = (layout.views, relay.looseViews())
      layout.cells = layout.cells.filter { visiblePart(of: $0.view) != nil }
      let loose = looseViews.filter { visiblePart(of: $0) != nil }
      if isPlain { layout.cells = loose.map { .init($0, at: nil) } } else { layout.others = loose }
      if let collection = list as? UICollectionView { observeSections(of: collection) }
      return (layout, all + looseViews)
    }

    private func read(_ table: UITableView, into layout: inout ListLayout) {
      guard layout.isSettled else {
        return layout.cells = table.visibleCells.map { .init($0, at: nil) }
      }
      layout.sectionCount = table.numberOfSections
      layout.itemCount = { table.numberOfRows(inSection: $0) }
      layout.cells = (table.indexPathsForVisibleRows ?? []).compactMap { path in
        table.cellForRow(at: path).map { .init($0, at: .init(path)) }
      }
    }

    private func read(_ collection: UICollectionView, into layout: inout ListLayout) {
      guard layout.isSettled else {
        return layout.cells = collection.visibleCells.map { .init($0, at: nil) }
      }
      layout.sectionCount = collection.numberOfSections
      layout.itemCount = { collection.numberOfItems(inSection: $0) }
      layout.cells = collection.indexPathsForVisibleItems.compactMap { path in
        collection.cellForItem(at: path).map { cell in
          .init(cell, at: .init(path), isInner: cell.superview !== collection)
        }
      }
    }

    /// The items of such sections are in inner scroll views.
    private func observeSections(of collection: UICollectionView) {
      for case let inner as UIScrollView in collection.subviews where !inner.isHidden {
        observe(inner)
      }
    }

    func observe(_ inner: UIScrollView) {
      guard innerScrolls[ObjectIdentifier(inner)]?.view !== inner else { return }
      innerScrolls = innerScrolls.filter { $0.value.view != nil }
      let offset = inner.observe(\.contentOffset) { [weak self] _, _ in
        MainThread.assumeIsolated { self?.setNeedsLayout() }
      }
      innerScrolls[ObjectIdentifier(inner)] = InnerScroll(view: inner, offset: offset)
    }
  }

  extension UIScrollView {
    /// During a drag or a drop, the list counts others than the model.
    var hasUncommittedItems: Bool {
      switch self {
      case let table as UITableView: table.hasUncommittedUpdates
      case let collection as UICollectionView: collection.hasUncommittedUpdates
      default: false
      }
    }

    func itemCount(inSection section: Int) -> Int {
      switch self {
      case let table as UITableView:
        section < table.numberOfSections ? table.numberOfRows(inSection: section) : 0
      case let collection as UICollectionView:
        section < collection.numberOfSections ? collection.numberOfItems(inSection: section) : 0
      default: 0
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
        return relay.looseViews().compactMap { view in
          guard let view = view as? UIView, view.isInside(self),
            let index = relay.index(ofRowIn: view)
          else { return nil }
          return RowFrame([0, index], view.convert(view.bounds, to: self))
        }
      }
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
