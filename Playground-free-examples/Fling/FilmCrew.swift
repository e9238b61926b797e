import RowOperations

/// Runs the same course twice, first with the plain recipe, then with a tracker.
@MainActor
struct FilmCrew {
  enum Kind: CaseIterable {
    case recipe, tracker

    var name: String {
      switch self {
      case .recipe: "The plain recipe"
      case .tracker: "RowOperations"
      }
    }
  }

  let options: Options
  let place: Place
  private(set) var recordings: [Recording] = []
  /// How many values were rendered into cells of other rows.
  private(set) var wrongRows = 0

  init(options: Options, place: Place) {
    self.options = options
    self.place = place
  }

  /// Runs the takes one after the other, so that neither disturbs the other one.
  ///
  /// - Parameter onFrame: Called after each frame, with the takes so far.
  mutating func shoot(onFrame: @escaping ([Recording]) -> Void) async throws {
    for kind in Kind.allCases {
      let (source, origin) = try place.open(options)
      defer { origin?.stop() }
      let take = FilmTake(name: kind.name)
      let before = recordings
      take.onFrame = { onFrame(before + [$0]) }
      let record: (TrackerEvent<Int>) -> Void = { take.record($0) }
      let feed: any Feed =
        switch kind {
        case .recipe: RecipeFeed(source, options, onEvent: record)
        case .tracker: try TrackedFeed(source, options, onEvent: record)
        }
      await take.run(FilmCourse(velocity: options.velocity), over: feed, rowCount: source.count)
      recordings.append(take.recording)
      wrongRows += feed.wrongRows
    }
  }
}
