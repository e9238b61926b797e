#if canImport(UIKit) && !os(watchOS)
  import UIKit

  extension ListSentinel {
    func layout(of list: UIScrollView) -> ListLayout {
      let isPlain = !(list is UITableView) && !(list is UICollectionView)
      var layout = isPlain ? ListLayout.uncounted() : ListLayout()
      layout.contentSize = list.contentSize
      layout.isSettled = !list.hasUncommittedItems
      layout.isInSight = sight.map { !$0.isEmpty || list.bounds.isEmpty } ?? false
      switch list {
      case let table as UITableView: read(table, into: &layout)
      case let collection as UICollectionView: read(collection, into: &layout)
      default: break
      }
      return layout
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
      observeSections(of: collection)
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
      observeOnce(inner) {
        inner.observe(\.contentOffset) { [weak self] _, _ in
          MainThread.assumeIsolated { self?.setNeedsLayout() }
        }
      }
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

    /// The offset of rest after the finger lifts.
    ///
    /// - Parameter velocity: Of the finger, in points per second.
    func rest(velocity: CGPoint) -> CGPoint {
      let deceleration = Deceleration(rate: min(max(decelerationRate.rawValue, 0.001), 0.9999))
      #if os(tvOS)
        let isPaged = false
      #else
        let isPaged = isPagingEnabled
      #endif
      let insets = adjustedContentInset
      let x = ScrollExtent(
        offset: contentOffset.x, length: bounds.width, contentLength: contentSize.width,
        leadingInset: insets.left, trailingInset: insets.right)
      let y = ScrollExtent(
        offset: contentOffset.y, length: bounds.height, contentLength: contentSize.height,
        leadingInset: insets.top, trailingInset: insets.bottom)
      // A finger that moves down decreases the offset.
      return CGPoint(
        x: x.rest(velocity: -velocity.x / 1000, deceleration, isPaged: isPaged),
        y: y.rest(velocity: -velocity.y / 1000, deceleration, isPaged: isPaged))
    }

    func rowFrames(in part: CGRect, _ relay: ListRelay) -> [RowFrame] {
      switch self {
      case let table as UITableView:
        return (table.indexPathsForRows(in: part) ?? [])
          .map { RowFrame(path: $0, frame: table.rectForRow(at: $0)) }
      case let collection as UICollectionView:
        let layout = collection.collectionViewLayout
        return (layout.layoutAttributesForElements(in: part) ?? [])
          .filter { $0.representedElementCategory == .cell }
          .map { RowFrame(path: $0.indexPath, frame: $0.frame) }
      default:
        return relay.looseViews().compactMap { view in
          guard let view = view as? UIView, view.isInside(self),
            let index = relay.index(ofRowIn: view)
          else { return nil }
          return RowFrame(path: [0, index], frame: view.convert(view.bounds, to: self))
        }
      }
    }
  }
#endif
