import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What the person in front of it sees and presses.
@MainActor
struct Terminal {
  private let isInteractive = isatty(STDERR_FILENO) == 1
  private let interrupts: any DispatchSourceSignal
  private var lastLine = ContinuousClock.now

  /// - Parameter onInterrupt: Called at the first Ctrl-C; a second one ends the process.
  init(onInterrupt: @escaping @MainActor () -> Void) {
    signal(SIGINT, SIG_IGN)
    interrupts = DispatchSource.makeSignalSource(signal: SIGINT, queue: .main)
    var count = 0
    interrupts.setEventHandler {
      MainActor.assumeIsolated {
        count += 1
        if count > 1 { exit(130) }
        onInterrupt()
      }
    }
    interrupts.activate()
  }

  /// Shows what is going on, in one line that is written over and over.
  mutating func show(_ line: String) {
    let now = ContinuousClock.now
    guard isInteractive, lastLine.duration(to: now) > .milliseconds(50) else { return }
    lastLine = now
    write("\r\u{1b}[K" + line)
  }

  func clear() {
    if isInteractive { write("\r\u{1b}[K") }
  }

  private func write(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
  }
}
