import RowOperations
import RowOperationsTesting

/// The plain recipe in virtual time: first come, first served, and cancelled when off screen.
///
/// Better than it is: a cancelled load ends at once and leaves no trace in the queue, and every value
/// is kept for good.
@MainActor
final class VirtualRecipe: VirtualLoader {
  private let load: Int64
  private var now: Int64 = 0
  private var waiting: [Int] = []
  /// When each load that runs ends, by row.
  private var ends: [Int: Int64] = [:]
  private var values: Set<Int> = []
  private var rows: [Int: Int] = [:]
  private(set) var started = 0
  let finishedOffScreen = 0

  /// - Parameter load: How long a load takes, in milliseconds.
  init(load: Int) { self.load = Int64(load) * 1_000_000 }

  func handle(_ event: ListEvent<Int>) {
    switch event {
    case .cellFor(let cell, let row): rows[cell.number] = row
    case .willDisplay(let cell): if let row = rows[cell.number] { begin(row) }
    case .didEndDisplaying(let cell, _): if let row = rows[cell.number] { cancel(row) }
    case .prefetch(let rows): rows.forEach(begin)
    case .cancelPrefetch(let rows): rows.forEach(cancel)
    case .unbind, .scrollWillBegin, .scrollDidMove, .scrollWillEnd, .scrollDidSettle,
      .didDisappear, .didAppear:
      break
    }
    fill()
  }

  private func begin(_ row: Int) {
    guard !values.contains(row), ends[row] == nil, !waiting.contains(row) else { return }
    waiting.append(row)
  }

  private func cancel(_ row: Int) {
    ends[row] = nil
    waiting.removeAll { $0 == row }
  }

  private func fill() {
    while ends.count < 4, !waiting.isEmpty {
      ends[waiting.removeFirst()] = now + load
      started += 1
    }
  }

  func endPass() {}

  var nextMoment: Int64? { ends.values.min() }

  func advance(to time: Int64) {
    now = time
    for (row, end) in ends where end <= time {
      ends[row] = nil
      values.insert(row)
    }
    fill()
  }

  func hasValue(_ row: Int) -> Bool { values.contains(row) }
}
