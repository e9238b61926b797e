import Foundation
import RowOperations
import RowOperationsTesting
import Testing

@testable import fling

@Suite("The runs of fling", .timeLimit(.minutes(2)))
@MainActor
struct RunTests {
  /// The figures of the first screen, with a server that is at fault.
  private func figures(
    _ kind: FeedKind, _ answer: @escaping @Sendable (Int) -> Server.Reply
  ) async throws -> Figures {
    let source = try RowSource(
      Server { answer(Int($0.dropFirst(RowServer.path(of: 0).count - 1)) ?? 0) })
    defer { source.stop() }
    var options = Options()
    options.rows = 100
    let log = FeedLog()
    let take = FilmTake(
      name: "A", feed: try kind.feed(source, options, log), log: log, count: 100)
    await take.run(FilmCourse(flings: [], duration: 0))
    #expect(take.recording.frames.count == 1)
    return take.figures(bytes: source.bytes, options)
  }

  nonisolated private static func document(_ row: Int) -> Server.Reply {
    .document((try? JSONEncoder().encode(RowDocument.madeUp(for: row))) ?? Data())
  }

  @Test("find rows on screen that never loaded, with the reasons", arguments: FeedKind.allCases)
  func neverLoaded(kind: FeedKind) async throws {
    let figures = try await figures(kind) { row in
      row.isMultiple(of: 7) ? .failure(status: 404) : Self.document(row)
    }
    // The screen has the rows 0 to 7.
    #expect(figures.neverLoaded == 2 && figures.rowsChecked == 6 && figures.wrongRows == 0)
    #expect((figures.failures["HTTP 404"] ?? 0) >= 2)
  }

  @Test("find rows that show another row's document", arguments: FeedKind.allCases)
  func wrongRows(kind: FeedKind) async throws {
    #expect(try await figures(kind) { Self.document($0 + 1) }.wrongRows >= 8)
    #expect(try await figures(kind) { Self.document($0 == 3 ? 4 : $0) }.wrongRows == 1)
  }

  /// A feed whose rows off screen never load.
  private final class UnfinishedFeed: Feed {
    private let feed: any Feed
    // The second one keeps the stream open.
    private let (idle, becomeIdle) = AsyncStream<Void>.makeStream()

    init(_ feed: any Feed) { self.feed = feed }

    var start: ContinuousClock.Instant { feed.start }
    var counts: FeedCounts { feed.counts }
    var wrongRows: Int { feed.wrongRows }

    func handle(_ event: ListEvent<Int>) { feed.handle(event) }

    func content(of cell: SimulatedCell) -> (row: Int, phase: RowPhase<RowDocument>)? {
      feed.content(of: cell)
    }

    func waitUntilIdle() async { for await _ in idle {} }
  }

  @Test("end at Ctrl-C while rows off screen load")
  func interrupted() async throws {
    let options = try Options.parse(["--rows", "5", "--latency", "0"])
    let source = try RowSource(options)
    defer { source.stop() }
    let log = FeedLog()
    let feed = UnfinishedFeed(try FeedKind.tracker.feed(source, options, log))
    let scenario = Scenario(feed: feed, log: log, source: source, options: options)
    scenario.onProgress = { [weak scenario] in
      if $0.hasPrefix("rows off screen") { scenario?.interrupt() }
    }
    await scenario.run()
    #expect(scenario.isInterrupted && scenario.figures.rowsChecked == 5)
  }
}
