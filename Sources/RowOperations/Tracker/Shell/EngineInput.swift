extension TrackerEngine.Input {
  /// `nil` for ends of loads, values, orders and turns, which carry more than an input can name.
  package init?(_ input: TrackerInput<RowID, CellID>) {
    switch input {
    case .cellFor(let row, let cell):
      self = .bind(cell, to: row, in: nil, rendersLeaving: false)
    case .viewFor(let row, let view, let host):
      self = .bind(view, to: row, in: host, rendersLeaving: false)
    case .willDisplay(_, let cell): self = .willDisplay(cell)
    case .didEndDisplaying(_, let cell): self = .didEndDisplaying(cell)
    case .cover(let cell): self = .cover(cell)
    case .unbind(let cell): self = .unbind(cell)
    case .deallocate(let cell): self = .vanish(cell)
    case .reconcile(let shown): self = .reconcile(shown)
    case .prefetch(let rows): self = .prefetch(rows)
    case .cancelPrefetch(let rows): self = .cancelPrefetch(rows)
    case .scrollWillBegin: self = .scrollWillBegin(.unnumbered)
    case .scrollDidMove: self = .scrollDidMove(.unnumbered)
    case .scrollWillEnd(let rows): self = .scrollWillEnd(.unnumbered, landingOn: rows)
    case .scrollDidSettle: self = .scrollDidSettle(.unnumbered)
    case .listScrollWillBegin(let list): self = .scrollWillBegin(list)
    case .listScrollDidMove(let list): self = .scrollDidMove(list)
    case .listScrollWillEnd(let rows, let list): self = .scrollWillEnd(list, landingOn: rows)
    case .listScrollDidSettle(let list): self = .scrollDidSettle(list)
    case .suspend: self = .suspend
    case .resume: self = .resume
    case .networkDidReturn: self = .networkDidReturn
    case .retry(let row): self = .retry(row)
    case .invalidate(let rows): self = .invalidate(rows)
    case .remove(let rows): self = .remove(rows)
    case .invalidateAll: self = .invalidateAll
    case .removeAll: self = .removeAll
    case .removeCachedValues: self = .removeCachedValues
    case .setOrder, .listRows, .itemRows, .showPositions, .show, .report, .finish, .fail,
      .miss, .element, .endStream, .failStream, .setValue, .passEnd, .time:
      return nil
    }
  }
}
