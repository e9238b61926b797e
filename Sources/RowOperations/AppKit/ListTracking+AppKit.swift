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
      self.init(view, repeat each trackers, rows: .flat(ids))
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
      self.init(view, repeat each trackers, rows: .flat(ids, rows: rows))
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
      self.init(view, repeat each trackers, rows: .flat(ids))
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
      self.init(view, repeat each trackers, rows: .sections(ids))
    }

    @usableFromInline
    convenience init<Row: Hashable & Sendable, each Value: Sendable>(
      _ view: NSView, _ trackers: repeat DisplayTracker<Row, each Value>, rows: OrderReader<Row>
    ) {
      self.init(view, ListRelay(repeat each trackers, rows: rows))
    }

    private convenience init(_ view: NSView, _ relay: any ListRelaying) {
      self.init(relay)
      // So that the answer is known before rows are prefetched.
      _ = DataCost.shared
      let sentinel = ListSentinel(watching: view, for: self)
      watcher = sentinel
      relay.watched(by: sentinel)
    }

    /// Makes a tracking of the same view.
    func tracking(with relay: any ListRelaying) -> ListTracking? {
      (watcher as? ListSentinel)?.list.map { ListTracking($0, relay) }
    }
  }
#endif
