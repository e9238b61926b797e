/// The lists around a row, the nearest first.
@MainActor
package struct EnclosingLists {
  private struct Entry {
    let list: any RowListing
    let trackers: [ObjectIdentifier]
  }

  private var entries: [Entry] = []

  nonisolated package init() {}

  package var nearest: (any RowListing)? { entries.first?.list }

  /// The list that a row of a tracker belongs to.
  ///
  /// Several modifiers of one list each have trackers of their own. So the nearest list that has
  /// the tracker wins, and the nearest of all if none has it.
  package func list(of tracker: AnyObject) -> (any RowListing)? {
    let key = ObjectIdentifier(tracker)
    return entries.first { $0.trackers.contains(key) }?.list ?? nearest
  }

  /// The lists around a row of a list inside these.
  package func inside(_ list: any RowListing, of trackers: [AnyObject]) -> EnclosingLists {
    var lists = self
    lists.entries.insert(Entry(list: list, trackers: trackers.map { ObjectIdentifier($0) }), at: 0)
    return lists
  }
}
