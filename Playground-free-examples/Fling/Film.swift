import Foundation

/// Shows two runs as they look: in the terminal, in a film, or both.
@MainActor
enum Film {
  static func make(
    _ options: Options, _ outputs: Outputs, _ interrupts: Interrupts
  ) async throws -> Verdict {
    if options.watches, let obstacle = WatchScreen.obstacle { throw Complaint(obstacle) }
    let place = try await Place(options)
    if let sentence = place.leftOut { Terminal().say(sentence) }
    interrupts.begin()
    var crew = FilmCrew(options: options, place: place)
    try await options.watches ? watch(&crew) : runQuietly(&crew)
    interrupts.end()
    if let film = options.film {
      let picture = FilmPicture.svg(crew.recordings, conditions: options.filmConditions)
      try outputs.write(picture, to: film)
    }
    let figures = crew.figures
    try printOrFail(
      FilmSummary.text(zip(crew.recordings, figures).map { ($0, $1.figures) }))
    return Verdict(
      figures, nil, expectsFailures: options.failures > 0, origin: crew.sentence)
  }

  private static func watch(_ crew: inout FilmCrew) async throws {
    let screen = WatchScreen()
    // As Ctrl-C does.
    screen.onQuit = { kill(getpid(), SIGINT) }
    screen.open()
    defer { screen.close() }
    let isColored = ProcessInfo.processInfo.environment["NO_COLOR", default: ""].isEmpty
    try await crew.shoot { recordings in
      let frame = WatchFrame(names: FilmCrew.Kind.allCases.map(\.name), recordings: recordings)
      let (columns, lines) = screen.size
      screen.draw(
        frame.lines(columns: columns, lines: lines).map { $0.escaped(isColored: isColored) })
    }
  }

  private static func runQuietly(_ crew: inout FilmCrew) async throws {
    var terminal = Terminal()
    defer { terminal.clear() }
    try await crew.shoot { recordings in
      guard let recording = recordings.last else { return }
      guard let frame = recording.frames.last else {
        return terminal.show("\(recording.name): \(Recording.beforeFirstFrame)")
      }
      terminal.show(
        "\(recording.name): \(RowLook.blankText(recording.blankRows(in: frame))) after "
          + String(format: "%.1f s", frame.time))
    }
  }
}
