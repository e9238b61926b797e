import Foundation
import RowOperations

extension Family {
  /// B5: the extra cost of raising a row behind very many others, next to that of a plain list.
  ///
  /// Most of it is access to memory that was not used for long, which no list avoids. The figure
  /// compares differences, so work that does not depend on the number of rows drops out.
  static let waitingRows = Family(id: "B5", title: "raising one of many waiting rows") { effort in
    let times = await RaisingTimes.measure(effort)
    return [
      Entry(
        id: "B5", title: "extra to raise one of 100,000 waiting rows, not 100 / plain list's extra",
        sample: times.extraRatio, limit: 1.5)
    ]
  }
}

extension Comparison {
  /// B5 in nanoseconds.
  static func waitingRows(_ effort: Effort) async -> String {
    let times = await RaisingTimes.measure(effort)
    let lines = [("tracker", times.tracked), ("plain list and dictionary", times.plain)].map {
      name, times in
      let (few, many) = (Sample(times.few).value, Sample(times.many).value)
      return [name, String(Int(few)), String(Int(many)), String(Int(many - few))]
    }
    let size = "of \(effort.size(RaisingTimes.many))"
    return alignedTable(of: [["raising a waiting row, ns", "of 100", size, "difference"]] + lines)
      + "\n"
  }
}

/// The times of raising a row in each round, in nanoseconds.
private struct RaisingTimes {
  struct Sizes {
    var few: [Double] = []
    var many: [Double] = []

    /// The extra time for many rows: a difference of medians, since single pairs are too noisy.
    func extra(_ rounds: Range<Int>) -> Double {
      Sample(Array(many[rounds])).value - Sample(Array(few[rounds])).value
    }
  }

  static let many = 100_000

  var tracked = Sizes()
  var plain = Sizes()

  /// The tracker's extra time over the plain list's; the spread is that of ten parts of the rounds.
  var extraRatio: Sample {
    let rounds = tracked.many.count
    let parts = (0..<10).map { rounds * $0 / 10..<rounds * ($0 + 1) / 10 }
    let ratios = parts.filter { !$0.isEmpty }.map(ratio)
    return Sample(value: ratio(0..<rounds), low: ratios.min() ?? .nan, high: ratios.max() ?? .nan)
  }

  private func ratio(_ rounds: Range<Int>) -> Double {
    tracked.extra(rounds) / plain.extra(rounds)
  }

  @MainActor
  static func measure(_ effort: Effort) async -> RaisingTimes {
    let few = WaitingList(count: 100)
    let many = WaitingList(count: effort.size(Self.many))
    for list in [few, many] { await list.fill() }
    var times = RaisingTimes()
    for round in 0...effort.repetitions(200) {
      var next = RaisingTimes()
      // Slow changes, such as those of a processor's clock, affect all alike.
      for isMany in round.isMultiple(of: 2) ? [true, false] : [false, true] {
        let list = isMany ? many : few
        let path: WritableKeyPath<Sizes, [Double]> = isMany ? \.many : \.few
        next.tracked[keyPath: path].append(list.raiseSome())
        next.plain[keyPath: path].append(list.raiseSomePlainly())
      }
      // The first round is the warm-up.
      if round > 0 { times.append(next) }
    }
    for list in [few, many] { await list.drain() }
    return times
  }

  private mutating func append(_ round: RaisingTimes) {
    tracked.few += round.tracked.few
    tracked.many += round.tracked.many
    plain.few += round.plain.few
    plain.many += round.plain.many
  }
}

/// A list with prefetched rows that wait for a slot, and a plain list of the same rows.
@MainActor
private final class WaitingList {
  private static let raised = 50

  private let host: TrackedHost
  private let rows: [String]
  private var line: PlainLine
  private let cells = (0..<raised).map { _ in Cell() }

  init(count: Int) {
    rows = Family.rowNames(count)
    host = TrackedHost(prefetchLimit: count)
    line = PlainLine(rows)
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

  /// Shows random rows, each in a pass of its own; then all wait again.
  ///
  /// - Returns: Nanoseconds for each raised row.
  func raiseSome() -> Double {
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
    return time / Double(chosen.count)
  }

  /// Does the same with the plain list.
  func raiseSomePlainly() -> Double {
    let chosen = rows.shuffledPrefix(cells.count)
    let start = MainTime()
    for row in chosen { line.raise(row) }
    let time = start.elapsed
    for row in chosen { line.lower(row) }
    return time / Double(chosen.count)
  }
}

extension Array {
  /// Random elements, each at most once.
  fileprivate func shuffledPrefix(_ count: Int) -> [Element] {
    var chosen: Set<Int> = []
    while chosen.count < Swift.min(count, self.count) { chosen.insert(.random(in: indices)) }
    return chosen.map { self[$0] }
  }
}
