/// The command line of `replay`.
struct Options: Sendable {
  var file = ""
  var picture: String?
  var trace: String?
  var showsHelp = false

  static let help = """
    USAGE: replay FILE [options]

    Plays a recording of a list to a tracker: what the list reported and how loads
    ended, at the times at which that happened. Prints what a list doctor finds in it,
    with what to do, and the tracker's figures.

    Recordings are written by ListRecording, by DisplayTracker.recordEvents(_:), and by
    'fling --record FILE'. Those of recordEvents have no line with the configuration; the
    default is assumed. Replay/sample.recording is a list with two slots for slow loads.

    OPTIONS
      --picture FILE.svg    Draws the run: time across, rows down.
      --trace FILE.json     Writes the run for Perfetto (https://ui.perfetto.dev).
      -h, --help            This text.

    Exit status: 0, or 2 if the file is no whole recording or nothing can be written.
    """

  /// Reads the command line.
  static func parse(_ arguments: [String]) throws -> Options {
    var options = Options()
    var files: [String] = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "-h", "--help": options.showsHelp = true
      case "--picture": options.picture = try value(of: argument, &rest)
      case "--trace": options.trace = try value(of: argument, &rest)
      default:
        guard !argument.hasPrefix("-") else {
          throw Complaint("There is no option '\(argument)'. 'replay --help' lists all there are.")
        }
        files.append(argument)
      }
    }
    guard files.count == 1 || options.showsHelp else {
      throw Complaint(
        files.isEmpty
          ? "Name the file of a recording. 'replay --help' says where these come from."
          : "Name one file, not \(files.count).")
    }
    options.file = files.first ?? ""
    return options
  }

  private static func value(of name: String, _ rest: inout ArraySlice<String>) throws -> String {
    guard let value = rest.popFirst(), !value.hasPrefix("-") else {
      throw Complaint("\(name) needs the name of a file.")
    }
    return value
  }
}

/// A reason why `replay` cannot do its work, in a sentence.
struct Complaint: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
