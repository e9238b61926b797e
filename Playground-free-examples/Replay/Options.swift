/// The command line of `replay`.
struct Options: Sendable {
  var file = ""
  /// How many loads ran at once, if the recording does not say so, or says something else.
  var slots: Int?
  var picture: String?
  var trace: String?
  var showsHelp = false

  static let help = """
    USAGE: replay FILE [options]

    Plays a recording of a list to a tracker: what the list reported and how loads
    ended, at the times at which that happened. Prints what a list doctor finds in
    it, with what to do, and the tracker's figures.

    Recordings are written by ListRecording, by DisplayTracker.recordEvents(_:), and
    by 'fling --record FILE'. Those of recordEvents have no line with the
    configuration: the default is assumed, so give --slots if yours differs. While
    loads differ from the recorded ones, findings about loads are left out.
    Replay/sample.recording is a list with two slots for slow loads.

    OPTIONS
      --slots N             How many loads ran at once, in place of the recorded or
                            the default number.
      --picture FILE.svg    Draws the run as SVG: time across, rows down.
      --trace FILE.json     Writes the run for Perfetto (https://ui.perfetto.dev).
      -h, --help            This text.

    FILE may be a pipe; - is the standard input. Exit status: 0; 2 if the file is
    not a recording or ends inside a line, or if something cannot be written.
    """

  /// Reads the command line.
  static func parse(_ arguments: [String]) throws -> Options {
    var options = Options()
    var files: [String] = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map(String.init)
      switch parts[0] {
      case "-h", "--help":
        guard parts.count == 1 else { throw Complaint("\(parts[0]) takes no value.") }
        options.showsHelp = true
      case "--picture": options.picture = try value(parts, &rest)
      case "--trace": options.trace = try value(parts, &rest)
      case "--slots": options.slots = try slots(try value(parts, &rest, "a number"))
      default:
        guard argument == "-" || !argument.hasPrefix("-") else {
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
    options.file = files.first.map { $0 == "-" ? "/dev/stdin" : $0 } ?? ""
    if !options.showsHelp { try options.checkFiles() }
    return options
  }

  private func checkFiles() throws {
    if let picture, !picture.hasPrefix("/dev/"), !picture.lowercased().hasSuffix(".svg") {
      throw Complaint("--picture writes SVG only: '\(picture)' must end in .svg.")
    }
    let outputs = [picture, trace].compactMap(\.self).compactMap(FileIdentity.init)
    if let input = FileIdentity(file), outputs.contains(input) {
      throw Complaint("An output would replace the recording '\(file)'.")
    }
    if Set(outputs).count < outputs.count {
      throw Complaint("Two outputs go to the same file: each needs one of its own.")
    }
  }

  private static func slots(_ text: String) throws -> Int {
    let words = "--slots must be a whole number from 1 to 256"
    guard let slots = Int(text) else { throw Complaint("\(words), not '\(text)'.") }
    guard (1...256).contains(slots) else {
      throw Complaint("\(words): \(slots) is too \(slots < 1 ? "small" : "large").")
    }
    return slots
  }

  /// The value after the `=` of an option, or in the next argument.
  private static func value(
    _ parts: [String], _ rest: inout ArraySlice<String>, _ noun: String = "the name of a file"
  ) throws -> String {
    // A negative number is a value, if a wrong one.
    let isOption = rest.first.map { $0.hasPrefix("-") && Int($0) == nil } ?? false
    let value = parts.count == 2 ? parts[1] : isOption ? nil : rest.popFirst()
    guard let value, !value.isEmpty else {
      throw Complaint("\(parts[0]) needs \(noun).")
    }
    return value
  }
}

/// A reason why `replay` cannot do its work, in a sentence.
struct Complaint: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
