/// An input of a tracker: from a list, the app, a load, or the clock.
///
/// `DisplayTracker` and its engine take these inputs, adapters send them, recordings write them,
/// and an `EventScript` of the module RowOperationsTesting is a sequence of them.
///
/// `Row` and `Cell` are an app's ids and objects, or numbers of the engine or a script.
public enum TrackerInput<Row, Cell> {
  /// The list requests a cell for a row and gets this one.
  case cellFor(row: Row, cell: Cell)
  /// A view inside a cell, a header or another view is bound to a row, or to none.
  case viewFor(row: Row?, view: Cell, host: Cell)
  /// A cell comes on screen; the tracker ignores the row.
  case willDisplay(row: Row?, cell: Cell)
  /// A cell leaves the screen; the tracker ignores the row.
  case didEndDisplaying(row: Row?, cell: Cell)
  /// The list of a cell on screen is covered; `willDisplay` ends that.
  case cover(cell: Cell)
  /// The list of a cell on screen is in the background; `willDisplay` ends that.
  case background(cell: Cell)
  case unbind(cell: Cell)
  case deallocate(cell: Cell)
  /// These cells are on screen, and no others.
  case reconcile(cells: [Cell])
  /// Rows are prefetched, nearest first.
  case prefetch([Row])
  case cancelPrefetch([Row])
  case setOrder([Row])
  /// A list has these rows at consecutive positions, which the tracker has read.
  case listRows([Row], at: Int, list: Int)
  /// A list has these rows at one position: an item with several rows, or with none.
  case itemRows([Row], at: Int, list: Int)
  /// A list, or a section that scrolls by itself, shows some of its positions; none while covered.
  case showPositions(Range<Int>, of: Range<Int>, section: Int?, list: Int)
  /// Scrolling begins, in the list without a number.
  case scrollWillBegin
  case scrollDidMove
  /// The list without a number will rest on rows.
  case scrollWillEnd(landingOn: [Row])
  case scrollDidSettle
  /// Scrolling of a list begins; each list has its own motion.
  case listScrollWillBegin(list: Int)
  case listScrollDidMove(list: Int)
  case listScrollWillEnd(landingOn: [Row], list: Int)
  /// A list rests, or is out of sight.
  case listScrollDidSettle(list: Int)
  /// The list is no longer visible.
  case suspend
  /// The list is visible again.
  case resume
  case networkDidReturn
  /// The longest-running load of a row shows a value before its end.
  case show(row: Row)
  /// That load reports its progress.
  case report(row: Row)
  /// That load ends with a value.
  case finish(row: Row)
  /// That load ends with an error.
  case fail(row: Row)
  case element(row: Row)
  case endStream(row: Row)
  /// The stream of a row ends with an error.
  case failStream(row: Row)
  /// The longest-running batch of a row ends, without a value for the row.
  ///
  /// A batch ends with the turn in which the load of one of its rows ends: with the error of a row,
  /// else with the values of those that finish.
  case miss(row: Row)
  case setValue(row: Row)
  case retry(row: Row)
  case invalidate([Row])
  case remove([Row])
  case invalidateAll
  case removeAll
  case rename(Row, to: Row)
  /// Values off screen are dropped, those under other screens included.
  case removeCachedValues
  case passEnd
  case time(Duration)
}

// For scripts alone: a comparison of all types is compiled for each adopter.
extension TrackerInput: Equatable where Row == Int, Cell == Int {}
extension TrackerInput: Hashable where Row == Int, Cell == Int {}
extension TrackerInput: Sendable where Row: Sendable, Cell: Sendable {}

extension TrackerInput {
  /// The same input with other rows and cells.
  ///
  /// In the order of a script. Rows of an array without a translation are left out.
  package func map<OtherRow, OtherCell>(
    row: (Row) -> OtherRow?, cell: (Cell) -> OtherCell
  ) -> TrackerInput<OtherRow, OtherCell>? {
    switch self {
    case .cellFor(let old, let shown):
      return row(old).map { .cellFor(row: $0, cell: cell(shown)) }
    case .viewFor(let old, let view, let host):
      return .viewFor(row: old.flatMap(row), view: cell(view), host: cell(host))
    case .willDisplay(let old, let shown):
      return .willDisplay(row: old.flatMap(row), cell: cell(shown))
    case .didEndDisplaying(let old, let shown):
      return .didEndDisplaying(row: old.flatMap(row), cell: cell(shown))
    case .cover(let shown): return .cover(cell: cell(shown))
    case .background(let shown): return .background(cell: cell(shown))
    case .unbind(let shown): return .unbind(cell: cell(shown))
    case .deallocate(let gone): return .deallocate(cell: cell(gone))
    case .reconcile(let shown): return .reconcile(cells: shown.map(cell))
    case .prefetch(let rows): return .prefetch(rows.compactMap(row))
    case .cancelPrefetch(let rows): return .cancelPrefetch(rows.compactMap(row))
    case .setOrder(let rows): return .setOrder(rows.compactMap(row))
    case .listRows(let rows, let position, let list):
      return .listRows(rows.compactMap(row), at: position, list: list)
    case .itemRows(let rows, let position, let list):
      return .itemRows(rows.compactMap(row), at: position, list: list)
    case .showPositions(let shown, let all, let section, let list):
      return .showPositions(shown, of: all, section: section, list: list)
    case .scrollWillBegin: return .scrollWillBegin
    case .scrollDidMove: return .scrollDidMove
    case .scrollWillEnd(let rows): return .scrollWillEnd(landingOn: rows.compactMap(row))
    case .scrollDidSettle: return .scrollDidSettle
    case .listScrollWillBegin(let list): return .listScrollWillBegin(list: list)
    case .listScrollDidMove(let list): return .listScrollDidMove(list: list)
    case .listScrollWillEnd(let rows, let list):
      return .listScrollWillEnd(landingOn: rows.compactMap(row), list: list)
    case .listScrollDidSettle(let list): return .listScrollDidSettle(list: list)
    case .suspend: return .suspend
    case .resume: return .resume
    case .networkDidReturn: return .networkDidReturn
    case .show(let old): return row(old).map { .show(row: $0) }
    case .report(let old): return row(old).map { .report(row: $0) }
    case .finish(let old): return row(old).map { .finish(row: $0) }
    case .fail(let old): return row(old).map { .fail(row: $0) }
    case .element(let old): return row(old).map { .element(row: $0) }
    case .endStream(let old): return row(old).map { .endStream(row: $0) }
    case .failStream(let old): return row(old).map { .failStream(row: $0) }
    case .miss(let old): return row(old).map { .miss(row: $0) }
    case .setValue(let old): return row(old).map { .setValue(row: $0) }
    case .retry(let old): return row(old).map { .retry(row: $0) }
    case .invalidate(let rows): return .invalidate(rows.compactMap(row))
    case .remove(let rows): return .remove(rows.compactMap(row))
    case .invalidateAll: return .invalidateAll
    case .removeAll: return .removeAll
    case .removeCachedValues: return .removeCachedValues
    case .rename(let old, let new):
      guard let old = row(old), let new = row(new) else { return nil }
      return .rename(old, to: new)
    case .passEnd: return .passEnd
    case .time(let time): return .time(time)
    }
  }
}
