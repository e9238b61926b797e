import RowInspector
import RowOperations
import RowOperationsTesting
import Testing

@testable import fling

@Suite("The scroll of fling", .timeLimit(.minutes(5)))
@MainActor
struct ScenarioTests {
  /// A feed whose rows off screen never load.
  private final class UnfinishedFeed: Feed {
    private let feed: TrackedFeed
    // The second one keeps the stream open.
    private let (idle, becomeIdle) = AsyncStream<Void>.makeStream()

    init(_ feed: TrackedFeed) { self.feed = feed }

    var timeline: Timeline<Int> { feed.timeline }
    var start: ContinuousClock.Instant { feed.start }
    var counts: FeedCounts { feed.counts }
    var wrongRows: Int { feed.wrongRows }

    func handle(_ event: ListEvent<Int>) { feed.handle(event) }

    func content(of cell: SimulatedCell) -> (row: Int, phase: RowPhase<RowDocument>)? {
      feed.content(of: cell)
    }

    func waitUntilIdle() async { for await _ in idle {} }
  }

  @Test("ends at Ctrl-C while rows off screen load")
  func interrupted() async throws {
    let options = try Options.parse(["--rows", "5", "--latency", "0"])
    let (source, origin) = try await Place(options).open(options)
    defer { origin?.stop() }
    let feed = UnfinishedFeed(try TrackedFeed(source, options))
    let scenario = Scenario(feed: feed, source: source, options: options)
    scenario.onProgress = { [weak scenario] in
      if $0.hasPrefix("rows off screen") { scenario?.interrupt() }
    }
    await scenario.run()
    #expect(scenario.isInterrupted)
  }
}
