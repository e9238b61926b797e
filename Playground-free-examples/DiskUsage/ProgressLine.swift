import Foundation

/// A line on standard error, written over and over, if that is a terminal.
struct ProgressLine {
  private let isInteractive = isatty(STDERR_FILENO) == 1
  private var lastTime: ContinuousClock.Instant?

  mutating func show(_ line: String) {
    guard isInteractive else { return }
    let now = ContinuousClock.now
    if let lastTime, lastTime.duration(to: now) < .milliseconds(100) { return }
    lastTime = now
    FileHandle.standardError.write(Data("\r\u{1B}[K\(line)".utf8))
  }

  func clear() {
    if isInteractive { FileHandle.standardError.write(Data("\r\u{1B}[K".utf8)) }
  }
}
