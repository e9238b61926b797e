/// How far a load is.
package enum LoadProgress: Hashable, Sendable {
  /// It waits for a slot.
  case waiting
  /// It runs; its generation.
  case running(UInt64)
  /// An attempt has ended, or nothing is going to be done.
  case over
}

/// The first attempts to load some rows that start after a certain moment.
@MainActor
final class FirstAttempts<Row: Hashable> {
  /// The last generation before that moment.
  private let last: UInt64
  /// The rows whose attempt is not over, with its generation if it has started.
  private var pending: [Row: UInt64?]

  init(of rows: some Sequence<Row>, after last: UInt64) {
    self.last = last
    pending = Dictionary(rows.map { ($0, nil) }, uniquingKeysWith: { first, _ in first })
  }

  /// Whether all of them are over; to be asked at the end of each turn.
  ///
  /// O(rows that are pending).
  func areOver(_ progress: (Row) -> LoadProgress?) -> Bool {
    for (row, started) in pending {
      // Nothing is known while something waits to be judged.
      guard let progress = progress(row) else { return false }
      switch progress {
      case .over: pending[row] = nil
      // The attempt has ended, and the next one waits.
      case .waiting where started != nil: pending[row] = nil
      case .running(let generation) where started != nil && started != generation:
        pending[row] = nil
      case .running(let generation) where generation > last: pending[row] = generation
      case .waiting, .running: break
      }
    }
    return pending.isEmpty
  }
}
