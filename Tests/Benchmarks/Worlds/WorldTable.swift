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
        if loader.name == Loader.adaptive.name { leastBlank[world] = trials.clairvoyant().least }
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

  /// A line as JSON shows it.
  private struct Record: Encodable {
    let setting: String
    let world: String
    let isFling: Bool
    let loader: String
    let started: Int
    let wasted: Int
    /// In row-seconds, like the bound.
    let blank: Double
    let clairvoyant: Double
  }

  /// The lines of some tables, as JSON.
  static func json(_ tables: [WorldTable]) throws -> String {
    let records = tables.flatMap { table in
      table.lines.map { line in
        Record(
          setting: table.title, world: line.world.name, isFling: line.world.isFling,
          loader: line.loader, started: line.outcome.started, wasted: line.outcome.wasted,
          blank: line.outcome.blank / 1000,
          clairvoyant: (table.leastBlank[line.world] ?? 0) / 1000)
      }
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    return String(decoding: try encoder.encode(records), as: UTF8.self)
  }

  private static func rowSeconds(_ milliseconds: Double) -> String {
    String(format: "%.2f", milliseconds / 1000)
  }
}
