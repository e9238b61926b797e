/// The command line of `gtk-gallery`.
struct Options {
  var path: FileName?
  var checks = false
  var showsSamples = false
  var screenshot: String?
  /// The mistake that the check must find, for tests of the check itself.
  var mistake: Mistake?
  var showsHelp = false

  static let help = """
    USAGE: gtk-gallery [options] [PATH]

    Shows the pictures in a folder (default: the current one): thumbnails that are decoded
    as they come on screen. F5 reads the folder again, Ctrl-W and Ctrl-Q close the window.
    A double click on a picture that cannot be shown tries it again.

      --samples             Paints pictures of hills into a temporary folder and shows them.
      --check               Shows painted pictures, and runs without a person: scrolls, flings,
                            jumps, removes, inserts, replaces and resizes. Compares the
                            pixels of every frame with the files, prints what is wrong, and
                            ends. Without a screen: xvfb-run -a gtk-gallery --check
      --screenshot FILE.png With --check: writes a picture of the first screen.
      --break cell|loads|loop
                            With --check: makes a mistake that the check must find. It
                            shows pictures in the cells of other rows, loads all rows that
                            are bound, or decodes on the main loop.
      --help                This text.

    Exit status: 0; 1 if the check found a fault; 2 if the command could not run.
    """

  static func parse(_ arguments: [FileName]) throws -> Options {
    var options = Options()
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      let text = argument.description
      switch text {
      case "--help", "-h": options.showsHelp = true
      case "--samples": options.showsSamples = true
      case "--check": options.checks = true
      case "--screenshot": options.screenshot = try value(of: text, &rest).description
      case "--break":
        let name = try value(of: text, &rest).description
        guard let mistake = Mistake(rawValue: name) else {
          throw Complaint("--break is cell, loads or loop, not '\(name)'.")
        }
        options.mistake = mistake
      case _ where text.hasPrefix("-") && text != "-":
        throw Complaint(
          "There is no option '\(argument)'. 'gtk-gallery --help' lists them all.")
      case _ where options.path != nil:
        throw Complaint("The gallery shows one folder; '\(argument)' is a second one.")
      default: options.path = argument
      }
    }
    try options.agree()
    return options
  }

  private static func value(of name: String, _ rest: inout ArraySlice<FileName>) throws -> FileName
  {
    guard let value = rest.popFirst() else {
      throw Complaint("\(name) needs a value. 'gtk-gallery --help' lists the values.")
    }
    return value
  }

  private func agree() throws {
    if !checks, screenshot != nil || mistake != nil {
      throw Complaint("--screenshot and --break go with --check.")
    }
    if showsSamples || checks, path != nil {
      throw Complaint("--samples and --check make a folder of their own and take no other.")
    }
  }
}
