import RowOperations

/// What a list reported, and when, as text: to be written by hand or drawn at random, played in a
/// test, and made shorter.
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
/// | `h5(b,a)` | view b inside cell a is to show row 5; `h(b,a)`: no row |
/// | `W5(a)` | cell a, which shows row 5, comes on screen |
/// | `E5(a)` | cell a leaves the screen; the list names row 5 |
/// | `U(a)` | cell a is unbound |
/// | `D(a)` | cell a is deallocated |
/// | `R(a,b)` | cells a and b are what is on screen |
/// | `P[5,6,7]`, `P[5…7]` | rows are prefetched, nearest first |
/// | `X[5]` | the prefetching of rows is cancelled |
/// | `B`, `M`, `L[5…9]`, `S` | scrolling begins, moves, will end on rows, has settled |
/// | `Z`, `z` | the list goes out of sight, comes back |
/// | `N` | the network is back |
/// | `s5`, `p5` | the row's load shows a value, reports a progress, before its end |
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
  /// One step: an input of a tracker about numbered rows and cells.
  public typealias Step = TrackerInput<Int, Int>

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
