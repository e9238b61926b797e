import Foundation

/// The screen and the keyboard: taken over at first, restored at the end.
@MainActor
final class Terminal {
  /// Selects the alternate screen, hides the cursor, and stops long lines at the margin.
  private static let takeOver = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l"
  nonisolated private static let giveBack: StaticString =
    "\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  private let onBytes: ([UInt8]) -> Void
  private let onResize: () -> Void
  private var sources: [any DispatchSourceProtocol] = []
  /// The lines on the screen.
  private var shown: [String] = []

  /// - Parameters:
  ///   - onBytes: Called with typed bytes, or with none when the terminal is gone.
  ///   - onResize: Called when the size has changed or the screen needs a new drawing.
  init(onBytes: @escaping ([UInt8]) -> Void, onResize: @escaping () -> Void) {
    self.onBytes = onBytes
    self.onResize = onResize
  }

  /// Why nothing can be shown; `nil` if there is a terminal.
  static var obstacle: String? {
    obstacle(
      isTerminal: isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1,
      type: ProcessInfo.processInfo.environment["TERM"])
  }

  nonisolated static func obstacle(isTerminal: Bool, type: String?) -> String? {
    guard isTerminal else { return "There is no terminal to show it in" }
    return type == "dumb" ? "The terminal cannot move its cursor, as TERM is 'dumb'" : nil
  }

  var size: (columns: Int, lines: Int) {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  func open() {
    tcgetattr(STDIN_FILENO, &Self.before)
    watchSignals()
    enter()
    let input = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .main)
    input.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.read() } }
    sources.append(input)
    input.activate()
  }

  func close() {
    for source in sources { source.cancel() }
    Self.leave()
  }

  /// Writes the lines that differ from those on the screen.
  func draw(_ lines: [String]) {
    var output = ""
    for (index, line) in lines.enumerated() where index >= shown.count || shown[index] != line {
      output += "\u{1B}[\(index + 1);1H\u{1B}[K" + line
    }
    if lines.count < shown.count { output += "\u{1B}[\(lines.count + 1);1H\u{1B}[J" }
    shown = lines
    write(output)
  }

  /// Clears the screen, since the terminal has moved its lines around.
  func forget() {
    shown = []
    write("\u{1B}[2J")
  }

  // MARK: Taking over and restoring

  /// The terminal's settings before.
  ///
  /// Unsafe: `open` writes it once, before anything reads it.
  nonisolated(unsafe) private static var before = termios()

  private func enter() {
    var raw = Self.before
    cfmakeraw(&raw)
    // Ctrl-C and Ctrl-Z stay signals.
    raw.c_lflag |= tcflag_t(ISIG)
    raw.c_oflag |= tcflag_t(OPOST)
    tcsetattr(STDIN_FILENO, TCSANOW, &raw)
    shown = []
    write(Self.takeOver)
  }

  /// Makes only calls that are safe in a signal handler.
  nonisolated private static func leave() {
    _ = Foundation.write(STDOUT_FILENO, giveBack.utf8Start, giveBack.utf8CodeUnitCount)
    tcsetattr(STDIN_FILENO, TCSANOW, &before)
  }

  private func watchSignals() {
    // The first four have sources of their own below, which begin a little later.
    let ends = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
    for number in ends + [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP] {
      signal(number) { number in
        Terminal.leave()
        signal(number, SIG_DFL)
        raise(number)
      }
    }
    watch([SIGWINCH]) { [weak self] _ in self?.onResize() }
    watch(ends) { number in
      Self.leave()
      // The parent process sees which signal ended this one.
      signal(number, SIG_DFL)
      kill(getpid(), number)
    }
    watch([SIGTSTP]) { _ in
      Self.leave()
      kill(getpid(), SIGSTOP)
    }
    watch([SIGCONT]) { [weak self] _ in
      self?.enter()
      self?.onResize()
    }
  }

  private func watch(_ numbers: [Int32], _ action: @escaping @MainActor (Int32) -> Void) {
    for number in numbers {
      let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
      source.setEventHandler { MainActor.assumeIsolated { action(number) } }
      #if canImport(Darwin)
        // Not before: nobody would receive a signal that is ignored too early. On Linux, Dispatch
        // sets a handler of its own.
        source.setRegistrationHandler { signal(number, SIG_IGN) }
      #endif
      sources.append(source)
      source.activate()
    }
  }

  // MARK: Reading and writing

  private func read() {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = Foundation.read(STDIN_FILENO, &bytes, bytes.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return }
    onBytes(Array(bytes.prefix(max(count, 0))))
  }

  private func write(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count > 0 {
        rest.removeFirst(count)
      } else if errno == EAGAIN {
        var room = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
        poll(&room, 1, -1)
      } else if errno != EINTR {
        return  // The terminal is gone; the next read finds its end of input.
      }
    }
  }
}
