import Foundation

/// A list for rows that scroll past: cells come on screen and leave it again.
@MainActor
protocol RowHost {
  func show(_ row: String, in cell: Cell)
  func willDisplay(_ cell: Cell)
  func didEndDisplaying(_ cell: Cell)
}

/// The view of a row in a list.
final class Cell {
  var row = ""
  var text = ""
}

/// Rows that scroll past, some in each frame, through a screen for a number of rows.
@MainActor
final class PassingRows<Host: RowHost> {
  private let host: Host
  private let perFrame: Int
  private var rest: ArraySlice<String>
  private var onScreen: [Cell] = []
  private var pool: [Cell] = []
  private var whenOver: (() -> Void)?
  /// The work of the main queue in each frame, including the turns that follow.
  private var times: [Double] = []

  init(_ rows: ArraySlice<String> = [], perFrame: Int = 8, host: Host) {
    self.host = host
    self.perFrame = perFrame
    rest = rows
  }

  /// Scrolls rows through the screen without the main queue, and leaves the last ones on it.
  ///
  /// - Parameter endFrame: Takes the turn in place of the main queue.
  func scroll(_ rows: ArraySlice<String>, endFrame: @MainActor () -> Void) {
    rest = rows
    while !rest.isEmpty {
      appearNext()
      while onScreen.count > Self.rowsOnScreen { disappear(onScreen.removeFirst()) }
      endFrame()
    }
  }

  /// Scrolls all rows through the screen, frame after frame, until the last one has left it.
  ///
  /// Each frame is a turn of the main queue, as in a real list. So the host's blocks in the main
  /// queue run before the next frame.
  ///
  /// - Parameters:
  ///   - perFrame: How many rows come in a frame; eight in the fastest fling at 120 Hz.
  ///   - drained: Waits until all later work is done; it counts only for the process.
  static func pass(
    _ rows: ArraySlice<String>, perFrame: Int = 8, through host: Host,
    until drained: @MainActor () async -> Void = {}
  ) async -> Cost {
    let passing = PassingRows(rows, perFrame: perFrame, host: host)
    var cost = await cost {
      await withCheckedContinuation { continuation in
        passing.whenOver = { continuation.resume() }
        passing.nextFrame()
      }
    } until: {
      await drained()
    }
    // The main queue may change its thread in a frame, so the measured frames stand for all.
    let told = passing.times.filter { !$0.isNaN }
    cost.main = told.reduce(0, +) * Double(passing.times.count) / Double(told.count)
    return cost
  }

  private func nextFrame() {
    guard !rest.isEmpty || !onScreen.isEmpty else {
      whenOver?()
      return whenOver = nil
    }
    let time = MainTime()
    // New rows come on screen before old rows leave it.
    appearNext()
    while onScreen.count > (rest.isEmpty ? 0 : Self.rowsOnScreen) {
      disappear(onScreen.removeFirst())
    }
    DispatchQueue.main.async {
      self.times.append(time.elapsed)
      self.nextFrame()
    }
  }

  /// Takes all rows off the screen.
  func clear(endFrame: @MainActor () -> Void) {
    while !onScreen.isEmpty { disappear(onScreen.removeFirst()) }
    endFrame()
  }

  /// A screen of 616 points holds 14 rows of 44.
  private static var rowsOnScreen: Int { 14 }

  private func appearNext() {
    for row in rest.prefix(perFrame) { appear(row) }
    rest = rest.dropFirst(perFrame)
  }

  private func appear(_ row: String) {
    let cell = pool.popLast() ?? Cell()
    host.show(row, in: cell)
    host.willDisplay(cell)
    onScreen.append(cell)
  }

  private func disappear(_ cell: Cell) {
    host.didEndDisplaying(cell)
    pool.append(cell)
  }
}
