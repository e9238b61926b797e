import Foundation
import RowOperations
import RowOperationsTesting
import Testing

// The declarations that the three calls of "Lists that you connect yourself" need, and below them
// the calls themselves, as the article has them.

private struct Photo: Identifiable {
  let id: Int
}

private struct Thumbnail: Hashable {
  let photo: Photo.ID
}

private final class Tile {
  private(set) var drawn: [Thumbnail?] = []

  func draw(_ picture: Thumbnail?) { drawn.append(picture) }
}

private let gate = LoadGate<Photo.ID, Thumbnail>(stopsWhenCancelled: false)

private func thumbnail(of id: Photo.ID) async throws -> Thumbnail {
  try await gate.load(UpdateContext<Photo.ID, Thumbnail>(token: RowToken(row: id, generation: 0)))
}

@MainActor
private final class PhotoWall {
  let tracker = DisplayTracker<Photo.ID, Thumbnail> { try await thumbnail(of: $0.row) }

  func show(_ photo: Photo.ID, in tile: Tile) {
    tracker.bind(tile, to: photo) { tile, phase in tile.draw(phase.value) }
  }
  func tileAppeared(_ tile: Tile) { tracker.willDisplay(tile) }
  func tileLeft(_ tile: Tile) { tracker.didEndDisplaying(tile) }
}

extension PhotoWall {
  /// A pass in which a photo comes on screen.
  fileprivate func display(_ photo: Photo.ID, in tile: Tile) {
    show(photo, in: tile)
    tileAppeared(tile)
    tracker.endPass()
  }

  /// A pass in which a tile leaves the screen.
  fileprivate func end(_ tile: Tile) {
    tileLeft(tile)
    tracker.endPass()
  }
}

@Suite("Three calls connect any list", .serialized, .timeLimit(.minutes(10)))
@MainActor
struct ThreeCallsTests {
  @Test("The calls are those of the article")
  func quote() {
    let here = Document.lines(of: "Tests/SnippetTests/ThreeCallsTests.swift")
    let isQuoted = Document.texts.flatMap { $0.blocks("swift") }.contains { block in
      let quoted = block.lines.map { $0.isEmpty ? "" : "  " + $0 }
      return block.path.hasSuffix("OtherLists.md")
        && here.indices.contains { here[$0...].starts(with: quoted) }
    }
    #expect(isQuoted)
  }

  @Test("The cell shows the value of the row that it is bound to, and of no other")
  func neverTheWrongRow() async {
    let wall = PhotoWall()
    let tile = Tile()
    wall.display(1, in: tile)
    await gate.waitForLoads([1])
    wall.end(tile)
    wall.display(2, in: tile)
    await gate.waitForLoads([1, 2])
    // The first load ends although its row has left.
    gate.open(1, with: Thumbnail(photo: 1))
    gate.open(2, with: Thumbnail(photo: 2))
    await wall.tracker.waitUntilIdle()
    #expect(tile.drawn.compactMap { $0 } == [Thumbnail(photo: 2)])
  }

  @Test("Rows that left the screen are not loaded")
  func noWastedWork() async {
    let wall = PhotoWall()
    let tiles = (100..<120).map { _ in Tile() }
    // As many as the tracker has slots.
    for place in 0..<6 { wall.display(100 + place, in: tiles[place]) }
    await gate.waitForLoads(Set(100..<106))
    for place in 6..<19 {
      wall.display(100 + place, in: tiles[place])
      wall.end(tiles[place])
    }
    wall.display(119, in: tiles[19])
    gate.openAll { Thumbnail(photo: $0) }
    await gate.waitForLoads([119])
    gate.openAll { Thumbnail(photo: $0) }
    await wall.tracker.waitUntilIdle()
    #expect(
      gate.log.began.map(\.row).filter { $0 >= 100 }.sorted() == [
        100, 101, 102, 103, 104, 105, 119,
      ])
    #expect(tiles[19].drawn.last == Thumbnail(photo: 119))
  }
}
