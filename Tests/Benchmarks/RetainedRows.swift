import Foundation
import RowOperations

extension Family {
  /// B4: the cost of a row that scrolls past among very many kept values, next to few.
  static let retainedRows = Family(id: "B4", title: "rows among a million kept values") { effort in
    let few = RetainedList(count: 1000)
    let many = RetainedList(count: effort.size(1_000_000))
    for list in [few, many] {
      await list.fill()
      await list.host.close()
    }
    let strangers = (0..<1000).map { "new \($0)" }
    let unknown = await interleave(rounds: effort.repetitions(41)) {
      await PassingRows.pass(strangers[...], through: many.host)
    } _: {
      await PassingRows.pass(strangers[...], through: few.host)
    }
    let known = await interleave(rounds: effort.repetitions(41)) {
      let rows = many.nextRows()
      return await PassingRows.pass(rows, through: many.host)
    } _: {
      let rows = few.nextRows()
      return await PassingRows.pass(rows, through: few.host)
    }
    for list in [few, many] { await list.host.drain() }
    return [
      Entry(
        id: "B4a", title: "a row among 1,000,000 kept ones / 1,000: not kept",
        sample: Sample(unknown.map { $0.a.main / $0.b.main }), limit: 1.2),
      Entry(
        id: "B4b", title: "a row among 1,000,000 kept ones / 1,000: kept",
        sample: Sample(known.map { $0.a.main / $0.b.main }), limit: 2),
    ]
  }
}

/// A list with loaded rows, all kept by its tracker.
@MainActor
final class RetainedList {
  let host = TrackedHost(retention: .all)
  private let rows: [String]
  private var next = 0

  init(count: Int) { rows = Family.rowNames(count) }

  func fill() async {
    for row in rows { host.tracker.setValue(1, for: row) }
    await host.tracker.waitUntilIdle()
  }

  /// The next thousand rows of the list, from anywhere in it, as after a jump.
  func nextRows() -> ArraySlice<String> {
    // This step shares no factor with the lengths here, so it leads everywhere.
    next = (next + 381_619) % max(rows.count - 1000 + 1, 1)
    return rows[next..<next + min(rows.count, 1000)]
  }
}
