import Foundation
import RowInspector
import RowOperations
import RowOperationsTesting

/// Flings a list whose rows load over HTTP, and reports the figures.
@main
@MainActor
enum Fling {
  private static var terminal = Terminal()
  private static let interrupts = Interrupts { quit("interrupted", 130) }

  /// Where a row comes from, in a sentence.
  private static var sentence: (Int) -> String? = { _ in nil }

  /// Why the scroll ended early.
  private static var earlyEnd: EarlyEnd?

  static func main() async {
    do {
      try checkOutput()
      Proxy.keepAwayFromLocalHosts()
      let options = try Options.parse(Array(CommandLine.arguments.dropFirst()))
      if options.showsHelp { return try printOrFail(Options.help) }
      let outputs = try Outputs(options.outputPaths)
      if options.showsRows { end(with: try await Film.make(options, outputs, interrupts)) }
      if let folder = options.export {
        return try printOrFail(try export(options.rows ?? 10_000, to: folder).report)
      }
      let runs = try await run(options)
      let verdict = try report(runs, options)
      try write(runs, options, to: outputs)
      end(with: verdict)
    } catch {
      quit("\(error)", (error as? Complaint)?.exitStatus ?? 2)
    }
  }

  private static func end(with verdict: Verdict) -> Never {
    for remark in verdict.remarks { terminal.say(remark) }
    exit(verdict.exitStatus)
  }

  /// Ends the process early.
  private static func quit(_ reason: String, _ status: Int32) -> Never {
    WatchScreen.leave()
    terminal.say(reason)
    exit(status)
  }

  private static func export(_ count: Int, to folder: String) throws -> Export {
    defer { terminal.clear() }
    return try Export.write(count, to: folder, isInterrupted: Interrupts.flag()) { written in
      terminal.show("\(written) of \(count) documents written")
    }
  }

  private static func run(_ options: Options) async throws -> [Run] {
    if options.folder != nil { terminal.show("listing the folder") }
    if options.origin != nil { terminal.show("waiting for the server") }
    defer { terminal.clear() }
    let place = try await Place(options)
    if let sentence = place.leftOut { terminal.say(sentence) }
    if options.compares { terminal.hint("The scroll runs twice, which takes about a minute.") }
    if options.compares { try await warmUp(place, options) }
    // A recording may go into a pipe whose reader ends.
    if options.recording != nil { _ = signal(SIGPIPE, SIG_IGN) }
    var ends: [(name: String, scenario: Scenario, tally: LoadTally, timeline: Timeline<Int>)] = []
    for name in options.compares ? ["RowOperations", "The plain recipe"] : ["RowOperations"]
    where earlyEnd == nil {
      let (source, origin) = try place.open(options)
      sentence = source.sentence
      defer { origin?.stop() }
      var tally = LoadTally()
      let record: (TrackerEvent<Int>) -> Void = { tally.record($0) }
      let feed: any Feed =
        ends.isEmpty
        ? try TrackedFeed(source, options, onEvent: record)
        : RecipeFeed(source, options, onEvent: record)
      let scenario = Scenario(feed: feed, source: source, options: options)
      let prefix = options.compares ? "\(name): " : ""
      scenario.onProgress = { terminal.show(prefix + $0) }
      let endScroll: (EarlyEnd) -> Void = { reason in
        earlyEnd = reason
        scenario.interrupt()
      }
      interrupts.begin { endScroll(.interrupted) }
      let memoryWatch = MemoryWatch { endScroll(.outOfMemory) }
      await scenario.run()
      memoryWatch.stop()
      try feed.endRecording()
      ends.append((name, scenario, tally, feed.timeline))
    }
    interrupts.end()
    // All replies of a server together show what its documents mean.
    let numbers = RowNumbers(ends.map(\.scenario.replies))
    return ends.map {
      Run(name: $0.name, figures: $0.scenario.figures($0.tally, numbers), timeline: $0.timeline)
    }
  }

  /// Loads a few rows, which are not counted.
  ///
  /// The first loads of a process take longer, and would count for the list that runs first.
  private static func warmUp(_ place: Place, _ options: Options) async throws {
    let (source, origin) = try place.open(options)
    defer { origin?.stop() }
    var options = options
    options.recording = nil
    let feed = try TrackedFeed(source, options)
    let rows = Array(0..<min(source.count, options.slots))
    let list = ListSimulator(rows: rows, viewport: 616) { feed.handle($0) }
    list.layOut()
    await feed.waitUntilIdle()
  }

  private static func write(_ runs: [Run], _ options: Options, to outputs: Outputs) throws {
    if let path = options.picture {
      try outputs.write(Timeline.svg(runs.map { ($0.name, $0.timeline) }), to: path)
      terminal.hint("The picture is in \(path).")
    }
    if let path = options.trace, let run = runs.first {
      try outputs.write(run.timeline.trace(), to: path)
    }
  }

  /// Prints the figures.
  private static func report(_ runs: [Run], _ options: Options) throws -> Verdict {
    let figures = runs.map { (name: $0.name, figures: $0.figures) }
    let report = Report(runs: figures, end: earlyEnd)
    let verdict = Verdict(
      figures, earlyEnd, expectsFailures: options.failures > 0, origin: sentence)
    let text = [report.table, verdict.summary].compactMap(\.self).joined(separator: "\n\n")
    try printOrFail(options.printsJSON ? report.json : text)
    return verdict
  }
}
