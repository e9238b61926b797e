extension DisplayTracker {
  /// Gives a row another id, as when a server replaces it.
  ///
  /// Nothing loads, and cells are rendered only if their content changes. A new id that is known
  /// keeps what it has and takes the rest; of two loads, one is cancelled.
  ///
  /// Until the end of the next turn the old id means the new one, in a list until its data is read
  /// anew. A running load keeps the old id; the answer to a batch may name either.
  ///
  /// **Cost**: O(1), and O(cells, rows around the screens) if both ids are known.
  public func rename(_ old: Row, to new: Row) {
    let old = store.rows.renamed.name(of: old) ?? old
    guard old != new else { return }
    if let recorder = core.state.recorder, let numbers = store.numbers {
      let input = TrackerInput<Int, Int>.rename(numbers.number(old), to: numbers.number(new))
      core.call { recorder.add(input, at: core.time) }
    }
    store.rename(old, to: new, in: core)
    core.requestTurn()
    core.run()
  }
}

extension TrackerStore {
  fileprivate func rename(_ old: Row, to new: Row, in core: TrackerCore) {
    impressions?.rename(old, to: new)
    if let id = id(of: old, RowTable.hash(old)) { rename(id, to: new, in: core) }
    core.lastRename += 1
    let name = RenamedRows<Row>.Name(
      row: new, number: core.lastRename, lists: Set(core.followed.keys))
    for gone in rows.renamed.add(name, for: old) { core.discard(gone) }
    observers.move(from: old, to: new)
    if let id = id(of: new, RowTable.hash(new)) { core.state.engine.phaseMayDiffer(of: id) }
  }

  private func rename(_ old: RowID, to new: Row, in core: TrackerCore) {
    let hash = RowTable.hash(new)
    let known = rows.find(new, hash).id
    let kept = known.map { core.merge(old, into: $0) } ?? old
    if let known { core.discard(rows.unlist(kept == old ? known : old, as: new) as Any) }
    if kept == old { return core.replaced(old, rows.rename(old, to: new, hash) as Any) }
    if let replaced = rows.replace(kept, by: new) { core.replaced(kept, replaced) }
  }

  @usableFromInline
  func number(ofFormer row: Row, in core: TrackerCore) -> RowID? {
    rows.renamed.name(of: row).map { number(ofNew: $0, in: core) }
  }

  @usableFromInline
  func number(ofNew name: Row, in core: TrackerCore) -> RowID {
    id(of: name, RowTable.hash(name)) ?? number(of: name, in: core)
  }

  func listHasOtherData(_ list: ListNumber) -> [Any] { rows.renamed.listHasOtherData(list) }

  func turnEnded(after rename: Int) -> [Any] { rows.renamed.turnEnded(after: rename) }
}

extension TrackerCore {
  func merge(_ old: RowID, into new: RowID) -> RowID {
    let kept = state.engine.keptRow(of: old, new)
    let gone = kept == old ? new : old
    if state.engine.take(.merge(gone, into: kept), at: time) {
      state.moveValue(of: gone, to: kept)
    }
    return kept
  }

  func listHasOtherData(_ list: ListNumber) {
    for gone in store.listHasOtherData(list) { discard(gone) }
  }

  func endRenames(before rename: Int) {
    guard rename > lastEndedRename else { return }
    lastEndedRename = rename
    for gone in store.turnEnded(after: rename) { discard(gone) }
    run()
  }
}
