import RowOperations

/// A list without a screen, which recycles cells, scrolls, and sends events as real lists do.
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
/// **Threading**: main actor. It has no clock: time passes only in ``advance(by:)``.
///
/// **Cost**: a frame is O(rows that come or go), and a change of the model is O(rows).
@MainActor
public final class ListSimulator<Row: Hashable & Sendable> {
  /// The rows of the model, top to bottom.
  public internal(set) var rows: [Row] {
    didSet {
      items = Self.items(of: rows)
      geometry = RowGeometry(heights: rows.map(height))
    }
  }
  /// The upper edge of the viewport, in points from the top of the content.
  public internal(set) var offset = 0.0
  /// The height of the viewport, in points.
  public internal(set) var viewport: Double
  /// The behavior where real lists differ.
  public let behavior: ListBehavior
  /// The pages that follow the list.
  public var pages: [Pagination] = [] {
    didSet { if hasLaidOut { reportPages() } }
  }
  /// How many rows have come on screen.
  public internal(set) var rowsPassed = 0

  /// A row at its place in the model.
  struct Item: Hashable {
    let row: Row
    /// How often the row comes before this place.
    var copy = 0
  }

  private(set) var items: [Item]
  private let height: (Row) -> Double
  let handle: (ListEvent<Row>) -> Void
  private(set) var geometry: RowGeometry
  var visible: Range<Int> = 0..<0 {
    didSet { if visible != oldValue { isSettled = false } }
  }
  var isSettled = false
  var displayed: [Item: SimulatedCell] = [:]
  /// Cells of rows that are bound off screen.
  var prepared: [Item: SimulatedCell] = [:]
  /// Cells of recently hidden rows, oldest first.
  var kept: [(item: Item, cell: SimulatedCell)] = []
  var pool: [SimulatedCell] = []
  var madeCells = 0
  /// Announced rows that have not come on screen, nearest first.
  var announced: [Item] = []
  var hasLaidOut = false
  var isCovered = false
  var direction = 1 {
    didSet { if direction != oldValue { isSettled = false } }
  }
  var motion: Motion = .rest

  enum Motion: Equatable {
    case rest
    case dragged
    /// With its time so far and its first velocity.
    case decelerating(elapsed: Duration, start: Double, velocity: Double, target: Double)
  }

  /// Makes a list with rows of one height.
  ///
  /// - Parameters:
  ///   - rows: The rows of the model. A repeated row is shown twice, and reported.
  ///   - rowHeight: The height of all rows, in points.
  ///   - viewport: The viewport's height, in points.
  ///   - behavior: The kind of list.
  ///   - handle: Receives all events at once.
  public convenience init(
    rows: [Row], rowHeight: Double = 44, viewport: Double,
    behavior: ListBehavior = .tableView, handle: @escaping (ListEvent<Row>) -> Void
  ) {
    precondition(rowHeight > 0, "Rows have a positive height.")
    self.init(
      rows: rows, height: { _ in rowHeight }, viewport: viewport, behavior: behavior,
      handle: handle)
  }

  /// Makes a list of rows with individual heights, in points.
  public init(
    rows: [Row], height: @escaping (Row) -> Double, viewport: Double,
    behavior: ListBehavior = .tableView, handle: @escaping (ListEvent<Row>) -> Void
  ) {
    self.rows = rows
    items = Self.items(of: rows)
    self.height = height
    self.viewport = viewport
    self.behavior = behavior
    self.handle = handle
    geometry = RowGeometry(heights: rows.map(height))
  }

  /// Reports rows that the model contains twice.
  static func items(of rows: [Row]) -> [Item] {
    var counts: [Row: Int] = [:]
    let items = rows.map { row in
      let copy = counts[row, default: 0]
      counts[row] = copy + 1
      return Item(row: row, copy: copy)
    }
    if let repeated = items.first(where: { $0.copy > 0 }) {
      OperationDiagnostics.report(
        .repeatedRow, nil,
        """
        A list contains row \(repeated.row) twice. It shows both; a diffable data source traps. Give \
        each row an id of its own.
        """)
    }
    return items
  }

  // MARK: The screen

  /// The rows on screen, top to bottom.
  public var visibleRows: [Row] { items[visible].map(\.row) }

  /// The cells on screen, top to bottom.
  public var visibleCells: [SimulatedCell] { items[visible].compactMap { displayed[$0] } }

  /// Whether the list is dragged or decelerates.
  public var isMoving: Bool { motion != .rest }

  /// The cell that shows a row on screen, the first of several.
  public func cell(for row: Row) -> SimulatedCell? { item(of: row).flatMap { displayed[$0] } }

  func item(of row: Row) -> Item? {
    let first = Item(row: row)
    if displayed[first] != nil { return first }
    let shown = items[visible.clamped(to: 0..<items.count)]
    return shown.first { $0.row == row && displayed[$0] != nil }
  }

  /// The rows on screen at an offset, top to bottom.
  public func rows(at offset: Double) -> [Row] {
    items[geometry.rows(in: offset..<offset + viewport)].map(\.row)
  }

  /// The largest offset, in points.
  public var maximumOffset: Double { max(geometry.contentHeight - viewport, 0) }

  // MARK: Layout

  /// Lays the list out, first and after each change.
  public func layOut() { layOut(speed: 0, isFresh: !hasLaidOut) }

  /// Runs one pass: new rows come, rows ahead are announced, and only then old rows leave.
  ///
  /// - Parameters:
  ///   - speed: The speed of the list, in points per millisecond.
  ///   - isFresh: Whether heights may be estimates.
  func layOut(speed: Double, isFresh: Bool) {
    defer { reportPages() }
    let old = visible.clamped(to: 0..<items.count)
    visible = geometry.rows(in: offset..<offset + viewport)
    if let margin = behavior.boundMargin { return layOutBound(margin: margin) }
    guard isFresh || !isSettled else { return }
    let leaving = old.map { (item: items[$0], index: $0) }.filter { displayed[$0.item] != nil }
    let wanted = Set(items[visible])
    show(isFresh ? guessedRows() : visible)
    announce(speed: speed)
    for (item, index) in leaving where !wanted.contains(item) { end(item, index: index) }
    for index in guessedRows() where !visible.contains(index) { end(items[index], index: index) }
    prepare()
    hasLaidOut = true
  }

  func reportPages() {
    guard !isCovered else { return }
    for page in pages { page.shows(visible, of: items.count) }
  }

  private func guessedRows() -> Range<Int> {
    guard let height = behavior.estimatedHeight, height > 0 else { return visible }
    let count = Int((viewport / height).rounded(.up))
    let guessed = visible.lowerBound..<min(visible.lowerBound + count, items.count)
    return guessed.count > visible.count ? guessed : visible
  }

  private func show(_ indices: Range<Int>) {
    for index in direction < 0 ? Array(indices.reversed()) : Array(indices)
    where displayed[items[index]] == nil {
      let item = items[index]
      let cell = cellInWaiting(for: item) ?? ask(for: item.row)
      display(cell, for: item)
    }
  }

  func display(_ cell: SimulatedCell, for item: Item) {
    displayed[item] = cell
    announced.removeAll { $0 == item }
    rowsPassed += 1
    handle(.willDisplay(cell))
  }

  private func cellInWaiting(for item: Item) -> SimulatedCell? {
    if let cell = prepared.removeValue(forKey: item) { return cell }
    guard let index = kept.firstIndex(where: { $0.item == item }) else { return nil }
    return kept.remove(at: index).cell
  }

  func ask(for row: Row) -> SimulatedCell {
    if pool.isEmpty {
      pool.append(SimulatedCell(number: madeCells))
      madeCells += 1
    }
    let cell = pool.removeLast()
    handle(.cellFor(cell, row))
    return cell
  }

  func end(_ item: Item, index: Int) {
    guard let cell = displayed.removeValue(forKey: item) else { return }
    // The row may be ahead now.
    isSettled = false
    handle(.didEndDisplaying(cell, index: index))
    kept.append((item, cell))
    while kept.count > behavior.keptCells { pool.append(kept.removeFirst().cell) }
  }

  private func prepare() {
    let ahead = itemsAhead(behavior.preparedAhead)
    for (item, cell) in prepared.sorted(by: { $0.value.number < $1.value.number })
    where !ahead.contains(item) {
      prepared[item] = nil
      pool.append(cell)
    }
    for item in ahead where prepared[item] == nil && displayed[item] == nil {
      prepared[item] = cellInWaiting(for: item) ?? ask(for: item.row)
    }
  }

  // MARK: Prefetching

  private func announce(speed: Double) {
    isSettled =
      (hasLaidOut || behavior.prefetchesAtFirstLayout) && speed <= behavior.prefetchSpeedLimit
    guard isSettled else { return }
    let known = Set(announced)
    let window = itemsAhead(behavior.prefetchDepth)
    let ahead = window.filter { displayed[$0] == nil }
    let new = ahead.filter { !known.contains($0) }
    let gone = announced.filter { !window.contains($0) }
    announced = ahead
    if !new.isEmpty { handle(.prefetch(new.map(\.row))) }
    if behavior.sendsCancelPrefetch, !gone.isEmpty { handle(.cancelPrefetch(gone.map(\.row))) }
  }

  private func itemsAhead(_ count: Int) -> [Item] {
    direction >= 0
      ? Array(items[visible.upperBound...].prefix(count))
      : items[..<visible.lowerBound].suffix(count).reversed()
  }
}

extension OperationMisuse.Code {
  /// The model of a simulated list contains a row twice; the list shows both.
  public static let repeatedRow = OperationMisuse.Code(name: "repeatedRow")
}
