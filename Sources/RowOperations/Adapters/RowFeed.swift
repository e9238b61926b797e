/// The trackers of one type of rows in a list, without that type.
@MainActor
protocol AnyRowFeed: AnyObject {
  /// Adds the list to the trackers.
  func link(
    onBind: @escaping @MainActor (AnyObject) -> Void,
    share: @escaping @MainActor (AnyObject) -> Double?
  ) -> [TrackerLink]
  /// The numbers of items in the model.
  var counts: [Int] { get }
  /// Reports positions on screen, or views for the trackers to find.
  ///
  /// - Returns: Whether all searches for the views have ended.
  func show(
    _ layout: ListLayout, _ spans: [ShownPositions], _ positions: ListPositions, isOtherData: Bool
  ) -> Bool
  func land(on items: [ListItems])
  func stop()
}

struct TrackerLink {
  let tracker: any CellTracking
  let list: Int
}

/// The trackers of one type of rows in a list, and the order of those rows.
@MainActor
final class RowFeed<Row: Hashable & Sendable>: AnyRowFeed {
  private let trackers: [any RowTracking<Row>]
  private let rows: OrderReader<Row>
  private var linked: [(tracker: any RowTracking<Row>, list: Int)] = []
  /// As read in the current report, which reads it at most once.
  private var model: OrderModel<Row>?

  init(trackers: [any RowTracking<Row>], rows: OrderReader<Row>) {
    (self.trackers, self.rows) = (trackers, rows)
  }

  convenience init<each Value: Sendable>(
    _ trackers: repeat DisplayTracker<Row, each Value>, rows: OrderReader<Row>
  ) {
    var all: [any RowTracking<Row>] = []
    repeat all.append(each trackers)
    self.init(trackers: all, rows: rows)
  }

  func link(
    onBind: @escaping @MainActor (AnyObject) -> Void,
    share: @escaping @MainActor (AnyObject) -> Double?
  ) -> [TrackerLink] {
    linked = trackers.map { ($0, $0.addList(onBind: onBind, share: share)) }
    return linked.map { TrackerLink(tracker: $0.tracker, list: $0.list) }
  }

  var counts: [Int] { readModel().counts() }

  func show(
    _ layout: ListLayout, _ spans: [ShownPositions], _ positions: ListPositions, isOtherData: Bool
  ) -> Bool {
    var isDone = true
    // The app's code may stop the tracking.
    for (tracker, list) in linked where !linked.isEmpty {
      if layout.isCounted {
        tracker.show(spans, ofList: list, isOtherData: isOtherData) { source(positions) }
      } else {
        let isFound = tracker.find(
          layout.cells.map(\.view), inList: list, isOtherData: isOtherData
        ) { source(positions) }
        isDone = isDone && isFound
      }
    }
    model = nil
    return isDone
  }

  private func readModel() -> OrderModel<Row> {
    let current = model ?? rows.read()
    model = current
    return current
  }

  private func source(_ positions: ListPositions) -> RowSource<Row> {
    let model = readModel()
    return RowSource(count: positions.all.count) { range, take in
      positions.forEachSection(at: range) { model.read($0, take) }
    }
  }

  func land(on items: [ListItems]) {
    let model = rows.read()
    var landing: [Row] = []
    for item in items { model.read(item) { landing.append($1) } }
    for (tracker, list) in linked { tracker.scrollWillEnd(landingOn: landing, inList: list) }
  }

  func stop() { linked = [] }
}
