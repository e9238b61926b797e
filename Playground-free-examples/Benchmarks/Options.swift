/// What `benchmarks` was asked to do.
struct Options: Sendable {
  /// The figures that were picked; `nil` for all.
  var only: Set<String>?
  var isQuick = false
  /// Whether it is the comparisons without a limit that are asked for.
  var compares = false
  /// Whether the tables of all worlds are asked for.
  var showsWorlds = false
  /// Where to draw some of the comparisons.
  var picture: String?
  var printsJSON = false
  /// What to do for `.ci/instructions` to count.
  var counted: CountedWork?
  /// How many rows that takes.
  var rows: Int?
  var showsHelp = false

  static let help = """
    USAGE: swift run -c release benchmarks [options]

    Measures what RowOperations promises: each figure is a ratio or a count within one
    run, next to its limit. Where a figure says "the plain recipe", that is a dictionary
    from row to operation, one OperationQueue, and a cancel when a row leaves the screen.
    Takes about two minutes. B12, B13 and B15 are instructions, which .ci/instructions
    counts with valgrind.

    OPTIONS
      --only B3,B4      Measures these figures alone.
      --compare         Measures what has no limit instead: the plain recipe and plain tasks
                        in nanoseconds and objects, what longer lists cost, what bounds the
                        figures.
      --worlds          Prints what each scroll policy, the plain recipe and models of what
                        others do load and leave blank in the 33 worlds of B8, in five
                        settings.
      --picture FILE    Draws what longer lists cost, and the flings, as an SVG.
      --quick           Measures little of everything and judges nothing: shows that all
                        figures work, in some seconds.
      --json            An array of objects instead of the table.
      --count B12       Does only the work of this figure, without the main queue, and prints
                        nothing: for .ci/instructions. Also B12-recipe, which is the same by
                        the plain recipe, B13, and B13-unloaded, the same without loads,
                        B15, and B15-plain, the same without exclusion.
      --rows N          How many rows or operations --count takes, in whole thousands; 1000
                        without it.
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
      case "--count":
        guard let name = parts.count == 2 ? parts[1] : rest.popFirst(),
          let work = CountedWork(rawValue: name)
        else { throw Complaint("--count needs one of \(CountedWork.list).") }
        options.counted = work
      case "--rows":
        guard let text = parts.count == 2 ? parts[1] : rest.popFirst(), let rows = Int(text),
          rows > 0, rows.isMultiple(of: CountedWork.names)
        else { throw Complaint("--rows needs a number of whole thousands, as in --rows 4000.") }
        options.rows = rows
      case "--quick", "--json", "--compare", "--worlds", "--help", "-h":
        guard parts.count == 1 else { throw Complaint("\(parts[0]) takes no value.") }
        options.turnOn(parts[0])
      default:
        throw Complaint(
          "There is no option '\(argument)'. 'benchmarks --help' lists all there are.")
      }
    }
    try options.checkCombination()
    return options
  }

  private func checkCombination() throws {
    if compares, only != nil || printsJSON || picture != nil {
      throw Complaint("--compare prints tables of its own: it goes with --quick alone.")
    }
    if showsWorlds, only != nil || printsJSON || picture != nil || compares {
      throw Complaint("--worlds prints tables of its own: it goes with --quick alone.")
    }
    if picture != nil, only != nil || printsJSON {
      throw Complaint("--picture draws the comparisons: it goes with --quick alone.")
    }
    if counted != nil,
      only != nil || printsJSON || picture != nil || compares || isQuick || showsWorlds
    {
      throw Complaint("--count prints nothing: it goes with --rows alone.")
    }
    if rows != nil, counted == nil { throw Complaint("--rows goes with --count alone.") }
  }

  private mutating func turnOn(_ flag: String) {
    switch flag {
    case "--quick": isQuick = true
    case "--json": printsJSON = true
    case "--compare": compares = true
    case "--worlds": showsWorlds = true
    default: showsHelp = true
    }
  }

  private static func figures(_ names: String) throws -> Set<String> {
    let known = Family.all.map(\.id)
    let wanted = names.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    for name in wanted where CountedWork(rawValue: name) != nil {
      throw Complaint("'\(name)' is counted, not measured: .ci/instructions does that.")
    }
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
