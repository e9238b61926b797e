import Foundation

/// Passes the counts of a group's children on to a `Progress`.
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
    var kept: [Operation] = []

    /// - Returns: The counts to pass on next, if any.
    mutating func next() -> Counts? {
      isReporting = reported != counts
      reported = counts
      return isReporting ? counts : nil
    }

    var isComplete: Bool { counts.finished == counts.total }
  }

  let progress = Progress(totalUnitCount: 0)
  private let guarded = Lock(Guarded())

  /// May be called under a lock; call `report` afterwards, outside it.
  func added() { guarded.withLock { $0.counts.total += 1 } }

  func finished() {
    var released: [Operation] = []
    guarded.withLock { guarded in
      guarded.counts.finished += 1
      if guarded.isComplete { swap(&released, &guarded.kept) }
    }
    report()
  }

  /// Keeps operations until all that are counted have finished.
  func keep(_ operations: [Operation]) {
    guarded.withLock { guarded in
      if !guarded.isComplete { guarded.kept = operations }
    }
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
