import Foundation

/// The results of every loader in every world.
@MainActor
struct WorldTable {
  struct Line: Sendable {
    let world: World
    let loader: String
    let outcome: WorldTrial.Outcome
  }

  let title: String
  let lines: [Line]

  /// - Parameter sessions: The number of sessions in each browsing world.
  init(_ effort: Effort, _ setting: World.Setting, sessions: Int) {
    title = setting.name
    lines = World.lists(effort, sessions: sessions).map { $0.with(setting) }.flatMap { world in
      Loader.all.map {
        Line(world: world, loader: $0.name, outcome: WorldTrial.run(world, $0))
      }
    }
  }

  var text: String {
    let head = [
      "world", "by", "started", "wasted", "blank row-s", "missing at rest", "ms to full",
    ]
    let cells = lines.map { line in
      let outcome = line.outcome
      return [
        line.world.name, line.loader, String(outcome.started), String(outcome.wasted),
        String(format: "%.2f", outcome.blank / 1000), String(outcome.missingAtRest),
        String(Int(outcome.timeToFull / Double(max(outcome.stops, 1)))),
      ]
    }
    return "\(title)\n" + alignedTable(of: [head] + cells, namesIn: 2)
  }
}
