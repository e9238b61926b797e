import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

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
    write("\r\u{1b}[K" + Self.fitted(line, columns: columns))
  }

  func clear() {
    if isInteractive { write("\r\u{1b}[K") }
  }

  /// Says something for good.
  func say(_ sentence: String) {
    clear()
    write("fling: \(sentence)\n")
  }

  /// Says something that only a person needs.
  func hint(_ sentence: String) {
    if isInteractive { say(sentence) }
  }

  /// As much of a line as leaves the last column free, so that the terminal does not break it.
  nonisolated static func fitted(_ line: String, columns: Int) -> String {
    String(line.prefix(max(columns - 1, 0)))
  }

  private var columns: Int {
    var size = winsize()
    guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  private func write(_ text: String) {
    // A failure here has no place to be printed.
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }
}
