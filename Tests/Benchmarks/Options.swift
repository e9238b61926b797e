/// The command line of `benchmarks`.
struct Options: Sendable {
  /// The chosen figures; `nil` for all.
  var only: Set<String>?
  var isQuick = false
  /// Whether to measure the comparisons without a limit.
  var compares = false
  /// Whether to print the tables of all worlds.
  var showsWorlds = false
  /// Whether to print the blank time of the course of `fling`.
  var showsExample = false
  /// The file for a picture of some comparisons.
  var picture: String?
  var printsJSON = false
  /// The work whose instructions `.ci/instructions` counts.
  var counted: CountedWork?
  /// How many rows or operations the counted work takes.
  var rows: Int?
  /// Whether to perform each public call of a tracker once, for `.ci/cost-laws`.
  var performsLaws = false
  var showsHelp = false

  static let help = """
    USAGE: swift run -c release benchmarks [options]

    Measures the figures that RowOperations promises: each is a ratio or a count within one
    run, next to its limit. Where a figure says "the plain recipe", that is a dictionary
    from row to operation, one OperationQueue, and a cancel when a row leaves the screen.
    Takes about two minutes. B12, B13, B15, B19 and B21 are instructions,
    which .ci/instructions counts with valgrind.

    OPTIONS
      --only B3,B4      Measures only these figures.
      --compare         Measures comparisons without a limit instead: the plain recipe and
                        plain tasks in nanoseconds and objects, the cost of longer lists, and
                        the bounds of the figures.
      --worlds          Prints loads and blank time in 33 lists of B8, in six settings:
                        for each scroll policy, the plain recipe, and models of other
                        libraries, and the least blank time of a loader that knows the future.
                        Before them, in all worlds of B8: loaders that see some time ahead.
      --example         Prints the blank time of the course of the example fling in virtual
                        time, as JSON, for .ci/real-runs.
      --picture FILE    Draws the results of ways of loading in the 33 lists as an SVG.
      --quick           Measures a little of everything and compares nothing with its limit:
                        shows within seconds that all figures work.
      --json            Prints an array of objects instead of the table; with --worlds, those of
                        the three settings that the articles name.
      --count B12       Does only the work of this figure, without the main queue, and prints
                        nothing: for .ci/instructions. The others are B12-recipe, with the
                        plain recipe; B13; B13-unloaded, without loads; B15; B15-plain,
                        without exclusion; B19, a cancelled group whose children wait for
                        one; B19-free, whose children wait for a place; B19-begun and
                        B19-free-begun, the same without the cancel; B21, elements of live
                        rows; and B11-forwarded and B11-watched, frames of the fastest fling
                        without and with ListTracking.
      --rows N          The number of rows, frames or operations for --count, in whole
                        thousands; 1000 by default.
      --laws            Performs the public calls of a tracker, for some rows and for twice as
                        many, and prints their names: for .ci/cost-laws.
      --help            This text.

    Times are too noisy to judge if their repetitions lie far apart on both sides of a limit.
    So is a time beyond its limit while other programs take more than a twentieth of a
    processor. Exit status: 0; 1 if a figure exceeds its limit; 2 if the command line is wrong.
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
      case "--quick", "--json", "--compare", "--worlds", "--example", "--laws", "--help", "-h":
        guard parts.count == 1 else { throw Complaint("\(parts[0]) takes no value.") }
        options.turnOn(parts[0])
      default:
        throw Complaint(
          "There is no option '\(argument)'. 'benchmarks --help' lists them all.")
      }
    }
    try options.checkCombination()
    return options
  }

  private func checkCombination() throws {
    if compares, only != nil || printsJSON || picture != nil {
      throw Complaint("--compare prints tables of its own: combine it only with --quick.")
    }
    if showsWorlds, only != nil || picture != nil || compares {
      throw Complaint("--worlds prints tables of its own: combine it only with --quick or --json.")
    }
    if picture != nil, only != nil || printsJSON {
      throw Complaint("--picture draws the comparisons: combine it only with --quick.")
    }
    if counted != nil,
      only != nil || printsJSON || picture != nil || compares || isQuick || showsWorlds
    {
      throw Complaint("--count prints nothing: combine it only with --rows.")
    }
    if rows != nil, counted == nil { throw Complaint("--rows needs --count.") }
  }

  private mutating func turnOn(_ flag: String) {
    switch flag {
    case "--quick": isQuick = true
    case "--json": printsJSON = true
    case "--compare": compares = true
    case "--worlds": showsWorlds = true
    case "--example": showsExample = true
    case "--laws": performsLaws = true
    default: showsHelp = true
    }
  }

  private static func figures(_ names: String) throws -> Set<String> {
    let known = Family.all.map(\.id)
    let wanted = names.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    for name in wanted where CountedWork(rawValue: name) != nil {
      throw Complaint("'\(name)' is a count of instructions: run .ci/instructions.")
    }
    for name in wanted where !known.contains(name) {
      throw Complaint(
        "There is no figure '\(name)'. There are \(known.joined(separator: ", ")).")
    }
    return Set(wanted)
  }

  func picks(_ family: Family) -> Bool { only?.contains(family.id) ?? true }
}

/// Why `benchmarks` cannot do its work, in a sentence.
struct Complaint: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
