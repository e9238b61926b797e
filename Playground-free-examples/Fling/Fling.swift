import Foundation
import RowOperations

/// Flings a list whose rows load over HTTP, and says what that took.
@main
@MainActor
enum Fling {
  static func main() async {
    do {
      let options = try Options.parse(Array(CommandLine.arguments.dropFirst()))
      if options.showsHelp { return print(Options.help) }
      if let folder = options.export {
        return try OriginContent.export(options.rows ?? 10_000, to: folder)
      }
      let runs = try await run(options)
      try write(runs, options)
      print(try Figures.report(runs.map { ($0.name, $0.figures) }, asJSON: options.printsJSON))
      if runs.contains(where: { $0.figures.wrongRows > 0 }) { exit(1) }
    } catch {
      FileHandle.standardError.write(Data("fling: \(error)\n".utf8))
      exit(2)
    }
  }

  /// A finished run.
  private struct Run {
    let name: String
    let figures: Figures
    let timeline: Timeline<Int>
  }

  private static func run(_ options: Options) async throws -> [Run] {
    // Until the scroll begins, Ctrl-C ends the process as it ends any other.
    let place = try await Place(options)
    var isInterrupted = false
    var running: Scenario?
    var terminal = Terminal {
      isInterrupted = true
      running?.interrupt()
    }
    var runs: [Run] = []
    for name in options.compares ? ["RowOperations", "the plain recipe"] : ["RowOperations"]
    where !isInterrupted {
      let (source, origin) = try place.open(options)
      defer { origin?.stop() }
      let feed: any Feed =
        runs.isEmpty ? TrackedFeed(source, options) : RecipeFeed(source, options)
      let scenario = Scenario(feed: feed, source: source, options: options)
      running = scenario
      scenario.onProgress = { terminal.show($0) }
      await scenario.run()
      terminal.clear()
      runs.append(Run(name: name, figures: scenario.figures, timeline: feed.timeline))
    }
    return runs
  }

  private static func write(_ runs: [Run], _ options: Options) throws {
    if let path = options.picture {
      try write(Timeline.svg(runs.map { ($0.name, $0.timeline) }), to: path)
    }
    if let path = options.trace, let run = runs.first {
      try write(run.timeline.trace(), to: path)
    }
  }

  private static func write(_ text: String, to path: String) throws {
    do {
      try text.write(toFile: path, atomically: true, encoding: .utf8)
    } catch {
      throw Complaint("\(path) cannot be written: does its folder exist?")
    }
  }
}
