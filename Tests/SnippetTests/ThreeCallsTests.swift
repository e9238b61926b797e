import Foundation
import RowOperations
import RowOperationsTesting
import Testing

// The declarations that the three calls of "Lists that you connect yourself" need, and below them
// the calls themselves, as the article has them.

private struct Photo: Identifiable {
  let id: Int
}

private struct UIImage: Hashable {
  let photo: Photo.ID
}

private final class PhotoCell {
  private(set) var shown: [UIImage?] = []

  func show(_ image: UIImage?) { shown.append(image) }
}

#if !canImport(UIKit)
  extension IndexPath {
    fileprivate var row: Int { self[1] }
  }
#endif

private let gate = LoadGate<Photo.ID, UIImage>(stopsWhenCancelled: false)

private func thumbnail(of id: Photo.ID) async throws -> UIImage {
  try await gate.load(UpdateContext<Photo.ID, UIImage>(token: RowToken(row: id, generation: 0)))
}

@MainActor
private final class PhotoList {
  let ids: [Photo.ID]

  init(_ ids: Range<Photo.ID>) { self.ids = Array(ids) }

  let tracker = DisplayTracker<Photo.ID, UIImage> { try await thumbnail(of: $0.row) }

  func cellForRow(at path: IndexPath, _ cell: PhotoCell) {
    tracker.bind(cell, to: ids[path.row]) { cell, phase in cell.show(phase.value) }
  }
  func willDisplay(_ cell: PhotoCell) { tracker.willDisplay(cell) }
  func didEndDisplaying(_ cell: PhotoCell) { tracker.didEndDisplaying(cell) }
}

extension PhotoList {
  /// A pass in which a row comes on screen.
  fileprivate func display(_ row: Int, in cell: PhotoCell) {
    cellForRow(at: IndexPath(indexes: [0, row]), cell)
    willDisplay(cell)
    tracker.endPass()
  }

  /// A pass in which a cell leaves the screen.
  fileprivate func end(_ cell: PhotoCell) {
    didEndDisplaying(cell)
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
    let list = PhotoList(0..<10)
    let cell = PhotoCell()
    list.display(1, in: cell)
    await gate.waitForLoads([1])
    list.end(cell)
    list.display(2, in: cell)
    await gate.waitForLoads([1, 2])
    // The first load ends although its row has left.
    gate.open(1, with: UIImage(photo: 1))
    gate.open(2, with: UIImage(photo: 2))
    await list.tracker.waitUntilIdle()
    #expect(cell.shown.compactMap { $0 } == [UIImage(photo: 2)])
  }

  @Test("Rows that left the screen are not loaded")
  func noWastedWork() async {
    let list = PhotoList(100..<120)
    let cells = (0..<20).map { _ in PhotoCell() }
    // As many as the tracker has slots.
    for row in 0..<6 { list.display(row, in: cells[row]) }
    await gate.waitForLoads(Set(100..<106))
    for row in 6..<19 {
      list.display(row, in: cells[row])
      list.end(cells[row])
    }
    list.display(19, in: cells[19])
    gate.openAll { UIImage(photo: $0) }
    await gate.waitForLoads([119])
    gate.openAll { UIImage(photo: $0) }
    await list.tracker.waitUntilIdle()
    #expect(
      gate.log.began.map(\.row).filter { $0 >= 100 }.sorted() == [
        100, 101, 102, 103, 104, 105, 119,
      ])
    #expect(cells[19].shown.last == UIImage(photo: 119))
  }
}
