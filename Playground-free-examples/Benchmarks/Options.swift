/// What `benchmarks` was asked to do.
struct Options: Sendable {
  /// The figures that were picked; `nil` for all.
  var only: Set<String>?
  var isQuick = false
  /// Whether it is the comparisons without a limit that are asked for.
  var compares = false
  /// Where to draw some of the comparisons.
  var picture: String?
  var printsJSON = false
  var showsHelp = false

  static let help = """
    USAGE: swift run -c release benchmarks [options]

    Measures what RowOperations promises: each figure is a ratio or a count within one
    run, next to its limit. Where a figure says "the plain recipe", that is a dictionary
    from row to operation, one OperationQueue, and a cancel when a row leaves the screen.
    Takes less than a minute.

    OPTIONS
      --only B3,B4      Measures these figures alone.
      --compare         Measures what has no limit instead: the plain recipe and plain tasks
                        in nanoseconds and objects, what longer lists cost, what bounds the
                        figures, flings under each policy.
      --picture FILE    Draws what longer lists cost, and the flings, as an SVG.
      --quick           Measures little of everything and judges nothing: shows that all
                        figures work, in some seconds.
      --json            An array of objects instead of the table.
      --help            This text.

    Exit status: 0, or 1 if a figure is past its limit, or 2 if the command line makes no
    sense.
    """

  /// Reads the command line.
  static func parse(_ arguments: [String]) throws -> Options {
    var options = Options()
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map(String.init)
      switch parts[0] {
      case "--only":
        guard let names = parts.count == 2 ? parts[1] : rest.popFirst() else {
          throw Complaint("--only needs the figures to measure, as in --only B3,B4.")
        }
        options.only = try figures(names)
      case "--picture":
        guard let file = parts.count == 2 ? parts[1] : rest.popFirst(), !file.isEmpty else {
          throw Complaint("--picture needs the file to draw to, as in --picture costs.svg.")
        }
        options.picture = file
      case "--quick", "--json", "--compare", "--help", "-h":
        guard parts.count == 1 else { throw Complaint("\(parts[0]) takes no value.") }
        options.turnOn(parts[0])
      default:
        throw Complaint(
          "There is no option '\(argument)'. 'benchmarks --help' lists all there are.")
      }
    }
    if options.compares, options.only != nil || options.printsJSON || options.picture != nil {
      throw Complaint("--compare prints tables of its own: it goes with --quick alone.")
    }
    if options.picture != nil, options.only != nil || options.printsJSON {
      throw Complaint("--picture draws the comparisons: it goes with --quick alone.")
    }
    return options
  }

  private mutating func turnOn(_ flag: String) {
    switch flag {
    case "--quick": isQuick = true
    case "--json": printsJSON = true
    case "--compare": compares = true
    default: showsHelp = true
    }
  }

  private static func figures(_ names: String) throws -> Set<String> {
    let known = Family.all.map(\.id)
    let wanted = names.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    for name in wanted where !known.contains(name) {
      throw Complaint(
        "There is no figure '\(name)'. There are \(known.joined(separator: ", ")).")
    }
    return Set(wanted)
  }

  func picks(_ family: Family) -> Bool { only?.contains(family.id) ?? true }
}

/// Something that keeps `benchmarks` from doing what it was asked to, in a sentence.
struct Complaint: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
