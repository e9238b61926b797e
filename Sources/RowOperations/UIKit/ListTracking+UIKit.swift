#if canImport(UIKit) && !os(watchOS)
  import UIKit

  extension ListTracking {
    /// Watches a table view, a collection view, or a scroll view whose views are bound as cells.
    ///
    /// - Parameters:
    ///   - view: It keeps the tracking as long as it lives.
    ///   - trackers: One for each value that a row consists of.
    ///   - ids: The ids of all rows, in order, from the model of the moment. Where the list has
    ///     several sections, their rows follow each other. Capture the controller weakly.
    @discardableResult
    public convenience init<Row: Hashable & Sendable, each Value: Sendable>(
      _ view: UIScrollView, _ trackers: repeat DisplayTracker<Row, each Value>,
      ids: @escaping @MainActor () -> [Row]
    ) {
      self.init(view, ListRelay(repeat each trackers, rows: .order(.flat(ids))))
    }

    /// The same for a list whose ids are known by section.
    ///
    /// A section may have more items than ids; those at its end have no row.
    ///
    /// - Parameters:
    ///   - view: It keeps the tracking as long as it lives.
    ///   - trackers: One for each value that a row consists of.
    ///   - ids: The ids of each section, in order. Capture the controller weakly.
    @discardableResult
    public convenience init<Row: Hashable & Sendable, each Value: Sendable>(
      _ view: UIScrollView, _ trackers: repeat DisplayTracker<Row, each Value>,
      ids: @escaping @MainActor () -> [[Row]]
    ) {
      self.init(view, ListRelay(repeat each trackers, rows: .order(.sections(ids))))
    }

    /// The same for items that have several rows, or none: a post with an avatar and pictures.
    ///
    /// - Parameters:
    ///   - view: It keeps the tracking as long as it lives.
    ///   - trackers: Those in which views inside the cells are bound.
    ///   - ids: The ids of all items, in order. Capture the controller weakly.
    ///   - rows: The rows that an item shows, in the order in which they are to be prefetched.
    @discardableResult
    public convenience init<ID, Row: Hashable & Sendable, each Value: Sendable>(
      _ view: UIScrollView, _ trackers: repeat DisplayTracker<Row, each Value>,
      ids: @escaping @MainActor () -> [ID], rows: @escaping @MainActor (ID) -> [Row]
    ) {
      self.init(view, ListRelay(repeat each trackers, rows: .order(.flat(ids, rows: rows))))
    }

    /// The same for items by section that have several rows, or none.
    ///
    /// - Parameters:
    ///   - view: It keeps the tracking as long as it lives.
    ///   - trackers: Those in which views inside the cells are bound.
    ///   - ids: The ids of each section's items, in order. Capture the controller weakly.
    ///   - rows: The rows that an item shows, in the order in which they are to be prefetched.
    @discardableResult
    public convenience init<ID, Row: Hashable & Sendable, each Value: Sendable>(
      _ view: UIScrollView, _ trackers: repeat DisplayTracker<Row, each Value>,
      ids: @escaping @MainActor () -> [[ID]], rows: @escaping @MainActor (ID) -> [Row]
    ) {
      self.init(view, ListRelay(repeat each trackers, rows: .order(.sections(ids, rows: rows))))
    }

    /// Watches a table view whose ids cannot be listed, such as one over a large database.
    ///
    /// The trackers know no order then: the table view prefetches, and this object is its prefetch
    /// data source.
    ///
    /// - Parameters:
    ///   - view: It keeps the tracking as long as it lives.
    ///   - trackers: One for each value that a row consists of.
    ///   - row: The row at an index path, or `nil` if there is none. Index paths may be out of your
    ///     ids' bounds, such as that of a spinner. Capture the controller weakly.
    @discardableResult
    public convenience init<Row: Hashable & Sendable, each Value: Sendable>(
      _ view: UITableView, _ trackers: repeat DisplayTracker<Row, each Value>,
      row: @escaping @MainActor (IndexPath) -> Row?
    ) {
      self.init(view, ListRelay(repeat each trackers, rows: .lookUp(row)))
      view.prefetchDataSource = self
    }

    /// Watches a collection view whose ids cannot be listed, such as one over a large database.
    ///
    /// The trackers know no order then: the collection view prefetches, and this object is its
    /// prefetch data source.
    ///
    /// - Parameters:
    ///   - view: It keeps the tracking as long as it lives.
    ///   - trackers: One for each value that a row consists of.
    ///   - row: The row at an index path, or `nil` if there is none. Index paths may be out of your
    ///     ids' bounds, such as that of a spinner. Capture the controller weakly.
    @discardableResult
    public convenience init<Row: Hashable & Sendable, each Value: Sendable>(
      _ view: UICollectionView, _ trackers: repeat DisplayTracker<Row, each Value>,
      row: @escaping @MainActor (IndexPath) -> Row?
    ) {
      self.init(view, ListRelay(repeat each trackers, rows: .lookUp(row)))
      view.prefetchDataSource = self
    }

    private convenience init(_ view: UIScrollView, _ relay: any ListRelaying) {
      self.init(relay)
      // So that it is known by the time that rows are prefetched.
      _ = DataCost.shared
      let sentinel = ListSentinel(watching: view, for: self)
      watcher = sentinel
      relay.lookSoon = { [weak sentinel] in sentinel?.setNeedsLayout() }
    }

    /// What the rows' values depend on, beside the rows; nothing unless you set it.
    ///
    /// When one of these traits changes, all values of the trackers are out of date, as after
    /// ``DisplayTracker/invalidateAll()``. The light and dark pictures that the system takes of an
    /// app in the background change nothing.
    public var valueTraits: ValueTraits {
      get { sentinel?.appearance.traits ?? [] }
      set { sentinel?.appearance.traits = newValue }
    }

    /// From the delegate's `scrollViewWillEndDragging(_:withVelocity:targetContentOffset:)`: where
    /// the list will rest, exactly.
    ///
    /// Without it the landing is estimated from the velocity of the finger, which is right unless
    /// the app or the layout moves the target.
    ///
    /// - Parameter target: `targetContentOffset.pointee`, after you have changed it if you do so.
    public func willEndDragging(to target: CGPoint) {
      sentinel?.fingerLifted(landingAt: .init(target), isExact: true)
    }

    private var sentinel: ListSentinel? { watcher as? ListSentinel }
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
#endif
