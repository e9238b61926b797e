import Foundation

/// Counts a group's children, and passes the counts on to a `Progress`.
///
/// One thread at a time does that, and never with an older figure after a newer one. Observers of
/// the `Progress` are called outside the lock.
final class GroupProgress: Sendable {
  private struct Counts: Hashable {
    var total: Int64 = 0
    var finished: Int64 = 0
  }

  private struct Guarded {
    var counts = Counts()
    var reported = Counts()
    var isReporting = false

    /// - Returns: The counts that the reporting thread passes on next; `nil` if there are none.
    mutating func next() -> Counts? {
      isReporting = reported != counts
      reported = counts
      return isReporting ? counts : nil
    }
  }

  let progress = Progress(totalUnitCount: 0)
  private let guarded = Lock(Guarded())

  /// May be called under a lock; call `report` afterwards, outside it.
  func added() { guarded.withLock { $0.counts.total += 1 } }

  func finished() {
    guarded.withLock { $0.counts.finished += 1 }
    report()
  }

  func endedGroup() {
    guarded.withLock { guarded in
      if guarded.counts.total == 0 { guarded.counts = Counts(total: 1, finished: 1) }
    }
    report()
  }

  func report() {
    var next = guarded.withLock { $0.isReporting ? nil : $0.next() }
    while let counts = next {
      progress.totalUnitCount = counts.total
      progress.completedUnitCount = counts.finished
      next = guarded.withLock { $0.next() }
    }
  }
}
