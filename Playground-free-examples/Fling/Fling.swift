import Console
import Foundation

/// Flings a list whose rows load over HTTP, and reports the figures.
@main
@MainActor
enum Fling {
  private static var terminal = Terminal()
  private static var interrupts: (any DispatchSourceProtocol)?
  /// The run that goes on, which the first Ctrl-C ends early.
  private static weak var scenario: Scenario?
  private static var isInterrupted = false

  static func main() async {
    do {
      try checkOutput()
      let options = try Options.parse(Array(CommandLine.arguments.dropFirst()))
      if options.showsHelp { return try printOrFail(Options.help) }
      for path in [options.picture, options.film].compactMap(\.self) { try checkFile(path) }
      // A proxy would not reach the server, which is on this machine.
      setenv("no_proxy", "*", 1)
      // A screen has a way of its own to end.
      if !options.watches { interrupts = signalSource(SIGINT) { interrupt() } }
      let verdict = try await options.showsRows ? Film.make(options) : run(options)
      for remark in verdict.remarks { terminal.say(remark) }
      exit(verdict.exitStatus)
    } catch {
      quit("\(error)", 2)
    }
  }

  private static func quit(_ reason: String, _ status: Int32) -> Never {
    terminal.say(reason)
    exit(status)
  }

  private static func interrupt() {
    guard !isInterrupted, let scenario else { quit("interrupted", 130) }
    isInterrupted = true
    scenario.interrupt()
  }

  private static func run(_ options: Options) async throws -> Verdict {
    if options.compares {
      terminal.hint("The scroll runs twice, which takes about a minute.")
      try await warmUp(options)
    }
    // A recording may go into a pipe whose reader ends.
    if options.recording != nil { _ = signal(SIGPIPE, SIG_IGN) }
    var runs: [Run] = []
    for kind in options.compares ? FeedKind.allCases.reversed() : [.tracker] where !isInterrupted {
      let source = try RowSource(options)
      defer { source.stop() }
      let log = FeedLog()
      let feed = try kind.feed(source, options, log)
      let scenario = Scenario(feed: feed, log: log, source: source, options: options)
      let prefix = options.compares ? "\(kind.name): " : ""
      scenario.onProgress = { terminal.show(prefix + $0) }
      self.scenario = scenario
      await scenario.run()
      try feed.endRecording()
      runs.append(Run(name: kind.name, figures: scenario.figures, timeline: log.timeline))
    }
    terminal.clear()
    let report = Report(runs: runs, isInterrupted: isInterrupted)
    let verdict = Verdict(runs, isInterrupted, expectsFailures: options.failures > 0)
    let text = [report.table, verdict.summary].compactMap(\.self).joined(separator: "\n\n")
    try printOrFail(options.printsJSON ? report.json : text)
    if let path = options.picture {
      let picture = TimelinePicture(runs.map { ($0.name, $0.timeline.closed()) })
      try writeFile(picture.svg, to: path)
      terminal.hint("The picture is in \(path).")
    }
    return verdict
  }

  /// Loads a few rows, which are not counted.
  ///
  /// The first loads of a process take longer, and would count for the list that runs first.
  private static func warmUp(_ options: Options) async throws {
    var options = options
    options.recording = nil
    options.rows = min(options.rows, options.slots)
    let source = try RowSource(options)
    defer { source.stop() }
    let log = FeedLog()
    let feed = try FeedKind.tracker.feed(source, options, log)
    await FilmTake(name: "", feed: feed, log: log, count: options.rows)
      .run(FilmCourse(flings: [], duration: 0))
  }
}
