#if canImport(UIKit) && !os(watchOS)
  import UIKit

  // What the view tells by itself, and what it is asked.
  extension ListTracking {
    func offsetChanged() {
      guard let view else { return }
      let offset = ScrollWatch.Offset(view.contentOffset)
      relay.offsetChanged(
        .init(
          x: offset.x, y: offset.y, isDragging: view.isDragging,
          isDecelerating: view.isDecelerating, time: started.duration(to: .now).nanoseconds))
    }

    var visibleCells: [UIView] {
      switch view {
      case let table as UITableView: table.visibleCells
      case let collection as UICollectionView: collection.visibleCells
      default: []
      }
    }

    func placedRows(in frame: RestingFrame) -> [PlacedRow] {
      let rectangle = CGRect(
        x: frame.origin.x, y: frame.origin.y, width: frame.width, height: frame.height)
      switch view {
      case let table as UITableView:
        return (table.indexPathsForRows(in: rectangle) ?? [])
          .map { PlacedRow($0, table.rectForRow(at: $0)) }
      case let collection as UICollectionView:
        let layout = collection.collectionViewLayout
        return (layout.layoutAttributesForElements(in: rectangle) ?? [])
          .filter { $0.representedElementCategory == .cell }
          .map { PlacedRow($0.indexPath, $0.frame) }
      default:
        return []
      }
    }
  }

  extension ListTracking: UITableViewDataSourcePrefetching, UICollectionViewDataSourcePrefetching {
    /// For the table view to call.
    public func tableView(_ tableView: UITableView, prefetchRowsAt indexPaths: [IndexPath]) {
      prefetch(indexPaths)
    }

    /// For the table view to call.
    public func tableView(
      _ tableView: UITableView, cancelPrefetchingForRowsAt indexPaths: [IndexPath]
    ) { relay.cancelPrefetch(at: indexPaths) }

    /// For the collection view to call.
    public func collectionView(
      _ collectionView: UICollectionView, prefetchItemsAt indexPaths: [IndexPath]
    ) { prefetch(indexPaths) }

    /// For the collection view to call.
    public func collectionView(
      _ collectionView: UICollectionView, cancelPrefetchingForItemsAt indexPaths: [IndexPath]
    ) { relay.cancelPrefetch(at: indexPaths) }

    private func prefetch(_ paths: [IndexPath]) {
      relay.prefetch(at: paths, isDataConstrained: DataCost.shared.isConstrained)
    }
  }

  extension ScrollWatch.Offset {
    init(_ point: CGPoint) { self.init(x: point.x, y: point.y) }
  }

  extension PlacedRow {
    init(_ path: IndexPath, _ frame: CGRect) {
      self.init(
        path: path, x: frame.minX, y: frame.minY, width: frame.width, height: frame.height)
    }
  }
#endif
