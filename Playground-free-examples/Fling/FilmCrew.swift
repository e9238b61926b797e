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
  private var takes: [FilmTake] = []
  /// A sentence that says where a row comes from.
  private(set) var sentence: (Int) -> String? = { _ in nil }

  init(options: Options, place: Place) {
    self.options = options
    self.place = place
  }

  var recordings: [Recording] { takes.map(\.recording) }

  /// The figures of each take.
  var figures: [(name: String, figures: Figures)] {
    // All replies of a server together show what its documents mean.
    let numbers = RowNumbers(takes.map(\.replies))
    return takes.map { ($0.recording.name, $0.figures(numbers)) }
  }

  /// Runs the takes one after the other, so that neither disturbs the other one.
  ///
  /// - Parameter onFrame: Called after each frame, with the takes so far.
  mutating func shoot(onFrame: @escaping ([Recording]) -> Void) async throws {
    for kind in Kind.allCases {
      let (source, origin) = try place.open(options)
      sentence = source.sentence
      defer { origin?.stop() }
      let events = FilmEvents()
      let feed: any Feed =
        switch kind {
        case .recipe: RecipeFeed(source, options, onEvent: events.record)
        case .tracker: try TrackedFeed(source, options, onEvent: events.record)
        }
      let take = FilmTake(name: kind.name, feed: feed, source: source, events: events)
      let before = recordings
      take.onFrame = { onFrame(before + [$0]) }
      await take.run(FilmCourse(velocity: options.velocity))
      takes.append(take)
    }
  }
}
