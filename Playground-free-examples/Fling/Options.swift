import Foundation
import RowOperations

/// The options of `fling`.
struct Options: Sendable {
  var rows: Int?
  var slots = 4
  /// The largest number of rows of one request; `nil` for a request of each row.
  var batch: Int?
  /// How long the document of a row stays as it is, in milliseconds; `nil` if it never changes.
  var live: Int?
  var latency: ClosedRange<Int> = 20...60
  var failures = 0
  var velocity = 3.0
  var policy = ScrollPolicy.adaptive
  var seed: UInt64 = 1
  var folder: String?
  var origin: URL?
  var path = "/rows/{row}.json"
  /// The number of the first row on a foreign server.
  var first = 0
  /// The field that has a row's number in the documents of a foreign server.
  var number = NumberField.row
  var headers: [RequestHeader] = []
  var export: String?
  var compares = false
  var picture: String?
  var trace: String?
  var recording: String?
  var film: String?
  var watches = false
  var printsJSON = false
  var showsHelp = false
  /// How long a load may take, if the command line says so.
  var givenTimeout: Duration?

  static let help = """
    USAGE: fling [options]

    Flings a list of 10,000 rows without a screen: the document of each row on the
    way is loaded over HTTP while the list is laid out, flung, scrolled back, jumped
    and reloaded. A few hundred rows come on screen. At the end it prints how long
    they were blank, and how many of them showed another row's document, which must
    be none.

    WHERE THE ROWS COME FROM
      (nothing)            An HTTP server of its own on 127.0.0.1, on a free port.
      --folder PATH        The same server serves the files below a folder, one
                           file per row; each is compared with the bytes that were
                           sent. Symbolic links, unreadable files and names that are
                           not UTF-8 are left out, and counted.
      --origin URL         A server that is already running, such as that of your
                           own list; https://user:password@host logs in. A trial
                           requests up to three rows first. If each of them gets
                           HTTP 401 or 403, it is all that runs. The client keeps
                           cookies. On Linux, Foundation crashes the process if a
                           header breaks off, if trailers follow a body in chunks,
                           or if a Content-Length is near 2^63. 'fling' cannot
                           prevent that.
      --path TEMPLATE      Where its rows are (default /rows/{row}.json). Documents
                           are JSON objects.
      --first N            The number of its first row (default 0). --rows says how
                           many there are.
      --number FIELD       The field that has a row's number in each document
                           (default row), such as id, or data.id for the field id
                           of an object data. It must be a whole number, or a
                           string of one.
      --header 'NAME: VALUE'
                           Goes with each request to it, as often as you give one,
                           but to no other origin. No message shows the value. On
                           Linux, http_proxy, https_proxy and no_proxy apply, but
                           not to 127.0.0.1 and localhost.
      --export PATH        Writes the documents into a folder for such a server, and
                           ends.

    KNOBS
      --rows N             How many rows (default 10000; with --folder, all files).
      --slots N            How many loads run at once (default 4).
      --batch N            One request for up to N rows that wait, to the server of
                           the command. The plain recipe goes on with a request
                           for each row.
      --live MS            The documents of the command's server change every so
                           many milliseconds, more or less. Rows on screen are live:
                           each asks for the next change, and the server holds its
                           reply until then. The plain recipe loads a row once.
      --latency MS[..MS]   How long the server waits before each reply (default
                           20..60).
      --failures PERCENT   Replies that go wrong: errors 500, cut connections,
                           malformed documents, and replies that never come (default
                           0).
      --timeout SECONDS    How long a load may take (default 2 more than the
                           latency; 10 with --origin).
      --velocity V         Of the flings, in points per millisecond (default 3).
      --policy NAME        immediate, settled or adaptive (default adaptive).
      --seed N             Of everything that is left to chance (default 1).

    OUTPUT
      --json               One JSON object instead of the table. Figures that do not
                           apply are left out. Rows in it count from 0, and
                           numbers of the server from --first.
      --compare            Runs the same scroll also with the plain recipe (a
                           dictionary from row to operation, a queue, a cancel when
                           a row has left the screen), and prints both. The
                           difference shows where replies are slow, as with
                           --latency 400..600 --velocity 4.
      --picture FILE.svg   Draws the run as SVG: time across, rows down, with the
                           blank rows at each stop; with --compare, both. With
                           the command's own server, each stop then lasts as long
                           as its slowest loads need, so that both do the same at
                           about the same times.
      --trace FILE.json    Writes the run for Perfetto (https://ui.perfetto.dev).
      --record FILE        Records what the list reports to the tracker and how
                           loads end, for 'swift run replay FILE'.
      --film FILE.svg      Runs a shorter scroll twice, with the plain recipe and
                           then with the tracker, and writes a film of both lists
                           for an <img>.
      --watch              Plays both lists in the terminal while they run: the
                           plain recipe first, then the tracker beside it; q ends
                           it. For --film and --watch the defaults are --slots 6,
                           --velocity 6 and --latency 800..1200. Both report the
                           same faults as a run with the table, and frames that
                           came too late. NO_COLOR shows rows by characters alone.
      -h, --help           This text.

    THE TABLE
      rows passed          How often a row came on screen; one that returns counts
                           again.
      displayed at rest    How many rows are on screen at the end.
      refused as stale     Loads that ended too late, as their row was gone or
                           reloaded.
      bytes                Of complete replies. One that breaks off, is too large or
                           has the status of an error counts nothing.
      blank rows           Seconds times rows: two rows blank for 1 s count 2.
      standstill           The end of a fling, while rows may still load; settling
                           is the time from there until all rows on screen are
                           loaded or failed.
      never loaded         Rows blank at a rest that never showed a value later.
      rows checked         Rows whose document the command knows: those of
                           its own server and of --folder, and with --origin those
                           whose document has a number "row", or that of --number,
                           which means the row.
      wrong rows           Rows that showed another row's document. With --origin
                           the number in each document is compared with the row
                           that requested it. If nine of ten documents or more
                           have the number of their row, the others are wrong, and
                           the server is to blame. Otherwise the number may mean
                           something else, so the figure is unknown. It is also
                           unknown if no row was checked. A row that shows the
                           reply to another row's request is always wrong, and the
                           list is to blame.

    THE JSON
      Keys are like the names in the table: rowsPassed, finished, wrongRows.
      These, among others, have no line there:

      rowNumbers           What the number in the documents means: "rows" if it is
                           the row's, "unclear" if it may mean something else,
                           "absent" if no document has one.
      repliesNamingARow    Replies with a number. repliesNamingAnotherRow are those
                           with the number of another row, misnamedReply is the
                           first of them. numberDifference is by how much all of
                           them differ from their rows, if it is the same, and
                           onlyNumber the number in all of them, if it is the same.
      mixedUpRows          Rows that showed the reply to another row's request.
                           wrongRows also counts those whose own request was
                           answered with another row's document.
      sharedDocument       The document that more rows have than any other, if it
                           is three or more; isForMost if most rows and at
                           least five have it. sharedTarget is the one address to
                           which all were redirected, and sharedPath the one path.
      rowsWithoutNumber    Rows whose document has no number.
      plainRecipe          With --compare: the same figures of the plain recipe.
      likelyNumberField    A field for --number: it has the row's number in all
                           documents in which "row" does not.
      longestRetryAfter    In seconds.

      If the server does not let the scroll begin, there is no object.

    A document may be up to 8 MB, a file up to 64 MB, and all that load at once up
    to 256 MB.

    Ctrl-C ends it early, with the figures so far. Before the scroll begins, it ends
    fling at once. With --film and --watch it always does. Exit status: 0; 1 if a
    row showed another row's document, if the server answered a request with another
    row's document, gave most rows one document or redirected all to one, if nothing
    loaded, or if a row on screen never loaded, except by --failures or as its file
    changed or vanished; 2 if it could not be done; 130 by Ctrl-C, and by q with
    --watch.
    """

  /// Reads the command line.
  static func parse(_ arguments: [String]) throws -> Options {
    var options = Options.defaults(for: arguments)
    var rest = arguments[...]
    var given: Set<String> = []
    while let argument = rest.popFirst() {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map(String.init)
      let name = parts[0]
      given.insert(name)
      if let flag = flags[name] {
        guard parts.count == 1 else { throw Complaint("\(name) takes no value.") }
        options[keyPath: flag] = true
        continue
      }
      guard settings[name] != nil else {
        throw Complaint("There is no option '\(name)'. 'fling --help' lists all there are.")
      }
      guard let value = parts.count == 2 ? parts[1] : rest.popFirst(), !value.isEmpty else {
        throw Complaint("\(name) needs a value. 'fling --help' says which.")
      }
      try settings[name]?(&options, value)
    }
    if !options.showsHelp { try options.check(given) }
    return options
  }

  private static var flags: [String: WritableKeyPath<Options, Bool>] {
    [
      "--json": \.printsJSON, "--compare": \.compares, "--watch": \.watches,
      "--help": \.showsHelp, "-h": \.showsHelp,
    ]
  }

  /// How long a load may take.
  var timeout: Duration {
    if let givenTimeout { return givenTimeout }
    return origin == nil ? .milliseconds(latency.upperBound) + .seconds(2) : .seconds(10)
  }

  /// Whether a picture shows two runs on one time axis; the latency of a foreign server is unknown.
  var alignsRuns: Bool { compares && picture != nil && origin == nil }

  /// The files that are written after the run.
  var outputPaths: [String] { [picture, trace, film].compactMap(\.self) }

  private typealias Setting = @Sendable (inout Options, String) throws -> Void

  private static let settings: [String: Setting] = [
    "--rows": { $0.rows = try number($1, of: "--rows", in: 1...10_000_000) },
    "--slots": { $0.slots = try number($1, of: "--slots", in: 1...256) },
    "--batch": { $0.batch = try number($1, of: "--batch", in: 1...1_000_000) },
    "--live": { $0.live = try number($1, of: "--live", in: 10...60_000) },
    "--failures": { $0.failures = try number($1, of: "--failures", in: 0...100) },
    "--timeout": {
      $0.givenTimeout = .seconds(try decimal($1, of: "--timeout", "seconds", in: 0.1...600))
    },
    "--latency": { $0.latency = try latency($1) },
    "--velocity": {
      $0.velocity = try decimal($1, of: "--velocity", "points per millisecond", in: 0.1...40)
    },
    "--policy": { $0.policy = try policy($1) },
    "--seed": { options, text in
      guard let seed = UInt64(text) else {
        throw Complaint.notWhole("--seed", 0...UInt64.max, text)
      }
      options.seed = seed
    },
    "--folder": { $0.folder = $1 },
    "--export": { $0.export = $1 },
    "--picture": { $0.picture = $1 },
    "--trace": { $0.trace = $1 },
    "--record": { $0.recording = $1 },
    "--film": { $0.film = $1 },
    "--path": { $0.path = $1.escapedPath },
    "--first": { $0.first = try number($1, of: "--first", in: 0...1_000_000_000_000) },
    "--number": { $0.number = try NumberField($1) },
    "--header": { $0.headers.append(try RequestHeader($1)) },
    "--origin": { options, text in
      guard let url = origin(text) else {
        throw Complaint(
          "--origin must be an address with http or https and a host, without a query, a "
            + "fragment or a port above 65535, such as http://127.0.0.1:8000, not "
            + "'\(text.withoutUser)'."
        )
      }
      options.origin = url
    },
  ]

  private static func number(
    _ text: String, of name: String, in range: ClosedRange<Int>
  ) throws -> Int {
    guard let number = Int(text), range.contains(number) else {
      throw Complaint.notWhole(name, range, text)
    }
    return number
  }

  private static func origin(_ text: String) -> URL? {
    guard var parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
      ["http", "https"].contains(scheme), parts.host?.isEmpty == false, parts.query == nil,
      parts.fragment == nil, (0...65535).contains(parts.port ?? 80)
    else { return nil }
    // The system knows the schemes in lower case alone.
    parts.scheme = scheme
    return parts.url
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

  private static func decimal(
    _ text: String, of name: String, _ unit: String, in range: ClosedRange<Double>
  ) throws -> Double {
    guard let number = Double(text), range.contains(number) else {
      let limits = String(format: "from %g to %g", range.lowerBound, range.upperBound)
      throw Complaint("\(name) must be \(unit) \(limits), not '\(text)'.")
    }
    return number
  }

  private static func policy(_ text: String) throws -> ScrollPolicy {
    switch text {
    case "immediate": .immediate
    case "settled": .whenSettled
    case "adaptive": .adaptive
    default: throw Complaint("--policy must be immediate, settled or adaptive, not '\(text)'.")
    }
  }
}

/// The sentence that `fling` prints if it cannot do its work, and its exit status then.
struct Complaint: Error, CustomStringConvertible {
  let description: String
  let exitStatus: Int32

  init(_ description: String, exitStatus: Int32 = 2) {
    self.description = description
    self.exitStatus = exitStatus
  }

  /// The sentence about a number that is none, or beyond its limits.
  static func notWhole<Number: FixedWidthInteger>(
    _ name: String, _ range: ClosedRange<Number>, _ text: String
  ) -> Complaint {
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    let isNumber = !digits.isEmpty && digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
    let isSmall = text.hasPrefix("-") || Number(text).map { $0 < range.lowerBound } ?? false
    let fault = isNumber ? ": \(text) is too \(isSmall ? "small" : "large")." : ", not '\(text)'."
    return Complaint(
      "\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound)\(fault)")
  }
}
