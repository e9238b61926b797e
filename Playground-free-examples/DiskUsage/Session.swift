import Foundation

/// A terminal and the browser that it shows.
@MainActor
final class Session {
  /// The shortest time between two frames, in seconds.
  private static let frameTime = 0.033

  private let browser: Browser
  private let isColored = ProcessInfo.processInfo.environment["NO_COLOR", default: ""].isEmpty
  private var terminal: Terminal?
  private var keys = KeyReader()
  private var lastFrame = DispatchTime(uptimeNanoseconds: 0)
  private var isFrameRequested = false
  private var end: CheckedContinuation<Void, Never>?

  /// - Parameter isLive: Whether rows on screen stay up to date.
  init(_ listing: Listing, isLive: Bool) {
    browser = Browser(listing, live: isLive ? RowChanges.Rules() : nil)
  }

  /// Returns when a person quits.
  func run() async {
    let terminal = Terminal(
      onBytes: { [weak self] in self?.typed($0) },
      onResize: { [weak self] in
        self?.terminal?.forget()
        self?.requestFrame()
      })
    self.terminal = terminal
    browser.onChange = { [weak self] in self?.requestFrame() }
    terminal.open()
    requestFrame()
    await withCheckedContinuation { end = $0 }
    terminal.close()
  }

  private func typed(_ bytes: [UInt8]) {
    for key in bytes.isEmpty ? [.quit] : keys.read(bytes) {
      guard key != .quit else {
        end?.resume()
        end = nil
        return
      }
      browser.press(key)
    }
  }

  private func requestFrame() {
    guard !isFrameRequested else { return }
    isFrameRequested = true
    // The effect of a key shows at once, a burst of values in a few frames.
    DispatchQueue.main.asyncAfter(deadline: max(.now(), lastFrame + Self.frameTime)) {
      [weak self] in
      self?.draw()
    }
  }

  private func draw() {
    guard let terminal, end != nil else { return }
    let size = terminal.size
    browser.height = Frame.rowCount(lines: size.lines)
    browser.layOut()
    let lines = browser.frame.lines(columns: size.columns, lines: size.lines)
    terminal.draw(lines.map { $0.escaped(isColored: isColored) })
    lastFrame = .now()
    isFrameRequested = false
  }
}
