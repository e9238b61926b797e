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
    /// - Parameters:
    ///   - view: The list. It retains the tracking.
    ///   - trackers: The trackers of the views inside the cells.
    ///   - ids: Returns the ids of all items, in order. Capture the controller weakly.
    ///   - rows: Returns the rows of an item, in the order of prefetching.
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
    /// A cell is an `NSCollectionViewItem`, or its view.
    ///
    /// - Parameters:
    ///   - view: The list. It retains the tracking.
    ///   - trackers: One tracker for each kind of value in a row.
    ///   - ids: Returns the ids of all rows, in order, from the current model. Several sections
    ///     follow each other. Capture the controller weakly.
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
    /// - Parameters:
    ///   - view: The list. It retains the tracking.
    ///   - trackers: One tracker for each kind of value in a row.
    ///   - ids: Returns the ids of each section, in order. Capture the controller weakly.
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
      // Starts the watch, so that the answer is known before rows are prefetched.
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
