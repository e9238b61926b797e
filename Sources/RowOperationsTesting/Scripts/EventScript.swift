import RowOperations

/// The events of a list and their times as text, which tests play.
///
/// ```swift
/// let script = try EventScript("cW[0…9] P[10…19] | c10(k) W10(k) P[20] E0(a) | +150ms |")
/// ```
///
/// Rows are numbers and cells are letters. Spaces separate steps:
///
/// | text | step |
/// |---|---|
/// | `c5(a)` | the list requests a cell for row 5 and gets cell a |
/// | `h5(b,a)` | view b inside cell a is bound to row 5; `h(b,a)`: to no row |
/// | `W5(a)` | cell a, which shows row 5, comes on screen |
/// | `E5(a)` | cell a leaves the screen; the list names row 5 |
/// | `C(a)` | the list of cell a is covered; `W5(a)` ends that |
/// | `b(a)` | the same for a list in the background |
/// | `U(a)` | cell a is unbound |
/// | `D(a)` | cell a is deallocated |
/// | `R(a,b)` | exactly cells a and b are on screen |
/// | `P[5,6,7]`, `P[5…7]` | rows are prefetched, nearest first |
/// | `X[5]` | the prefetching of rows is cancelled |
/// | `O[0…9]` | the list has these rows, in this order |
/// | `Q1@40[7…9]` | list 1 has rows 7, 8 and 9 at positions 40, 41 and 42 |
/// | `I1@40[7,8]` | list 1 has rows 7 and 8 at position 40, an item with several rows |
/// | `V1@0…99[5…16]` | list 1 shows positions 5 to 16 of 0 to 99; `V1@[]`: none |
/// | `V1.3@30…59[40…45]` | section 3 of list 1, which scrolls by itself, shows these positions |
/// | `B`, `M`, `L[5…9]`, `S` | scrolling begins, moves, will end on rows, has settled |
/// | `B1`, `M1`, `L1@[5…9]`, `S1` | the same for list 1, which moves by itself |
/// | `Z`, `z` | the list is no longer visible, is visible again |
/// | `N` | the network is back |
/// | `s5`, `p5` | the row's load shows a value, reports a progress, before its end |
/// | `F5`, `f5` | the row's load ends with a value, with an error |
/// | `e5`, `q5`, `x5` | the row's stream has an element, ends, ends with an error |
/// | `m5` | the answer to the batch of the row lacks the row |
/// | `v5`, `y5` | the row's value is set, is retried |
/// | `=5>7` | the row's id changes from 5 to 7 |
/// | `![5]`, `-[5]` | rows are invalidated, removed |
/// | `!*`, `-*`, `~*` | all are invalidated, all are removed, values off screen are dropped |
/// | `\|` | the pass ends |
/// | `+150ms` | time passes |
///
/// Without a cell, `c5` uses a new cell, and `W5` and `E5` mean the last cell of row 5. Letters
/// before a list apply to each row in turn: `cW[0…9]` is `c0 W0 c1 W1` and so on.
public struct EventScript: Hashable, Sendable {
  /// One input of a tracker with numbered rows and cells.
  public typealias Step = TrackerInput<Int, Int>

  /// The steps in order.
  public var steps: [Step]

  /// Makes a script of steps.
  public init(steps: [Step] = []) { self.steps = steps }

  /// Reads a script.
  ///
  /// - Throws: ``EventScriptError`` that names the unreadable step.
  public init(_ text: String) throws {
    var reader = EventScriptReader()
    for word in text.split(whereSeparator: \.isWhitespace) { try reader.read(word) }
    steps = reader.steps
  }
}

/// An unreadable step of a script.
public struct EventScriptError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The text of the step.
  public let step: String
  /// The fault of the step.
  public let description: String
}

// MARK: - Printing

extension EventScript: CustomStringConvertible {
  /// The script as text, which can be read again.
  public var description: String { steps.map(\.description).joined(separator: " ") }
}
