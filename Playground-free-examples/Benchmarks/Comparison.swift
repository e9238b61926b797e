import Foundation
import RowOperations

/// What is measured without a limit, in nanoseconds of this machine.
@MainActor
enum Comparison {
  /// A row that scrolls past: the tracker, the plain recipe, plain tasks, and the least that any
  /// bookkeeping takes.
  static func passingRows(_ effort: Effort) async -> String {
    let rows = Family.rowNames(effort.size(1000))
    let (tracked, recipe, tasks) = (TrackedHost(), RecipeHost(), TaskHost())
    let books = BareBooks()
    var costs: [[Cost]] = [[], [], [], []]
    for _ in 0...effort.repetitions(15) {
      await tracked.close()
      costs[0].append(
        await PassingRows.pass(rows[...], through: tracked) { await tracked.drain() })
      tracked.forgetHeld()
      recipe.close()
      costs[1].append(
        await PassingRows.pass(rows[...], through: recipe) { await recipe.drain() })
      recipe.forgetHeld()
      costs[2].append(
        await PassingRows.pass(rows[...], through: tasks) { await tasks.drain() })
      costs[3].append(await PassingRows.pass(rows[...], through: books))
    }
    let names = ["tracker", "plain recipe", "plain tasks", "bare books, no loads"]
    let lines = zip(names, costs).map { name, costs in
      // The first one was the warm-up.
      let (main, all) = (costs.dropFirst().map(\.main), costs.dropFirst().map(\.process))
      return [name, perRow(main, rows.count), perRow(all, rows.count)]
    }
    return alignedTable(
      of: [["a row that scrolls past, ns", "main thread", "all threads"]] + lines) + "\n"
  }

  /// A row that scrolls past, among more and more rows whose values are kept.
  static func listLengths(_ effort: Effort) async -> String {
    var lines = [["rows kept", "not kept, ns", "kept, ns"]]
    for count in [1000, 10_000, 100_000, 1_000_000] {
      let list = RetainedList(count: effort.size(count))
      await list.fill()
      await list.host.close()
      let strangers = (0..<1000).map { "new \($0)" }
      var (unknown, known): ([Double], [Double]) = ([], [])
      for _ in 0..<effort.repetitions(15) {
        unknown.append(
          await PassingRows.pass(strangers[...], through: list.host).main)
        let rows = list.nextRows()
        known.append(
          await PassingRows.pass(rows, through: list.host).main
            * Double(strangers.count) / Double(rows.count))
      }
      await list.host.drain()
      lines.append([
        String(count), perRow(unknown, strangers.count), perRow(known, strangers.count),
      ])
    }
    return alignedTable(of: lines) + "\n"
  }

  private static func perRow(_ times: [Double], _ rows: Int) -> String {
    String(Int(Sample(times).value / Double(rows)))
  }
}
