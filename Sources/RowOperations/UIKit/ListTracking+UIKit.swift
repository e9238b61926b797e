#if canImport(UIKit) && !os(watchOS)
  import UIKit

  extension ListTracking {
    /// Watches a table view, a collection view, or a scroll view with views that are bound as
    /// cells.
    ///
    /// - Parameters:
    ///   - view: The list. It retains the tracking.
    ///   - trackers: One tracker for each kind of value in a row.
    ///   - ids: Returns the ids of all rows, in order, from the current model. Several sections
    ///     follow each other. Capture the controller weakly.
    @discardableResult
    @inlinable
    public convenience init<Row: Hashable & Sendable, each Value: Sendable>(
      _ view: UIScrollView, _ trackers: repeat DisplayTracker<Row, each Value>,
      ids: @escaping @MainActor () -> [Row]
    ) {
      let ids = OrderReader.flat(ids)
      self.init(view, repeat each trackers, ids: ids, rows: ids)
    }

    /// Watches a list with ids by section.
    ///
    /// A section may have more items than ids; the items at its end have no row. Capture the
    /// controller weakly.
    @discardableResult
    @inlinable
    public convenience init<Row: Hashable & Sendable, each Value: Sendable>(
      _ view: UIScrollView, _ trackers: repeat DisplayTracker<Row, each Value>,
      ids: @escaping @MainActor () -> [[Row]]
    ) {
      let ids = OrderReader.sections(ids)
      self.init(view, repeat each trackers, ids: ids, rows: ids)
    }

    /// Watches a list of items with several rows, or none, such as a post with an avatar and
    /// pictures.
    ///
    /// `trackers` are those of the views inside the cells. `rows` returns the rows of an item, in
    /// the order of prefetching. Capture the controller weakly.
    @discardableResult
    @inlinable
    public convenience init<ID, Row: Hashable & Sendable, each Value: Sendable>(
      _ view: UIScrollView, _ trackers: repeat DisplayTracker<Row, each Value>,
      ids: @escaping @MainActor () -> [ID], rows: @escaping @MainActor (ID) -> [Row]
    ) {
      let ids = OrderReader.flat(ids)
      self.init(view, repeat each trackers, ids: ids, rows: ids.rows(rows))
    }

    /// Watches a list of items by section with several rows, or none.
    ///
    /// `rows` returns the rows of an item, in the order of prefetching. Capture the controller
    /// weakly.
    @discardableResult
    @inlinable
    public convenience init<ID, Row: Hashable & Sendable, each Value: Sendable>(
      _ view: UIScrollView, _ trackers: repeat DisplayTracker<Row, each Value>,
      ids: @escaping @MainActor () -> [[ID]], rows: @escaping @MainActor (ID) -> [Row]
    ) {
      let ids = OrderReader.sections(ids)
      self.init(view, repeat each trackers, ids: ids, rows: ids.rows(rows))
    }

    /// Watches a table view without a list of ids, such as one over a large database.
    ///
    /// The trackers look up the rows on screen and those around it. Index paths may be out of
    /// bounds, such as that of a spinner: return `nil`. Capture the controller weakly.
    @discardableResult
    @inlinable
    public convenience init<Row: Hashable & Sendable, each Value: Sendable>(
      _ view: UITableView, _ trackers: repeat DisplayTracker<Row, each Value>,
      row: @escaping @MainActor (IndexPath) -> Row?
    ) {
      let ids = OrderReader.lookUp(row)
      self.init(view, repeat each trackers, ids: ids, rows: ids)
    }

    /// Watches a collection view without a list of ids, such as one over a large database.
    ///
    /// As for a table view, index paths may be out of bounds: return `nil`. Capture the controller
    /// weakly.
    @discardableResult
    @inlinable
    public convenience init<Row: Hashable & Sendable, each Value: Sendable>(
      _ view: UICollectionView, _ trackers: repeat DisplayTracker<Row, each Value>,
      row: @escaping @MainActor (IndexPath) -> Row?
    ) {
      let ids = OrderReader.lookUp(row)
      self.init(view, repeat each trackers, ids: ids, rows: ids)
    }

    /// Reports the exact landing, from the delegate's
    /// `scrollViewWillEndDragging(_:withVelocity:targetContentOffset:)`.
    ///
    /// Without it the velocity estimates the landing, which is right unless the app or the layout
    /// moves the target.
    ///
    /// - Parameter target: `targetContentOffset.pointee`, after any change that you make.
    public func willEndDragging(to target: CGPoint) {
      sentinel?.fingerLifted(landingAt: target, isExact: true)
    }
  }
#endif
