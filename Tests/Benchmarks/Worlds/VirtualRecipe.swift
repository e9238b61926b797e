import RowOperationsTesting

/// The recipe of articles: a dictionary from row to operation, one queue, and a cancel off screen.
///
/// It is better than a real one: a cancelled load ends at once without a trace, and every value is
/// kept.
@MainActor
final class VirtualRecipe: VirtualLoader {
  private let world: World
  private var now: Int64 = 0
  private var values: Set<Int> = []
  private var ends: [Int: Int64] = [:]
  private var attempts: [Int: Int] = [:]
  private var waiting: [Int] = []
  private var rows: [Int: Int] = [:]
  private(set) var started = 0

  init(_ world: World) { self.world = world }

  var requests: Int { started }

  func handle(_ event: ListEvent<Int>) {
    switch event {
    case .cellFor(let cell, let row): rows[cell.number] = row
    case .willDisplay(let cell): if let row = rows[cell.number] { begin(row) }
    case .didEndDisplaying(let cell, _): if let row = rows[cell.number] { cancel(row) }
    case .prefetch(let rows): rows.forEach(begin)
    case .cancelPrefetch(let rows): rows.forEach(cancel)
    default: break
    }
    fill()
  }

  private func begin(_ row: Int) {
    if !values.contains(row), ends[row] == nil, !waiting.contains(row) { waiting.append(row) }
  }

  private func cancel(_ row: Int) {
    ends[row] = nil
    waiting.removeAll { $0 == row }
  }

  private func fill() {
    while ends.count < world.slots, !waiting.isEmpty {
      let row = waiting.removeFirst()
      let attempt = attempts[row, default: 0]
      attempts[row] = attempt + 1
      ends[row] = now + world.loads.time(row: row, attempt: attempt)
      started += 1
    }
  }

  func endFrame() {}

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
