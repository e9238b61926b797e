import RowOperationsTesting

/// A token bucket before a queue, as in Nuke: a burst of 25 loads passes at once, then 80 a second.
///
/// Loads that are cancelled in the line take no token. Rows on screen go before prefetched ones, of
/// which at most two load at a time.
@MainActor
final class VirtualBucket: VirtualLoader {
  private static let burst = 25.0
  /// Tokens per nanosecond.
  private static let rate = 80 / 1e9
  /// How long the line waits without a token.
  private static let delay: Int64 = 26_000_000

  private var queue: VirtualQueue
  private var rows: [Int: Int] = [:]
  private var tokens = burst
  private var refilledAt: Int64 = 0
  /// Rows that wait for a token, and when the line moves on.
  private var line: [Int] = []
  private var lineMovesAt: Int64?
  /// Rows that wait for a slot.
  private var waiting: [Int] = []
  private var displayed: Set<Int> = []
  private var prefetched: Set<Int> = []

  init(_ world: World) { queue = VirtualQueue(world) }

  func handle(_ event: ListEvent<Int>) {
    switch event {
    case .cellFor(let cell, let row): rows[cell.number] = row
    case .willDisplay(let cell):
      guard let row = rows[cell.number] else { break }
      displayed.insert(row)
      begin(row)
    case .didEndDisplaying(let cell, _):
      guard let row = rows[cell.number] else { break }
      displayed.remove(row)
      cancelIfUnwanted(row)
    case .prefetch(let rows):
      prefetched.formUnion(rows)
      rows.forEach(begin)
    case .cancelPrefetch(let rows):
      prefetched.subtract(rows)
      rows.forEach(cancelIfUnwanted)
    case .unbind, .scrollWillBegin, .scrollDidMove, .scrollWillEnd, .scrollDidSettle,
      .didDisappear, .didAppear:
      break
    }
    moveOn()
  }

  private func begin(_ row: Int) {
    guard queue.isWanted(row), !line.contains(row), !waiting.contains(row) else { return }
    line.append(row)
  }

  private func cancelIfUnwanted(_ row: Int) {
    guard !displayed.contains(row), !prefetched.contains(row) else { return }
    queue.cancel(row)
    line.removeAll { $0 == row }
    waiting.removeAll { $0 == row }
  }

  private func moveOn() {
    if let time = lineMovesAt, time > queue.now { return fill() }
    lineMovesAt = nil
    while !line.isEmpty {
      guard takeToken() else {
        lineMovesAt = queue.now + Self.delay
        break
      }
      waiting.append(line.removeFirst())
    }
    fill()
  }

  private func takeToken() -> Bool {
    tokens = min(tokens + Double(queue.now - refilledAt) * Self.rate, Self.burst)
    refilledAt = queue.now
    guard tokens >= 1 else { return false }
    tokens -= 1
    return true
  }

  private func fill() {
    while queue.hasFreeSlot, let index = nextIndex { queue.start(waiting.remove(at: index)) }
  }

  private var nextIndex: Int? {
    if let index = waiting.firstIndex(where: { displayed.contains($0) }) { return index }
    let prefetching = queue.running.count { !displayed.contains($0) }
    return prefetching < 2 ? waiting.indices.first : nil
  }

  func endPass(_ view: ViewState) {}

  var nextMoment: Int64? { [queue.nextMoment, lineMovesAt].compactMap(\.self).min() }

  func advance(to time: Int64) {
    queue.advance(to: time)
    moveOn()
  }

  func hasValue(_ row: Int) -> Bool { queue.values.contains(row) }

  var starts: [Int] { queue.starts }
}
