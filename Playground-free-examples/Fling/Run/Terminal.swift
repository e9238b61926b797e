import Console
import Foundation

/// The line of progress on the terminal, written over and over.
@MainActor
struct Terminal {
  private let isInteractive = isatty(STDERR_FILENO) == 1
  private var lastLine: ContinuousClock.Instant?

  mutating func show(_ line: String) {
    let now = ContinuousClock.now
    if let lastLine, lastLine.duration(to: now) < .milliseconds(50) { return }
    guard isInteractive else { return }
    lastLine = now
    // The last column stays free, so that the terminal does not break the line.
    write("\r\u{1b}[K" + line.prefix(max(columns - 1, 0)))
  }

  func clear() {
    if isInteractive { write("\r\u{1b}[K") }
  }

  /// Says something for good.
  func say(_ sentence: String) {
    Screen.leave()
    clear()
    Console.say(sentence, by: "fling")
  }

  /// Says something that only a person needs.
  func hint(_ sentence: String) {
    if isInteractive { say(sentence) }
  }

  private var columns: Int {
    var size = winsize()
    guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  private func write(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }
}
