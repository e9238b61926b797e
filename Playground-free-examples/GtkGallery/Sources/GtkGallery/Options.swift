import Foundation

/// What `gtk-gallery` was asked to do.
struct Options {
  var path: String?
  var checks = false
  var showsSamples = false
  var screenshots: URL?
  /// What the check is to find; for tests of the check itself.
  var mistake: Mistake?
  var showsHelp = false

  static let help = """
    USAGE: gtk-gallery [options] [PATH]

    Shows the pictures in a folder (default: the current one): thumbnails that are decoded
    as they come into sight. F5 reads the folder again. A double click on a picture that
    cannot be shown tries it again.

      --samples             Shows pictures of hills that it paints itself, in a folder of
                            their own that goes when the window is closed.
      --check               Runs without a person: scrolls, flings, jumps, removes, inserts,
                            replaces and resizes, and adds large pictures. Looks at every
                            frame, measures how long the main loop is blocked, prints what
                            it found, and ends. Fills up the pictures of PATH, if there is
                            one, with painted ones; touches none of its files. On a machine
                            without a screen: xvfb-run -a gtk-gallery --check
      --screenshots DIR     With --check: writes a picture of the window after each step.
      --break cell|loads|loop
                            With --check: does something wrong, which the check has to find:
                            shows pictures in the cells of other rows, loads all rows that
                            are bound, or decodes on the main loop.
      --help                This text.

    Exit status: 0, or 1 if the check has found something wrong, or 2 if it could not be done.
    """

  static func parse(_ arguments: [String]) throws -> Options {
    var options = Options()
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--help", "-h": options.showsHelp = true
      case "--samples": options.showsSamples = true
      case "--check": options.checks = true
      case "--screenshots":
        options.screenshots = URL(fileURLWithPath: try value(of: argument, &rest))
      case "--break":
        let name = try value(of: argument, &rest)
        guard let mistake = Mistake(rawValue: name) else {
          throw Complaint("--break is cell, loads or loop, not '\(name)'.")
        }
        options.mistake = mistake
      case _ where argument.hasPrefix("-") && argument != "-":
        throw Complaint(
          "There is no option '\(argument)'. 'gtk-gallery --help' lists all there are.")
      case _ where options.path != nil:
        throw Complaint("One folder at a time: '\(argument)' is one too many.")
      default: options.path = argument
      }
    }
    try options.agree()
    return options
  }

  private static func value(of name: String, _ rest: inout ArraySlice<String>) throws -> String {
    guard let value = rest.popFirst() else {
      throw Complaint("\(name) needs a value. 'gtk-gallery --help' says which.")
    }
    return value
  }

  private func agree() throws {
    if !checks, screenshots != nil || mistake != nil {
      throw Complaint("--screenshots and --break go with --check.")
    }
    if showsSamples, checks || path != nil {
      throw Complaint("--samples goes with nothing else: it shows a folder of its own.")
    }
  }
}
