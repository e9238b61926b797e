/// The command line of `disk-usage`.
struct Options: Equatable {
  var folder = Path(".".utf8)
  /// How many rows it prints instead of showing them.
  var plain: Int?
  /// Whether rows on screen stay up to date.
  var isLive = false
  var showsHelp = false

  static let help = """
    USAGE: disk-usage [--live | --plain N] [PATH]

    Shows the contents of a folder (default: the current one) and how much room they
    take, the largest first. It lists the folder at once and measures the rows while
    you look at them. Sizes are those that 'du -sb' prints: apparent ones, of
    folders too. A file with several names counts once in each row, and once in the
    sum. Symbolic links in the folder are not followed.

      ↑ ↓  PgUp  PgDn  Home  End    move
      Enter, →                      open the folder
      Backspace, ←                  go up, to the nearest folder that exists
      s                             sort by size, or by name
      r                             read and measure again
      q, Ctrl-C                     quit

    By size, all rows are measured, those on screen first. By name, only those on
    screen and a few around them are. A dim size is one so far, of a row that is
    still being measured. A '>' before a size means that a part was unreadable.

    OPTIONS
      --live       The rows on screen stay up to date while files below them change.
                   Linux watches the folders of a row, up to 512 for each row and
                   4,096 in all. A row with more of them, or with one that cannot be
                   watched, is measured again every two seconds, or more rarely if
                   that takes long; so are all rows on other systems. New entries of
                   the folder itself come with 'r'.
      --plain N    Prints the N largest rows as 'bytes<TAB>files<TAB>name', and
                   ends. Every row passes through the tracker, as on screen: a
                   folder of very many rows takes up to 100 times as long as du.
                   A terminal shows the progress. For such folders, build it
                   optimised: swift run -c release disk-usage --plain N
      -h, --help   This text.

    In names, '\\\\', '\\n' and '\\u{1b}' stand for a backslash, a line feed and an
    escape character, '\\xff' for a byte that is not UTF-8. NO_COLOR shows the bars
    without colour.

    Exit status: 0; 1 if --plain found something unreadable, or if the folder or a
    row vanished meanwhile; 2 if the folder, the command line or the output was not
    usable; 130 by Ctrl-C. What vanishes inside a row meanwhile does not count.
    """

  /// Reads the command line, in which paths need not be UTF-8.
  static func parse(_ arguments: [[UInt8]]) throws -> Options {
    var options = Options()
    var rest = arguments[...]
    var paths: [Path] = []
    while let argument = rest.popFirst() {
      let text = String(decoding: argument, as: UTF8.self)
      if text == "--" {
        paths += rest.map { Path($0) }
        break
      } else if text == "--help" || text == "-h" {
        options.showsHelp = true
      } else if text == "--live" {
        options.isLive = true
      } else if text == "--plain" {
        guard let value = rest.popFirst() else {
          throw Complaint("--plain needs a number of rows.")
        }
        options.plain = try count(String(decoding: value, as: UTF8.self))
      } else if text.hasPrefix("--plain=") {
        options.plain = try count(String(text.dropFirst("--plain=".count)))
      } else if text.hasPrefix("-") {
        throw Complaint(
          "There is no option '\(VisibleText(argument).text)'. 'disk-usage --help' lists all there are."
        )
      } else {
        paths.append(Path(argument))
      }
    }
    guard paths.count < 2 else {
      throw Complaint("Name one folder, not \(paths.count).")
    }
    if options.isLive, options.plain != nil {
      throw Complaint("--live keeps the screen up to date, and --plain shows no screen.")
    }
    options.folder = paths.first ?? options.folder
    return options
  }

  private static func count(_ text: String) throws -> Int {
    let isNumber = !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    // No folder has more rows than the largest number.
    guard let count = Int(text) ?? (isNumber ? .max : nil), count > 0 else {
      throw Complaint("--plain must be a whole number from 1 on, not '\(VisibleText(text).text)'.")
    }
    return count
  }
}
