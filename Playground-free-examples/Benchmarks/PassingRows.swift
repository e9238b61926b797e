import Foundation

/// A list as far as a row that scrolls past is concerned: cells come on screen and leave it again.
@MainActor
protocol RowHost {
  func show(_ row: String, in cell: Cell)
  func willDisplay(_ cell: Cell)
  func didEndDisplaying(_ cell: Cell)
}

/// What a list shows a row in.
final class Cell {
  var row = ""
  var text = ""
}

/// Rows that scroll past, some in each frame, through a screen that holds a number of them.
@MainActor
struct PassingRows {
  /// A screen of 616 points and rows of 44.
  static let onScreen = 14

  let rows: ArraySlice<String>
  let perFrame: Int

  /// Scrolls all rows through the screen, frame after frame, until the last one has left it.
  ///
  /// New rows come before old ones leave, as in a real list, and cells are used again.
  func pass<Host: RowHost>(through host: Host) async {
    var onScreen: [Cell] = []
    var pool: [Cell] = []
    var rest = rows
    while !rest.isEmpty || !onScreen.isEmpty {
      let coming = rest.prefix(perFrame)
      rest = rest.dropFirst(perFrame)
      for row in coming {
        let cell = pool.popLast() ?? Cell()
        host.show(row, in: cell)
        host.willDisplay(cell)
        onScreen.append(cell)
      }
      let staying = rest.isEmpty ? 0 : Self.onScreen
      let leaving = onScreen.prefix(max(onScreen.count - staying, 0))
      onScreen = Array(onScreen.dropFirst(leaving.count))
      for cell in leaving { host.didEndDisplaying(cell) }
      pool += leaving
      await Self.turn()
    }
  }

  /// Lets the main queue do what was put there before.
  static func turn() async { await Task.yield() }
}
