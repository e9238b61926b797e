/// The lists around a row, the nearest first.
struct EnclosingLists: Equatable {
  private struct Entry: Equatable {
    let list: any RowListing
    let trackers: [ObjectIdentifier]

    static func == (a: Entry, b: Entry) -> Bool { a.list === b.list && a.trackers == b.trackers }
  }

  private var entries: [Entry] = []

  var nearest: (any RowListing)? { entries.first?.list }

  /// The nearest list with the tracker, as each modifier of a list has its own; else the nearest of
  /// all.
  func list(of tracker: AnyObject) -> (any RowListing)? {
    let key = ObjectIdentifier(tracker)
    return entries.first { $0.trackers.contains(key) }?.list ?? nearest
  }

  func inside(_ list: any RowListing, of trackers: [AnyObject]) -> EnclosingLists {
    var lists = self
    lists.entries.insert(Entry(list: list, trackers: trackers.map { ObjectIdentifier($0) }), at: 0)
    return lists
  }
}
