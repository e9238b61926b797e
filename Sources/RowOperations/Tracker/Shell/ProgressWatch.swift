import Foundation

/// The `Progress` objects that a tracker updates.
struct ProgressWatch<Row: Hashable> {
  weak var progress: Progress?
  var pending: Set<Row>
}

extension TrackerStore {
  var isWatched: Bool { !watches.isEmpty }

  /// Starts to watch rows.
  ///
  /// O(rows).
  func watch(_ rows: Set<Row>, _ progress: Progress, isOver: (Row) -> Bool) {
    let pending = rows.filter { !isOver($0) }
    if !pending.isEmpty { watches.append(ProgressWatch(progress: progress, pending: pending)) }
    progress.completedUnitCount += Int64(rows.count - pending.count)
  }

  /// Counts completed rows.
  ///
  /// O(watched rows).
  func countCompleted(_ isCompleted: (Row) -> Bool) {
    count { pending in pending.filter(isCompleted) }
  }

  /// Counts a completed row.
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
    // Releases the rows of a watch after the change of the array.
    let old = watches
    watches = old.filter { $0.progress != nil && !$0.pending.isEmpty }
    withExtendedLifetime(old) {}
    // Comes last, since an observer of a progress may call the tracker.
    for (progress, rows) in counted { progress.completedUnitCount += Int64(rows) }
  }
}
