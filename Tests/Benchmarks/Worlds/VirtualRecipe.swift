import RowOperationsTesting

/// The plain recipe in virtual time: first come, first served, with a cancel off screen.
@MainActor
final class VirtualRecipe: VirtualLoader {
  private var queue: VirtualQueue
  private var waiting: [Int] = []
  private var rows: [Int: Int] = [:]

  init(_ world: World) { queue = VirtualQueue(world) }

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
    if queue.isWanted(row), !waiting.contains(row) { waiting.append(row) }
  }

  private func cancel(_ row: Int) {
    queue.cancel(row)
    waiting.removeAll { $0 == row }
  }

  private func fill() {
    while queue.hasFreeSlot, !waiting.isEmpty { queue.start(waiting.removeFirst()) }
  }

  func endPass(_ view: ViewState) {}

  var nextMoment: Int64? { queue.nextMoment }

  func advance(to time: Int64) {
    queue.advance(to: time)
    fill()
  }

  func hasValue(_ row: Int) -> Bool { queue.values.contains(row) }

  var starts: [Int] { queue.starts }
}
