import Console
import Foundation

/// Shows the contents of a folder in the terminal, and how much room they take.
///
/// It is an example of a list that is neither UIKit's nor SwiftUI's: its cells are lines.
@main
@MainActor
enum DiskUsage {
  static let help = """
    USAGE: disk-usage [--live] [FOLDER]

    Lists a folder (default: the current one), the largest rows first. Rows are
    measured while you look at them, those on screen first. A dim size is one so
    far. Sizes are those of the contents; a file with several names counts for each.
    Symbolic links are not followed.

      ↑ ↓  PgUp  PgDn  Home  End    move
      Enter, →                      open the folder
      Backspace, ←                  go up
      s                             sort by size, or by name
      r                             read and measure again
      q, Ctrl-C                     quit

      --live       Rows on screen are measured again and again: each every two
                   seconds, or more rarely if that takes long.
      -h, --help   This text.

    NO_COLOR shows the bars without colour.
    """

  static func main() async {
    do {
      try checkOutput()
      var (folder, isLive) = (".", false)
      var arguments = Arguments(Array(CommandLine.arguments.dropFirst()), of: "disk-usage")
      while let word = try arguments.next() {
        switch word {
        case "--help", "-h": return try printOrFail(help)
        case "--live": isLive = true
        case _ where word.hasPrefix("-") && word != "-": throw arguments.unknown(word)
        default: folder = word
        }
      }
      let browser = try Browser(Folder(URL(fileURLWithPath: folder).path), isLive: isLive)
      if let obstacle = Screen.obstacle { throw Complaint(obstacle) }
      await Session(browser).run()
    } catch {
      say("\(error)", by: "disk-usage")
      exit(2)
    }
  }
}

/// A browser on a screen.
@MainActor
final class Session {
  private let browser: Browser
  private let screen = Screen()
  private var keys = KeyReader()
  private var isFrameDue = false
  private var end: CheckedContinuation<Void, Never>?

  init(_ browser: Browser) { self.browser = browser }

  /// Returns when a person quits.
  func run() async {
    browser.onChange = { [weak self] in self?.requestFrame() }
    screen.onResize = { [weak self] in self?.requestFrame() }
    screen.onBytes = { [weak self] in self?.read($0) }
    screen.open()
    requestFrame()
    await withCheckedContinuation { end = $0 }
    screen.close()
  }

  private func read(_ bytes: [UInt8]) {
    for key in bytes.isEmpty ? [.quit] : keys.read(bytes) {
      if key != .quit {
        browser.press(key)
      } else {
        end?.resume()
        end = nil
      }
    }
  }

  /// Draws soon; a burst of values shows in a few frames.
  private func requestFrame() {
    guard !isFrameDue else { return }
    isFrameDue = true
    DispatchQueue.main.asyncAfter(deadline: .now() + 0.03) { [weak self] in
      guard let self, end != nil else { return }
      isFrameDue = false
      let size = screen.size
      browser.layOut(lines: max(size.lines - 3, 1))
      screen.draw(browser.frame(columns: size.columns, lines: size.lines))
    }
  }
}
