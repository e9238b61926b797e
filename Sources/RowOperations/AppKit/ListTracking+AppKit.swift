#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  import AppKit

  extension ListTracking {
    /// Watches a table view.
    ///
    /// A cell is the view of a row in a column, or the row's view.
    ///
    /// - Parameters:
    ///   - view: The list. It retains the tracking.
    ///   - trackers: One tracker for each kind of value in a row.
    ///   - ids: Returns the ids of all rows, in order, from the current model. Capture the
    ///     controller weakly.
    @discardableResult
    @inlinable
    public convenience init<Row: Hashable & Sendable, each Value: Sendable>(
      _ view: NSTableView, _ trackers: repeat DisplayTracker<Row, each Value>,
      ids: @escaping @MainActor () -> [Row]
    ) {
      let ids = OrderReader.flat(ids)
      self.init(view, repeat each trackers, ids: ids, rows: ids)
    }

    /// Watches a table view of items with several rows, or none.
    ///
    /// `trackers` are those of the views inside the cells. `rows` returns the rows of an item, in
    /// the order of prefetching. Capture the controller weakly.
    @discardableResult
    @inlinable
    public convenience init<ID, Row: Hashable & Sendable, each Value: Sendable>(
      _ view: NSTableView, _ trackers: repeat DisplayTracker<Row, each Value>,
      ids: @escaping @MainActor () -> [ID], rows: @escaping @MainActor (ID) -> [Row]
    ) {
      let ids = OrderReader.flat(ids)
      self.init(view, repeat each trackers, ids: ids, rows: ids.rows(rows))
    }

    /// Watches a collection view.
    ///
    /// A cell is an `NSCollectionViewItem`, or its view. `ids` returns the ids of all rows, in
    /// order; several sections follow each other. Capture the controller weakly.
    @discardableResult
    @inlinable
    public convenience init<Row: Hashable & Sendable, each Value: Sendable>(
      _ view: NSCollectionView, _ trackers: repeat DisplayTracker<Row, each Value>,
      ids: @escaping @MainActor () -> [Row]
    ) {
      let ids = OrderReader.flat(ids)
      self.init(view, repeat each trackers, ids: ids, rows: ids)
    }

    /// Watches a collection view with ids by section.
    ///
    /// Capture the controller weakly.
    @discardableResult
    @inlinable
    public convenience init<Row: Hashable & Sendable, each Value: Sendable>(
      _ view: NSCollectionView, _ trackers: repeat DisplayTracker<Row, each Value>,
      ids: @escaping @MainActor () -> [[Row]]
    ) {
      let ids = OrderReader.sections(ids)
      self.init(view, repeat each trackers, ids: ids, rows: ids)
    }
  }
#endif
