#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  import AppKit

  extension ListTracking {
    /// Watches a table view.
    ///
    /// A cell is the view of a row in a column, or the row's view.
    ///
    /// - Parameters:
    ///   - view: It keeps the tracking as long as it lives.
    ///   - trackers: One for each value that a row consists of.
    ///   - ids: The ids of all rows, in order, from the model of the moment. Capture the controller
    ///     weakly.
    @discardableResult
    public convenience init<Row: Hashable & Sendable, each Value: Sendable>(
      _ view: NSTableView, _ trackers: repeat DisplayTracker<Row, each Value>,
      ids: @escaping @MainActor () -> [Row]
    ) {
      self.init(view, ListRelay(repeat each trackers, rows: .order(.flat(ids))))
    }

    /// The same for items that have several rows, or none.
    ///
    /// - Parameters:
    ///   - view: It keeps the tracking as long as it lives.
    ///   - trackers: Those in which views inside the cells are bound.
    ///   - ids: The ids of all items, in order. Capture the controller weakly.
    ///   - rows: The rows that an item shows, in the order in which they are to be prefetched.
    @discardableResult
    public convenience init<ID, Row: Hashable & Sendable, each Value: Sendable>(
      _ view: NSTableView, _ trackers: repeat DisplayTracker<Row, each Value>,
      ids: @escaping @MainActor () -> [ID], rows: @escaping @MainActor (ID) -> [Row]
    ) {
      self.init(view, ListRelay(repeat each trackers, rows: .order(.flat(ids, rows: rows))))
    }

    /// Watches a collection view.
    ///
    /// A cell is an `NSCollectionViewItem`, or its view.
    ///
    /// - Parameters:
    ///   - view: It keeps the tracking as long as it lives.
    ///   - trackers: One for each value that a row consists of.
    ///   - ids: The ids of all rows, in order, from the model of the moment. Where the list has
    ///     several sections, their rows follow each other. Capture the controller weakly.
    @discardableResult
    public convenience init<Row: Hashable & Sendable, each Value: Sendable>(
      _ view: NSCollectionView, _ trackers: repeat DisplayTracker<Row, each Value>,
      ids: @escaping @MainActor () -> [Row]
    ) {
      self.init(view, ListRelay(repeat each trackers, rows: .order(.flat(ids))))
    }

    /// The same for a collection view whose ids are known by section.
    ///
    /// - Parameters:
    ///   - view: It keeps the tracking as long as it lives.
    ///   - trackers: One for each value that a row consists of.
    ///   - ids: The ids of each section, in order. Capture the controller weakly.
    @discardableResult
    public convenience init<Row: Hashable & Sendable, each Value: Sendable>(
      _ view: NSCollectionView, _ trackers: repeat DisplayTracker<Row, each Value>,
      ids: @escaping @MainActor () -> [[Row]]
    ) {
      self.init(view, ListRelay(repeat each trackers, rows: .order(.sections(ids))))
    }

    private convenience init(_ view: NSView, _ relay: any ListRelaying) {
      self.init(relay)
      // So that it is known by the time that rows are prefetched.
      _ = DataCost.shared
      let sentinel = ListSentinel(watching: view, for: self)
      watcher = sentinel
      relay.lookSoon = { [weak sentinel] in sentinel?.needsLayout = true }
    }
  }
#endif
