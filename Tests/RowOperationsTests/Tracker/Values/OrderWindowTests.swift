import Testing

@testable import RowOperations

@Suite("The window of a list")
struct OrderWindowTests {
  @Test("After a change, a window takes its places back only for the same rows at all positions")
  func restoring() throws {
    let span = try #require(ShownPositions(bounds: 0..<100, shown: 10..<14, prefetches: true))
    let rows = (8..<16).map { OrderWindow.Place.row(RowID(index: $0)) }
    var window = OrderWindow(.init(list: 1), span)
    _ = window.hold(8..<16)
    _ = window.read(rows, at: 8..<16)
    _ = window.settle()
    window.move(to: span, isOtherData: true)
    let isPartTaken = window.restore(rows, at: 8..<15)
    let isWholeTaken = window.restore(rows, at: 8..<16)
    #expect(!isPartTaken && isWholeTaken)
  }
}
