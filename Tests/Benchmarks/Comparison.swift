import Foundation
import RowOperations

/// Measurements without a limit, in nanoseconds of this machine.
@MainActor
enum Comparison {
  /// A row that scrolls past: the tracker, the plain recipe, plain tasks, and a bare table.
  static func passingRows(_ effort: Effort) async -> String {
    let rows = Family.rowNames(effort.size(1000))
    let (tracked, recipe, tasks) = (TrackedHost(), RecipeHost(), TaskHost())
    let table = BareTable()
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
      costs[3].append(await PassingRows.pass(rows[...], through: table))
    }
    let names = ["tracker", "plain recipe", "plain tasks", "bare table, no loads"]
    let lines = zip(names, costs).map { name, costs in
      // The first round was the warm-up.
      let (main, all) = (costs.dropFirst().map(\.main), costs.dropFirst().map(\.process))
      return [name, perRow(main, rows.count), perRow(all, rows.count)]
    }
    return alignedTable(
      of: [["a row that scrolls past, ns", "main thread", "all threads"]] + lines) + "\n"
  }

  /// The cost of a row that scrolls past among many rows with kept values, in nanoseconds.
  struct ListLength: Sendable {
    let count: Int
    let unknown: Double
    let kept: Double
  }

  /// A row that scrolls past among more and more rows with kept values.
  static func listLengths(_ effort: Effort) async -> [ListLength] {
    var lengths: [ListLength] = []
    for count in [1000, 10_000, 100_000, 1_000_000].map({ effort.size($0) }) {
      let list = RetainedList(count: count)
      await list.fill()
      await list.host.close()
      let strangers = (0..<1000).map { "new \($0)" }
      var (unknown, kept): ([Double], [Double]) = ([], [])
      for _ in 0..<effort.repetitions(15) {
        let cost = await PassingRows.pass(strangers[...], through: list.host)
        unknown.append(cost.main / Double(strangers.count))
        let rows = list.nextRows()
        kept.append(await PassingRows.pass(rows, through: list.host).main / Double(rows.count))
      }
      await list.host.drain()
      lengths.append(
        ListLength(count: count, unknown: Sample(unknown).value, kept: Sample(kept).value))
    }
    return lengths
  }

  static func table(of lengths: [ListLength]) -> String {
    let lines = lengths.map { [String($0.count), String(Int($0.unknown)), String(Int($0.kept))] }
    return alignedTable(of: [["rows kept", "not kept, ns", "kept, ns"]] + lines) + "\n"
  }

  private static func perRow(_ times: [Double], _ rows: Int) -> String {
    String(Int(Sample(times).value / Double(rows)))
  }
}
