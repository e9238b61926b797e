import RowOperations

struct CellNotes<Row: Hashable & Sendable>: Sendable {
  private struct Cell: Sendable {
    var row: Row?
    var host: Int?
    var isDisplayed = false
    /// Since it came on screen.
    var hasOtherRow = false
  }

  private var cells = RecentTable<Int, Cell>()
  private var hosts = RecentTable<Int, Duration>()
  private var viewRows = RecentTable<Row, Bool>()
  private(set) var firstBinding: Duration?
  private(set) var firstView: Duration?
  private(set) var wasHostDisplayed = false
  private(set) var displays = 0
  private(set) var ends = 0
  private(set) var displayedCells = 0
  /// How often a cell on screen came there again, with another row.
  private(set) var returns = 0
  /// Since when cells show a removed row.
  private var removed = RecentTable<Int, Duration>()
  private(set) var suspended: Duration?
  private(set) var displaysSuspended = 0
  private(set) var hasScrolled = false

  var boundCells: Int { cells.values.filter { $0.row != nil }.count }
  var hostCount: Int { hosts.count }
  var viewCount: Int { cells.values.filter { $0.row != nil && $0.host != nil }.count }

  func removedCells(before time: Duration) -> Int { removed.values.filter { $0 <= time }.count }

  mutating func record(_ input: TrackerInput<Row, Int>, at time: Duration) {
    switch input {
    case .cellFor(let row, let cell): bind(cell, to: row, in: nil, at: time)
    case .viewFor(let row, let view, let host):
      bind(view, to: row, in: host, at: time)
      guard let row else { return }
      hosts[host] = hosts[host] ?? time
      viewRows[row] = true
      if cells[host]?.isDisplayed == true { wasHostDisplayed = true }
    case .willDisplay(_, let cell): display(cell)
    case .didEndDisplaying(_, let cell), .cover(let cell), .background(let cell): end(cell)
    case .unbind(let cell):
      removed[cell] = nil
      cells[cell]?.row = nil
    case .deallocate(let cell):
      end(cell)
      cells[cell] = nil
      hosts[cell] = nil
    case .reconcile(let shown):
      let shown = Set(shown)
      for cell in cells.keys where !shown.contains(cell) { end(cell) }
      for cell in shown { display(cell) }
    case .remove(let rows): remove(Set(rows).contains, at: time)
    case .removeAll: remove({ _ in true }, at: time)
    case .suspend:
      suspended = suspended ?? time
      displaysSuspended = 0
    case .resume: suspended = nil
    case .scrollWillBegin, .scrollDidMove, .scrollWillEnd, .scrollDidSettle, .listScrollWillBegin,
      .listScrollDidMove, .listScrollWillEnd, .listScrollDidSettle:
      hasScrolled = true
    default: break
    }
  }

  mutating func displayed(_ row: Row) {
    if displays == 0 { displays = 1 }
    if viewRows[row] != nil { wasHostDisplayed = true }
  }

  private mutating func bind(_ cell: Int, to row: Row?, in host: Int?, at time: Duration) {
    removed[cell] = nil
    var known = cells[cell] ?? Cell()
    if known.isDisplayed, host == nil, let old = known.row, row != nil, old != row {
      known.hasOtherRow = true
    }
    known.row = row
    known.host = host
    cells[cell] = known
    guard row != nil else { return }
    firstBinding = firstBinding ?? time
    if host != nil { firstView = firstView ?? time }
  }

  private mutating func display(_ cell: Int) {
    if hosts[cell] != nil { wasHostDisplayed = true }
    if suspended != nil { displaysSuspended += 1 }
    var known = cells[cell] ?? Cell()
    guard !known.isDisplayed else {
      if known.hasOtherRow { returns += 1 }
      cells[cell]?.hasOtherRow = false
      return
    }
    known.isDisplayed = true
    known.hasOtherRow = false
    cells[cell] = known
    displays += 1
    displayedCells += 1
  }

  private mutating func end(_ cell: Int) {
    removed[cell] = nil
    guard cells[cell]?.isDisplayed == true else { return }
    cells[cell]?.isDisplayed = false
    ends += 1
    displayedCells -= 1
  }

  private mutating func remove(_ isGone: (Row) -> Bool, at time: Duration) {
    for cell in cells.keys {
      guard let known = cells[cell], let row = known.row, isGone(row) else { continue }
      cells[cell]?.row = nil
      if known.isDisplayed { removed[cell] = time }
    }
  }
}
