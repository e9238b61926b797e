/// The first attempts of some rows that start after a moment.
@MainActor
final class FirstAttempts<Row: Hashable> {
  /// The last generation before that moment.
  private let last: UInt64
  /// Rows with an unfinished attempt; its generation once it has started.
  private var pending: [Row: UInt64?]

  init(of rows: some Sequence<Row>, after last: UInt64) {
    self.last = last
    pending = Dictionary(rows.map { ($0, nil) }, uniquingKeysWith: { first, _ in first })
  }

  /// Whether all attempts are over, at the end of a turn.
  func areOver(_ newName: (Row) -> Row?, _ progress: (Row) -> RowProgress?) -> Bool {
    for (row, started) in pending {
      guard let name = newName(row) else { continue }
      pending[row] = nil
      pending.updateValue(started, forKey: name)
    }
    for (row, started) in pending {
      // Unknown until the engine has evaluated its events.
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
