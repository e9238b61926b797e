import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// The terminal's other screen, taken over and given back, also when a signal ends the process.
@MainActor
public final class Screen {
  /// The other screen, no cursor, and no line that runs over into the next one.
  private static let takeOver = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J"
  nonisolated private static let giveBack: StaticString =
    "\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  /// Called with the bytes of keys; with none if the terminal is gone.
  public var onBytes: ([UInt8]) -> Void = { _ in }
  /// Called when all lines must be drawn again.
  public var onResize: () -> Void = {}
  private var sources: [any DispatchSourceProtocol] = []
  private var shown: [String] = []
  private var shownSize = (columns: 0, lines: 0)

  /// A screen that is not yet taken over.
  public init() {}

  /// Why nothing can be shown; `nil` if there is a terminal.
  public static var obstacle: String? {
    obstacle(
      isTerminal: isatty(STDOUT_FILENO) == 1, type: ProcessInfo.processInfo.environment["TERM"])
  }

  nonisolated static func obstacle(isTerminal: Bool, type: String?) -> String? {
    guard isTerminal else { return "It draws in a terminal, but the output goes elsewhere." }
    return type == "dumb" ? "The terminal cannot move its cursor, as TERM is 'dumb'." : nil
  }

  /// Whether colours may be used: see no-color.org.
  public static var isColored: Bool {
    ProcessInfo.processInfo.environment["NO_COLOR", default: ""].isEmpty
  }

  /// How many columns and lines the terminal has.
  public var size: (columns: Int, lines: Int) {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Takes the screen over.
  public func open() {
    Self.readsKeys = isatty(STDIN_FILENO) == 1 && tcgetattr(STDIN_FILENO, &Self.before) == 0
    watchSignals()
    enter()
    guard Self.readsKeys else { return }
    let input = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .main)
    input.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.read() } }
    sources.append(input)
    input.activate()
  }

  /// Gives the screen back.
  public func close() {
    Self.leave()
    for source in sources { source.cancel() }
    sources = []
  }

  /// Writes the lines that differ from those on screen.
  public func draw(_ lines: [String]) {
    var output = ""
    if size != shownSize {
      // The terminal has moved things around.
      (shown, shownSize, output) = ([], size, "\u{1B}[2J")
    }
    for (index, line) in lines.enumerated() where index >= shown.count || shown[index] != line {
      output += "\u{1B}[\(index + 1);1H\u{1B}[K" + line
    }
    if lines.count < shown.count { output += "\u{1B}[\(lines.count + 1);1H\u{1B}[J" }
    shown = lines
    // If the terminal is gone, the next read finds its end.
    if !output.isEmpty { try? FileHandle.standardOutput.write(contentsOf: Data(output.utf8)) }
  }

  // MARK: Taking over and giving back

  /// The terminal's settings before, and whether keys are read.
  // Unsafe: `open` writes both before anything reads them.
  nonisolated(unsafe) private static var before = termios()
  nonisolated(unsafe) private static var readsKeys = false
  // Unsafe: a signal handler may read it between any two steps, as the process ends.
  nonisolated(unsafe) private static var isTaken = false

  private func enter() {
    shownSize = (0, 0)
    Self.isTaken = true
    if Self.readsKeys {
      var settings = Self.before
      // Keys arrive at once and unseen. Ctrl-C and Ctrl-Z stay signals.
      settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
      tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }
    try? FileHandle.standardOutput.write(contentsOf: Data(Self.takeOver.utf8))
  }

  /// Gives the terminal back, if it is taken, with calls that are safe in a signal handler.
  nonisolated public static func leave() {
    guard isTaken else { return }
    isTaken = false
    _ = write(STDOUT_FILENO, giveBack.utf8Start, giveBack.utf8CodeUnitCount)
    if readsKeys { tcsetattr(STDIN_FILENO, TCSANOW, &before) }
  }

  private func watchSignals() {
    // The first four have sources of their own below, which begin a little later.
    let ends = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
    for number in ends + [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP] {
      signal(number) { number in
        Screen.leave()
        signal(number, SIG_DFL)
        raise(number)
      }
    }
    for number in ends {
      watch(number) { _ in
        Self.leave()
        // The parent process sees which signal ended this one.
        signal(number, SIG_DFL)
        kill(getpid(), number)
      }
    }
    watch(SIGTSTP) { _ in
      Self.leave()
      kill(getpid(), SIGSTOP)
    }
    watch(SIGCONT) { screen in
      screen.enter()
      screen.onResize()
    }
    watch(SIGWINCH) { $0.onResize() }
  }

  private func watch(_ number: Int32, _ action: @escaping @MainActor (Screen) -> Void) {
    sources.append(
      signalSource(number) { [weak self] in
        if let self { action(self) }
      })
  }

  private func read() {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = Foundation.read(STDIN_FILENO, &bytes, bytes.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return }
    onBytes(Array(bytes.prefix(max(count, 0))))
  }
}

/// Calls a closure on the main actor when the process gets a signal, in place of its effect.
@MainActor
public func signalSource(
  _ number: Int32, _ action: @escaping @MainActor () -> Void
) -> any DispatchSourceProtocol {
  let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
  source.setEventHandler { MainActor.assumeIsolated(action) }
  #if canImport(Darwin)
    // Not before: nobody would receive a signal that is ignored too early. On Linux, Dispatch sets
    // a handler of its own.
    source.setRegistrationHandler { signal(number, SIG_IGN) }
  #endif
  source.activate()
  return source
}
