import Console
import Foundation
import RowOperations

/// The options of `fling`.
struct Options: Sendable {
  var rows = 10_000
  var slots = 4
  /// In milliseconds.
  var latency: ClosedRange<Int> = 20...60
  /// In percent.
  var failures = 0
  /// In points per millisecond.
  var velocity = 3.0
  var policy = ScrollPolicy.adaptive
  var seed: UInt64 = 1
  var compares = false
  var picture: String?
  var recording: String?
  var film: String?
  var watches = false
  var printsJSON = false
  var showsHelp = false

  static let help = """
    USAGE: fling [options]

    Flings a list of 10,000 rows without a screen: the rows on the way load over
    HTTP, from a server of the command's own, while the list is laid out, flung,
    scrolled back, jumped and reloaded. A few hundred rows come on screen. At the
    end it prints for how long they were blank, and how many of them showed another
    row's document, which must be none.

      --rows N             How many rows the list has (default 10000).
      --slots N            How many loads run at once (default 4).
      --latency MS[..MS]   How long the server waits before each reply (default
                           20..60).
      --failures PERCENT   Replies that go wrong: errors 500, cut connections,
                           malformed documents, and replies that never come (default
                           0).
      --velocity V         Of the flings, in points per millisecond (default 3).
      --policy NAME        immediate, settled or adaptive (default adaptive).
      --seed N             Of everything that is left to chance (default 1).

      --compare            Runs the same scroll also with the plain recipe (a
                           dictionary from row to operation, a queue, a cancel when
                           a row has left the screen), and prints both. The
                           difference shows where replies are slow, as with
                           --latency 400..600 --velocity 4.
      --picture FILE.svg   Draws the run: time across, rows down, with the blank
                           rows at each stop; with --compare, both.
      --json               One JSON object instead of the table.
      --record FILE        Records the list's events, for 'swift run replay FILE'.
      --film FILE.svg      Runs a shorter scroll twice, with the plain recipe and
                           then with the tracker, and writes a film of both lists
                           for an <img>.
      --watch              Plays both lists in the terminal while they run; q ends
                           it. For --film and --watch the defaults are --slots 6,
                           --velocity 6 and --latency 800..1200. NO_COLOR shows rows
                           by characters alone.
      -h, --help           This text.

    In the table, a row counts as passed each time it comes on screen, and two rows
    that are blank for 1 s are 2 s of blank rows. A load is refused as stale if its
    row was gone or reloaded when it ended. A row never loaded if it was blank when
    the list stood still, and never showed a value later.

    Ctrl-C ends the scroll early, with the figures so far; with --film and --watch
    it ends the command. Exit status: 0; 1 if a row showed another row's document,
    if nothing loaded, or if a row on screen never loaded, except by --failures; 2
    if the command could not run; 130 by Ctrl-C.
    """

  /// Reads the command line.
  static func parse(_ words: [String]) throws -> Options {
    var options = Options()
    if words.contains(where: { $0 == "--watch" || $0.hasPrefix("--film") }) {
      // Flings and loads that show the difference.
      (options.velocity, options.latency, options.slots) = (6, 800...1200, 6)
    }
    var arguments = Arguments(words, of: "fling")
    while let word = try arguments.next() {
      switch word {
      case "--rows": options.rows = try arguments.number(in: 1...10_000_000)
      case "--slots": options.slots = try arguments.number(in: 1...256)
      case "--latency": options.latency = try latency(arguments.value("milliseconds"))
      case "--failures": options.failures = try arguments.number(in: 0...100)
      case "--velocity":
        options.velocity = try arguments.decimal(in: 0.1...40, "points per millisecond")
      case "--policy": options.policy = try policy(arguments.value("a name"))
      case "--seed": options.seed = try arguments.number(in: 0...UInt64.max)
      case "--compare": options.compares = true
      case "--picture": options.picture = try arguments.outputFile(".svg")
      case "--record": options.recording = try arguments.value("the name of a file")
      case "--film": options.film = try arguments.outputFile(".svg")
      case "--watch": options.watches = true
      case "--json": options.printsJSON = true
      case "--help", "-h": options.showsHelp = true
      default: throw arguments.unknown(word)
      }
    }
    if !options.showsHelp { try options.check() }
    return options
  }

  /// Refuses options that exclude each other.
  private func check() throws {
    let others = [
      ("--compare", compares), ("--json", printsJSON), ("--picture", picture != nil),
      ("--record", recording != nil),
    ]
    if showsRows, let other = others.first(where: \.1) {
      let name = film != nil ? "--film" : "--watch"
      throw Complaint("\(name) and \(other.0) exclude each other.")
    }
  }

  private static func latency(_ text: String) throws -> ClosedRange<Int> {
    let ends = text.components(separatedBy: "..").map { Int($0) }
    guard (1...2).contains(ends.count), let low = ends[0], let high = ends[ends.count - 1],
      low >= 0, low <= high, high <= 60_000
    else {
      throw Complaint(
        "--latency must be milliseconds from 0 to 60000, as in 20 or 5..200, not '\(text)'.")
    }
    return low...high
  }

  private static func policy(_ text: String) throws -> ScrollPolicy {
    switch text {
    case "immediate": .immediate
    case "settled": .whenSettled
    case "adaptive": .adaptive
    default: throw Complaint("--policy must be immediate, settled or adaptive, not '\(text)'.")
    }
  }

  // MARK: What follows from them

  /// Whether the rows of both runs are shown, in place of one run's figures.
  var showsRows: Bool { film != nil || watches }

  /// How long a load may take.
  var timeout: Duration { .milliseconds(latency.upperBound) + .seconds(2) }

  /// Whether a picture shows two runs on one time axis.
  var alignsRuns: Bool { compares && picture != nil }
}
