import RowOperations

/// What a list told its app, and when, as text: to be written by hand or drawn at random,
/// played in a test, and made shorter.
///
/// ```swift
/// let script = try EventScript("cW[0…9] P[10…19] | c10(k) W10(k) P[20] E0(a) | +150ms |")
/// ```
///
/// Rows are numbers and cells are letters. A step is written as follows, with spaces between steps:
///
/// | text | step |
/// |---|---|
/// | `c5(a)` | the list asks for a cell for row 5 and uses cell a |
/// | `W5(a)` | cell a, which shows row 5, comes on screen |
/// | `E5(a)` | cell a leaves the screen; the list names row 5 |
/// | `U(a)` | cell a is unbound |
/// | `D(a)` | cell a is deallocated |
/// | `R(a,b)` | cells a and b are what is on screen |
/// | `P[5,6,7]`, `P[5…7]` | rows are prefetched, nearest first |
/// | `X[5]` | the prefetching of rows is cancelled |
/// | `B`, `M`, `L[5…9]`, `S` | scrolling begins, moves, will end on rows, has settled |
/// | `Z`, `z` | the list goes out of sight, comes back |
/// | `F5`, `f5` | the row's load ends with a value, with an error |
/// | `v5`, `y5` | the row's value is set, is retried |
/// | `![5]`, `-[5]` | rows are invalidated, removed |
/// | `!*`, `-*`, `~*` | all are invalidated, all are removed, unclaimed values are dropped |
/// | `\|` | the pass ends |
/// | `+150ms` | time passes |
///
/// Where a cell is left out, `c5` uses a cell that was not named before, and `W5` and `E5` mean the
/// cell that row 5 was given last. Letters before a list apply to each row in turn: `cW[0…9]` is
/// `c0 W0 c1 W1` and so on.
public struct EventScript: Hashable, Sendable {
  /// One step.
  public enum Step: Hashable, Sendable {
    /// The list asks for a cell for a row and uses this one.
    case cellFor(row: Int, cell: Int)
    /// A cell comes on screen.
    case willDisplay(row: Int, cell: Int)
    /// A cell leaves the screen; the row is what the list says, right or wrong.
    case didEndDisplaying(row: Int, cell: Int)
    /// A cell is unbound.
    case unbind(cell: Int)
    /// A cell is deallocated.
    case deallocate(cell: Int)
    /// What is on screen.
    case reconcile(cells: [Int])
    /// Rows are prefetched, nearest first.
    case prefetch([Int])
    /// The prefetching of rows is cancelled.
    case cancelPrefetch([Int])
    /// Scrolling begins.
    case scrollWillBegin
    /// The list has moved.
    case scrollDidMove
    /// The list will come to rest on rows.
    case scrollWillEnd(landingOn: [Int])
    /// The list has come to rest.
    case scrollDidSettle
    /// The list goes out of sight.
    case suspend
    /// The list comes back.
    case resume
    /// The load of a row that has run the longest ends with a value.
    case finish(row: Int)
    /// The load of a row that has run the longest ends with an error.
    case fail(row: Int)
    /// A row's value is set by the app.
    case setValue(row: Int)
    /// A failed row is retried.
    case retry(row: Int)
    /// Rows are invalidated.
    case invalidate([Int])
    /// Rows are removed.
    case remove([Int])
    /// All rows are invalidated.
    case invalidateAll
    /// All rows are removed.
    case removeAll
    /// Values that no row claims are dropped.
    case removeCachedValues
    /// The pass ends.
    case passEnd
    /// Time passes.
    case time(Duration)
  }

  /// The steps in order.
  public var steps: [Step]

  /// Makes a script of steps.
  public init(steps: [Step] = []) { self.steps = steps }

  /// Reads a script.
  ///
  /// - Throws: ``EventScriptError`` that names the step that cannot be read.
  public init(_ text: String) throws {
    var reader = EventScriptReader()
    for word in text.split(whereSeparator: \.isWhitespace) { try reader.read(word) }
    steps = reader.steps
  }
}

/// A step of a script that cannot be read.
public struct EventScriptError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The step as it stands in the text.
  public let step: String
  /// What is wrong with it.
  public let description: String
}

// MARK: - Printing

extension EventScript: CustomStringConvertible {
  /// The script as text that can be read again.
  public var description: String { steps.map(\.description).joined(separator: " ") }
}

extension EventScript.Step: CustomStringConvertible {
  /// The step as it stands in a script.
  public var description: String {
    switch self {
    case .cellFor(let row, let cell): "c\(row)(\(name(cell)))"
    case .willDisplay(let row, let cell): "W\(row)(\(name(cell)))"
    case .didEndDisplaying(let row, let cell): "E\(row)(\(name(cell)))"
    case .unbind(let cell): "U(\(name(cell)))"
    case .deallocate(let cell): "D(\(name(cell)))"
    case .reconcile(let cells): "R(\(cells.map(name).joined(separator: ",")))"
    case .prefetch(let rows): "P\(list(rows))"
    case .cancelPrefetch(let rows): "X\(list(rows))"
    case .scrollWillBegin: "B"
    case .scrollDidMove: "M"
    case .scrollWillEnd(let rows): "L\(list(rows))"
    case .scrollDidSettle: "S"
    case .suspend: "Z"
    case .resume: "z"
    case .finish(let row): "F\(row)"
    case .fail(let row): "f\(row)"
    case .setValue(let row): "v\(row)"
    case .retry(let row): "y\(row)"
    case .invalidate(let rows): "!\(list(rows))"
    case .remove(let rows): "-\(list(rows))"
    case .invalidateAll: "!*"
    case .removeAll: "-*"
    case .removeCachedValues: "~*"
    case .passEnd: "|"
    case .time(let time): "+\(time.scriptText)ms"
    }
  }

  private func name(_ cell: Int) -> String { SimulatedCell.name(of: cell) }

  /// Rows, with three or more that follow each other as a range.
  private func list(_ rows: [Int]) -> String {
    var parts: [String] = []
    var index = rows.startIndex
    while index < rows.endIndex {
      let step = index + 1 < rows.endIndex ? rows[index + 1] - rows[index] : 0
      var end = index
      while abs(step) == 1, end + 1 < rows.endIndex, rows[end + 1] - rows[end] == step { end += 1 }
      if end - index < 2 { end = index }
      parts.append(end == index ? "\(rows[index])" : "\(rows[index])…\(rows[end])")
      index = end + 1
    }
    return "[\(parts.joined(separator: ","))]"
  }
}
