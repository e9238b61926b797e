import Foundation
import RowOperations
import Testing

@testable import fling

@Suite("A take of a film")
@MainActor
struct FilmTakeTests {
  /// The figures of the first screen, with a server that is at fault.
  private func figures(
    _ kind: FilmCrew.Kind, _ answer: @escaping @Sendable (Int) -> Origin.Reply
  ) async throws -> Figures {
    let origin = try Origin { path in
      answer(Int(path.dropFirst("/rows/".count).dropLast(".json".count)) ?? 0)
    }
    defer { origin.stop() }
    let source = RowSource(
      count: 100, base: try #require(URL(string: "http://127.0.0.1:\(origin.port)")),
      path: "/rows/{row}.json", content: .foreign, slots: 4)
    let options = try Options.parse(["--origin", source.base.absoluteString])
    let events = FilmEvents()
    let feed: any Feed =
      switch kind {
      case .recipe: RecipeFeed(source, options, onEvent: events.record)
      case .tracker: try TrackedFeed(source, options, onEvent: events.record)
      }
    let take = FilmTake(name: "A", feed: feed, source: source, events: events)
    await take.run(FilmCourse(flings: [], duration: 0))
    #expect(take.recording.frames.count == 1)
    return take.figures(RowNumbers([take.replies]))
  }

  nonisolated private static func document(_ row: Int) -> Origin.Reply {
    .document(Data("{\"row\": \(row)}".utf8))
  }

  @Test(
    "counts rows on screen that never loaded, with the reasons", .timeLimit(.minutes(2)),
    arguments: FilmCrew.Kind.allCases)
  func neverLoaded(kind: FilmCrew.Kind) async throws {
    let figures = try await figures(kind) { row in
      row.isMultiple(of: 7) ? .failure(status: 404) : Self.document(row)
    }
    // The screen has the rows 0 to 7.
    #expect(figures.neverLoaded == 2 && figures.firstNeverLoaded == 0)
    #expect((figures.failures["HTTP 404"] ?? 0) >= 2)
    #expect(figures.rowsShown == 6 && figures.rowsChecked == 6 && figures.wrongRows == 0)
    #expect(Verdict([("A", figures)], nil).exitStatus == 1)
  }

  @Test(
    "counts documents of other rows", .timeLimit(.minutes(2)), arguments: FilmCrew.Kind.allCases)
  func otherRows(kind: FilmCrew.Kind) async throws {
    let figures = try await figures(kind) { Self.document($0 + 1) }
    #expect(figures.repliesNamingAnotherRow >= 8 && figures.rowNumbers == .unclear)
    #expect(figures.rowsShown == 8 && figures.rowsChecked == 0 && figures.wrongRows == nil)
    let some = try await self.figures(kind) { Self.document($0 == 3 ? 4 : $0) }
    #expect(some.misnamedReply?.row == 3 && some.repliesNamingAnotherRow == 1)
  }

  @Test("shows its list before the first screen is loaded", .timeLimit(.minutes(2)))
  func loading() async throws {
    // The row loads as soon as the empty list was shown.
    let isShown = DispatchSemaphore(value: 0)
    let origin = try Origin { _ in
      isShown.wait()
      isShown.signal()
      return Self.document(0)
    }
    defer { origin.stop() }
    let source = RowSource(
      count: 1, base: try #require(URL(string: "http://127.0.0.1:\(origin.port)")),
      path: "/rows/{row}.json", content: .foreign, slots: 1)
    let events = FilmEvents()
    let feed = try TrackedFeed(source, Options(), onEvent: events.record)
    let take = FilmTake(name: "A", feed: feed, source: source, events: events)
    var frameCounts: [Int] = []
    take.onFrame = { recording in
      frameCounts.append(recording.frames.count)
      isShown.signal()
    }
    await take.run(FilmCourse(flings: [], duration: 0))
    #expect(frameCounts.first == 0 && frameCounts.last == 1)
  }
}
