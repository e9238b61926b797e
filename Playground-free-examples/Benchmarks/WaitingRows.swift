import Foundation
import RowOperations

extension Family {
  /// B5: raising a row that waits behind very many others, next to few.
  static let waitingRows = Family(id: "B5", title: "raising one of many waiting rows") { effort in
    let few = WaitingList(count: 100)
    let many = WaitingList(count: effort.size(100_000))
    for list in [few, many] { await list.fill() }
    let pairs = await interleave(rounds: effort.repetitions(101)) {
      many.raiseSome()
    } _: {
      few.raiseSome()
    }
    for list in [few, many] { await list.drain() }
    return [
      Entry(
        id: "B5", title: "raising one of 100,000 waiting rows / of 100",
        sample: Sample(pairs.map { $0.a.main / $0.b.main }), limit: 1.3)
    ]
  }
}

extension Comparison {
  /// B5 in nanoseconds, next to a plain list whose rows are found by their names: what very many rows
  /// cost more than few is what it takes to reach memory that was not used for long.
  static func waitingRows(_ effort: Effort) async -> String {
    let sizes = [100, effort.size(100_000)]
    let lists = sizes.map { WaitingList(count: $0) }
    for list in lists { await list.fill() }
    var lines = sizes.map { BareLine(Family.rowNames($0)) }
    var (tracked, bare): ([[Double]], [[Double]]) = ([[], []], [[], []])
    for _ in 0...effort.repetitions(101) {
      for size in lists.indices {
        tracked[size].append(lists[size].raiseSome().main)
        bare[size].append(lists[size].moveSome(in: &lines[size]))
      }
    }
    for list in lists { await list.drain() }
    let rows = Double(WaitingList.raised)
    let table = [("tracker", tracked), ("plain list and dictionary", bare)].map { name, times in
      // The first ones were the warm-up.
      let (few, many) = (
        Sample(Array(times[0].dropFirst())).value / rows,
        Sample(Array(times[1].dropFirst())).value / rows
      )
      return [name, String(Int(few)), String(Int(many)), String(Int(many - few))]
    }
    return alignedTable(
      of: [["raising a waiting row, ns", "of 100", "of \(sizes[1])", "difference"]] + table) + "\n"
  }
}

/// A list with prefetched rows that wait for a slot, and will for a while.
@MainActor
private final class WaitingList {
  static let raised = 50

  let host: TrackedHost
  private let rows: [String]
  private let cells = (0..<raised).map { _ in Cell() }

  init(count: Int) {
    rows = Family.rowNames(count)
    host = TrackedHost(prefetchLimit: count)
  }

  func fill() async {
    await host.close()
    host.tracker.prefetch(rows)
    host.tracker.endPass()
  }

  func drain() async {
    host.tracker.cancelPrefetch(rows)
    await host.drain()
  }

  /// Rows at random come on screen, each in a pass of its own; then all is as it was.
  func raiseSome() -> Cost {
    let chosen = rows.shuffledPrefix(cells.count)
    let start = MainTime()
    for (cell, row) in zip(cells, chosen) {
      host.show(row, in: cell)
      host.willDisplay(cell)
      host.tracker.endPass()
    }
    let time = start.elapsed
    for cell in cells {
      host.didEndDisplaying(cell)
      host.tracker.unbind(cell)
    }
    host.tracker.prefetch(chosen)
    host.tracker.endPass()
    return Cost(main: time, process: time, elapsed: time)
  }

  /// The same for a plain list.
  ///
  /// - Returns: Nanoseconds.
  func moveSome(in line: inout BareLine) -> Double {
    let chosen = rows.shuffledPrefix(cells.count)
    let start = MainTime()
    for row in chosen { line.move(row) }
    return start.elapsed
  }
}

extension Array {
  /// Some of the elements, chosen at random, each once at most.
  fileprivate func shuffledPrefix(_ count: Int) -> [Element] {
    var places: Set<Int> = []
    while places.count < Swift.min(count, self.count) { places.insert(.random(in: indices)) }
    return places.map { self[$0] }
  }
}
