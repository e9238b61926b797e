import Foundation

/// The terminal's other screen, taken over and given back.
@MainActor
final class WatchScreen {
  /// The other screen, no cursor, and no line that runs over into the next one.
  private static let takeOver = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J"
  nonisolated private static let giveBack: StaticString =
    "\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  private var input: (any DispatchSourceRead)?
  private var signals: [SignalSource] = []
  private var shown: [String] = []
  private var shownSize = (columns: 0, lines: 0)
  /// Called for the key q.
  var onQuit: () -> Void = {}

  /// Why nothing can be drawn; `nil` if there is a terminal.
  static var obstacle: String? {
    obstacle(
      isTerminal: isatty(STDOUT_FILENO) == 1, type: ProcessInfo.processInfo.environment["TERM"])
  }

  nonisolated static func obstacle(isTerminal: Bool, type: String?) -> String? {
    guard isTerminal else { return "--watch draws in a terminal, but the output goes elsewhere." }
    return type == "dumb"
      ? "--watch needs a terminal that moves its cursor, but TERM is 'dumb'." : nil
  }

  var size: (columns: Int, lines: Int) {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  func open() {
    for number in [SIGTERM, SIGHUP, SIGQUIT] {
      watch(number) {
        Self.leave()
        // The parent process sees which signal ended this one.
        signal(number, SIG_DFL)
        kill(getpid(), number)
      }
    }
    watch(SIGTSTP) {
      Self.leave()
      kill(getpid(), SIGSTOP)
    }
    watch(SIGCONT) { [weak self] in self?.enter() }
    for number in [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP] {
      signal(number) { number in
        WatchScreen.leave()
        signal(number, SIG_DFL)
        raise(number)
      }
    }
    atexit { WatchScreen.leave() }
    let readsKeys = isatty(STDIN_FILENO) == 1 && tcgetattr(STDIN_FILENO, &Self.before) == 0
    Self.readsKeys = readsKeys
    enter()
    if readsKeys { readKeys() }
  }

  private func readKeys() {
    let input = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .main)
    input.setEventHandler { [weak self] in
      MainActor.assumeIsolated {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(STDIN_FILENO, &bytes, bytes.count)
        if count < 0, errno == EINTR || errno == EAGAIN { return }
        // A terminal that is gone has no keys.
        let isGone = count <= 0
        if isGone || bytes.prefix(count).contains(UInt8(ascii: "q")) { self?.onQuit() }
      }
    }
    self.input = input
    input.activate()
  }

  func close() {
    // A signal that comes afterwards finds the terminal as it was.
    Self.leave()
    input?.cancel()
    for source in signals { source.cancel() }
  }

  /// Writes the lines that differ from those on screen.
  func draw(_ lines: [String]) {
    var output = ""
    if size != shownSize {
      // The terminal has moved things around.
      shownSize = size
      shown = []
      output = "\u{1B}[2J"
    }
    for (index, line) in lines.enumerated() where index >= shown.count || shown[index] != line {
      output += "\u{1B}[\(index + 1);1H\u{1B}[K" + line
    }
    shown = lines
    Self.write(output)
  }

  private func watch(_ number: Int32, _ action: @escaping @MainActor () -> Void) {
    signals.append(SignalSource(number, on: .main) { MainActor.assumeIsolated { action() } })
  }

  /// Unsafe: a signal handler may read it between any two steps, as the process ends.
  nonisolated(unsafe) private static var isTakenOver = false

  /// The terminal's settings before, and whether keys are read.
  ///
  /// Unsafe: `open` writes both once, before anything reads them.
  nonisolated(unsafe) private static var before = termios()
  nonisolated(unsafe) private static var readsKeys = false

  private func enter() {
    shown = []
    Self.isTakenOver = true
    if Self.readsKeys {
      var settings = Self.before
      // Keys arrive at once and unseen. Ctrl-C and Ctrl-Z stay signals.
      settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
      tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }
    Self.write(Self.takeOver)
  }

  /// Gives the terminal back, if it was taken over.
  ///
  /// It calls nothing that a signal handler must not call.
  nonisolated static func leave() {
    guard isTakenOver else { return }
    isTakenOver = false
    _ = Foundation.write(STDOUT_FILENO, giveBack.utf8Start, giveBack.utf8CodeUnitCount)
    if readsKeys { tcsetattr(STDIN_FILENO, TCSANOW, &before) }
  }

  private static func write(_ text: String) {
    guard !text.isEmpty else { return }
    // A terminal that is gone ends the process by a signal.
    try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
  }
}
