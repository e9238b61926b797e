import Foundation

/// A progress that a tracker keeps up to date.
struct ProgressWatch<Row: Hashable> {
  weak var progress: Progress?
  var pending: Set<Row>
}

extension TrackerStore {
  /// Whether anything waits for the end of rows.
  var isWatched: Bool { !watches.isEmpty }

  /// Starts to watch rows.
  ///
  /// O(rows).
  func watch(_ rows: Set<Row>, _ progress: Progress, isOver: (Row) -> Bool) {
    let pending = rows.filter { !isOver($0) }
    if !pending.isEmpty { watches.append(ProgressWatch(progress: progress, pending: pending)) }
    progress.completedUnitCount += Int64(rows.count - pending.count)
  }

  /// Counts rows of which nothing more comes.
  ///
  /// O(rows that are watched).
  func countCompleted(_ isCompleted: (Row) -> Bool) {
    count { pending in pending.filter(isCompleted) }
  }

  /// Counts a row of which nothing more comes.
  ///
  /// O(watches).
  func countCompleted(_ row: Row) {
    count { $0.contains(row) ? [row] : [] }
  }

  private func count(_ settled: (Set<Row>) -> Set<Row>) {
    var counted: [(progress: Progress, rows: Int)] = []
    for index in watches.indices {
      let rows = settled(watches[index].pending)
      guard !rows.isEmpty else { continue }
      watches[index].pending.subtract(rows)
      if let progress = watches[index].progress { counted.append((progress, rows.count)) }
    }
    // The rows of a watch are released when the list is not being changed.
    let old = watches
    watches = old.filter { $0.progress != nil && !$0.pending.isEmpty }
    withExtendedLifetime(old) {}
    // Last, since an observer of a progress may call the tracker.
    for (progress, rows) in counted { progress.completedUnitCount += Int64(rows) }
  }
}
