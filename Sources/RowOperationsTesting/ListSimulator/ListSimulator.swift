import RowOperations

/// A list without a screen: it lays out rows in a viewport, recycles cells, scrolls as real lists
/// scroll, and tells its app about it in the order in which real lists do.
///
/// ```swift
/// let list = ListSimulator(rows: Array(0..<10_000), viewport: 600) { event in
///   app.handle(event)
/// }
/// list.layOut()
/// list.fling(velocity: 2)
/// while list.isMoving { list.advance(by: .milliseconds(16)) }
/// ```
///
/// **Threading**: main actor. It has no clock: time passes in ``advance(by:)``, as fast as you like.
///
/// **Cost**: a frame is O(rows that come or go); a change of the model is O(rows).
@MainActor
public final class ListSimulator<Row: Hashable & Sendable> {
  /// The rows of the model, top to bottom.
  public internal(set) var rows: [Row]
  /// Where the viewport's upper edge is, in points from the top of the content.
  public internal(set) var offset = 0.0
  /// The height of the viewport, in points.
  public internal(set) var viewport: Double
  /// How it behaves where real lists differ.
  public let behavior: ListBehavior
  /// How it comes to rest.
  public var deceleration = Deceleration.normal
  /// How many rows have come on screen so far.
  public internal(set) var rowsPassed = 0

  let height: (Row) -> Double
  let handle: (ListEvent<Row>) -> Void
  var geometry: RowGeometry
  /// The cells on screen, those prepared for rows that are about to come, and those kept for rows
  /// that have just left, oldest first.
  var displayed: [Row: SimulatedCell] = [:]
  var visible: Range<Int> = 0..<0
  var prepared: [Row: SimulatedCell] = [:]
  var kept: [(row: Row, cell: SimulatedCell)] = []
  var pool: [SimulatedCell] = []
  var madeCells = 0
  var announced: Set<Row> = []
  var hasLaidOut = false
  var direction = 1
  var motion: Motion = .rest

  /// What moves the list.
  enum Motion {
    case rest
    case dragged
    /// Since when it decelerates, from where, and how fast it was.
    case decelerating(elapsed: Duration, start: Double, velocity: Double, target: Double)
  }

  /// Makes a list with rows of one height.
  ///
  /// - Parameters:
  ///   - rows: The rows of the model, top to bottom.
  ///   - rowHeight: In points.
  ///   - viewport: The viewport's height, in points.
  ///   - behavior: Which list it is like.
  ///   - handle: Told everything that happens, at once.
  public convenience init(
    rows: [Row], rowHeight: Double = 44, viewport: Double,
    behavior: ListBehavior = .tableView, handle: @escaping (ListEvent<Row>) -> Void
  ) {
    self.init(
      rows: rows, height: { _ in rowHeight }, viewport: viewport, behavior: behavior,
      handle: handle)
  }

  /// Makes a list whose rows have heights of their own.
  ///
  /// - Parameters:
  ///   - rows: The rows of the model, top to bottom.
  ///   - height: The height of each row, in points.
  ///   - viewport: The viewport's height, in points.
  ///   - behavior: Which list it is like.
  ///   - handle: Told everything that happens, at once.
  public init(
    rows: [Row], height: @escaping (Row) -> Double, viewport: Double,
    behavior: ListBehavior = .tableView, handle: @escaping (ListEvent<Row>) -> Void
  ) {
    self.rows = rows
    self.height = height
    self.viewport = viewport
    self.behavior = behavior
    self.handle = handle
    geometry = RowGeometry(heights: rows.map(height))
  }

  // MARK: What is on screen

  /// The rows on screen, top to bottom.
  public var visibleRows: [Row] { Array(rows[visible]) }

  /// The cells on screen, top to bottom.
  public var visibleCells: [SimulatedCell] { visibleRows.compactMap { displayed[$0] } }

  /// Whether the list is dragged or decelerates.
  public var isMoving: Bool {
    guard case .rest = motion else { return true }
    return false
  }

  /// The cell that shows a row on screen.
  public func cell(for row: Row) -> SimulatedCell? { displayed[row] }

  /// The rows that are on screen at some offset.
  public func rows(at offset: Double) -> [Row] {
    Array(rows[geometry.rows(in: offset..<offset + viewport)])
  }

  /// The furthest that the list can be scrolled, in points.
  public var maximumOffset: Double { max(geometry.contentHeight - viewport, 0) }

  // MARK: Layout

  /// Lays the list out where it is: the first time, and whenever something has changed.
  public func layOut() {
    layOut(speed: 0)
  }

  /// One pass: new rows come, what lies ahead is announced, and only then old rows leave.
  ///
  /// - Parameter speed: In points per millisecond.
  func layOut(speed: Double) {
    let wanted = geometry.rows(in: offset..<offset + viewport)
    let leaving = visible.clamped(to: 0..<rows.count).filter { !wanted.contains($0) }
    var coming = wanted.filter { displayed[rows[$0]] == nil }
    if direction < 0 { coming.reverse() }
    visible = wanted
    for index in coming { show(rows[index]) }
    announce(speed: speed)
    for index in leaving { end(rows[index], index: index) }
    prepare()
    hasLaidOut = true
  }

  private func show(_ row: Row) {
    let cell = cellInWaiting(for: row) ?? ask(for: row)
    displayed[row] = cell
    rowsPassed += 1
    handle(.willDisplay(cell, row))
  }

  /// A cell that is bound to the row already, prepared or kept.
  private func cellInWaiting(for row: Row) -> SimulatedCell? {
    if let cell = prepared.removeValue(forKey: row) { return cell }
    guard let index = kept.firstIndex(where: { $0.row == row }) else { return nil }
    return kept.remove(at: index).cell
  }

  func ask(for row: Row) -> SimulatedCell {
    let cell = pool.popLast() ?? makeCell()
    handle(.cellFor(cell, row))
    return cell
  }

  private func makeCell() -> SimulatedCell {
    defer { madeCells += 1 }
    return SimulatedCell(number: madeCells)
  }

  func end(_ row: Row, index: Int) {
    guard let cell = displayed.removeValue(forKey: row) else { return }
    handle(.didEndDisplaying(cell, index: index))
    kept.append((row, cell))
    while kept.count > behavior.keptCells { pool.append(kept.removeFirst().cell) }
  }

  /// Gives rows ahead their cells, and takes back those that turned out not to come.
  private func prepare() {
    let ahead = rowsAhead(behavior.preparedAhead)
    for (row, cell) in prepared where !ahead.contains(row) {
      prepared[row] = nil
      pool.append(cell)
    }
    for row in ahead where prepared[row] == nil && displayed[row] == nil {
      prepared[row] = cellInWaiting(for: row) ?? ask(for: row)
    }
  }

  // MARK: Prefetching

  private func announce(speed: Double) {
    guard hasLaidOut || behavior.prefetchesAtFirstLayout, speed <= behavior.prefetchSpeedLimit
    else { return }
    let window = rowsAhead(behavior.prefetchDepth)
    let new = window.filter { !announced.contains($0) }
    let gone = announced.subtracting(window).subtracting(displayed.keys)
    announced = Set(window)
    if !new.isEmpty { handle(.prefetch(new)) }
    if behavior.sendsCancelPrefetch, !gone.isEmpty {
      handle(.cancelPrefetch(rows.filter(gone.contains)))
    }
  }

  /// The next rows in the direction of travel, nearest first.
  private func rowsAhead(_ count: Int) -> [Row] {
    direction >= 0
      ? Array(rows[visible.upperBound...].prefix(count))
      : rows[..<visible.lowerBound].suffix(count).reversed()
  }
}
