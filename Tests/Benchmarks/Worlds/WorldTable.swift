import Foundation

/// The results of every loader in every world, next to the bound for all loaders.
@MainActor
struct WorldTable {
  struct Line: Sendable {
    let world: World
    let loader: String
    let outcome: WorldTrial.Outcome
  }

  let title: String
  let lines: [Line]
  /// The bound of blank time in each world.
  private let leastBlank: [World: Double]

  /// - Parameter sessions: The number of sessions in each browsing world.
  init(_ effort: Effort, _ setting: World.Setting, sessions: Int) {
    title = setting.name
    var lines: [Line] = []
    var leastBlank: [World: Double] = [:]
    for world in World.lists(effort, sessions: sessions).map({ $0.with(setting) }) {
      for loader in Loader.all {
        let trials = WorldTrial.trials(world, loader)
        lines.append(Line(world: world, loader: loader.name, outcome: trials.outcome))
        if loader.name == Loader.adaptive.name { leastBlank[world] = trials.leastBlank }
      }
    }
    (self.lines, self.leastBlank) = (lines, leastBlank)
  }

  var text: String {
    let head = [
      "world", "by", "started", "wasted", "blank row-s", "clairvoyant", "missing at rest",
      "ms to full",
    ]
    let cells = lines.map { line in
      let outcome = line.outcome
      return [
        line.world.name, line.loader, String(outcome.started), String(outcome.wasted),
        Self.rowSeconds(outcome.blank), Self.rowSeconds(leastBlank[line.world] ?? 0),
        String(outcome.missingAtRest),
        String(Int(outcome.timeToFull / Double(max(outcome.stops, 1)))),
      ]
    }
    return "\(title)\n" + alignedTable(of: [head] + cells, namesIn: 2)
  }

  private static func rowSeconds(_ milliseconds: Double) -> String {
    String(format: "%.2f", milliseconds / 1000)
  }
}
