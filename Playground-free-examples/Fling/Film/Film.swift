import Console
import Foundation

/// Shows the same scroll of two lists, filled by the plain recipe and by a tracker: in the
/// terminal, in a film, or both.
@MainActor
enum Film {
  static func make(_ options: Options) async throws -> Verdict {
    if options.watches, let obstacle = Screen.obstacle { throw Complaint(obstacle) }
    var terminal = Terminal()
    let screen = Screen()
    // As Ctrl-C does.
    screen.onBytes = { if $0.isEmpty || $0.contains(UInt8(ascii: "q")) { kill(getpid(), SIGINT) } }
    if options.watches { screen.open() }
    defer { screen.close() }
    let names = FeedKind.allCases.map(\.name)
    var (runs, recordings): ([Run], [Recording]) = ([], [])
    // One after the other, so that neither disturbs the other one.
    for kind in FeedKind.allCases {
      let source = try RowSource(options)
      defer { source.stop() }
      let log = FeedLog()
      let feed = try kind.feed(source, options, log)
      let take = FilmTake(name: kind.name, feed: feed, log: log, count: options.rows)
      let before = recordings
      take.onFrame = { recording in
        guard options.watches else { return terminal.show(progress(of: recording)) }
        let (columns, lines) = screen.size
        let frame = WatchFrame(names: names, recordings: before + [recording])
        screen.draw(frame.lines(columns: columns, lines: lines, isColored: Screen.isColored))
      }
      await take.run(FilmCourse(velocity: options.velocity))
      recordings.append(take.recording)
      runs.append(Run(name: kind.name, figures: take.figures(bytes: source.bytes, options)))
    }
    screen.close()
    terminal.clear()
    if let film = options.film {
      try writeFile(FilmPicture.svg(recordings, conditions: conditions(options)), to: film)
    }
    try printOrFail(summary(of: runs, recordings))
    return Verdict(runs, false, expectsFailures: options.failures > 0)
  }

  private static func progress(of recording: Recording) -> String {
    guard let frame = recording.frames.last else {
      return "\(recording.name): \(Recording.beforeFirstFrame)"
    }
    let blank = RowLook.blankText(recording.blankRows(in: frame))
    return "\(recording.name): \(blank) after " + String(format: "%.1f s", frame.time)
  }

  /// Under which the film is recorded.
  nonisolated static func conditions(_ options: Options) -> [String] {
    [
      "loads take \(options.latency.lowerBound)", "to \(options.latency.upperBound) ms,",
      "\(options.slots) run at once",
    ]
  }

  nonisolated static func summary(of runs: [Run], _ recordings: [Recording]) -> String {
    let blank = runs.map { run in
      "\(run.name): " + String(format: "%.1f s of blank rows in all", run.figures.blankRowSeconds)
    }
    let checked = runs.reduce(0) { $0 + $1.figures.rowsChecked }
    let wrong = runs.reduce(0) { $0 + $1.figures.wrongRows }
    let counts = ["Rows checked in both lists: \(checked)", "Wrong rows in both lists: \(wrong)"]
    let late = recordings.map(\.lateShare).max() ?? 0
    guard late > Recording.mostLate else { return (blank + counts).joined(separator: "\n") }
    let remark =
      "The machine was too busy for the frames, which came late for "
      + "\(Int((late * 100).rounded())) % of the time. The figures say little."
    return (blank + counts + [remark]).joined(separator: "\n")
  }
}
