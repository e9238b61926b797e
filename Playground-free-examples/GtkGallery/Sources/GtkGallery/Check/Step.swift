import Foundation

/// A step of the check: its limits and its results.
struct Step {
  let title: String
  /// How many loads may start besides those of rows that come on screen.
  let allowance: Int
  /// How many loaded rows must be loaded again.
  var reloads = 0
  /// Whether the gallery must predict the place where the list stops.
  var expectsLanding = false
  /// How many rows must show a small picture first.
  var expectedPreviews = 0

  /// Rows that must come on screen.
  var wanted: [FileName] = []

  var frames = 0
  /// Rows that were on screen in some frame.
  var shown: Set<FileName> = []
  /// Rows that came on screen for the first time without being loaded.
  var fresh: Set<FileName> = []
  /// Rows that showed a small picture first.
  var previews: Set<FileName> = []
  var started = 0
  /// Loads of rows that were loaded before.
  var again = 0
  /// Rows with loads that were cancelled in an earlier step and started again in this one.
  var resumed: Set<FileName> = []
  /// Cancelled loads, running or not.
  var cancelled = 0
  var landings = 0
  /// The longest work of the main thread between two turns of its loop, in seconds.
  var longestTurn = 0.0
  /// Faults in some frame.
  var wrong: Set<String> = []
  /// Rows that were blank at rest.
  var blank: [String] = []
  /// Other faults.
  var complaints: [String] = []

  init(_ title: String, allowance: Int) {
    (self.title, self.allowance) = (title, allowance)
  }

  var limit: Int { fresh.union(resumed).count + allowance + reloads }

  var violations: [String] {
    var violations = wrong.sorted() + blank.map { "\($0) at rest" } + complaints
    if started > limit {
      violations.append("\(started) loads were started, but rows needed at most \(limit)")
    }
    if again != reloads {
      violations.append("\(again) rows were loaded again instead of \(reloads)")
    }
    // A busy machine makes too few frames to recognise a fling.
    if expectsLanding, landings == 0, frames > 40 {
      violations.append("the end of the fling was not predicted")
    }
    violations += wanted.filter { !shown.contains($0) }.map { "\($0) is not shown" }
    if previews.count != expectedPreviews {
      violations.append(
        "\(previews.count) rows showed a small picture first instead of \(expectedPreviews)")
    }
    if !expectsLanding, landings > 0 { violations.append("it counted as a fling") }
    return violations
  }
}

extension [Step] {
  /// A line for each step, with its faults below.
  var report: String {
    let head = line(
      "",
      [
        "frames", "shown", "loads", "at most", "again", "cancelled", "landings", "wrong", "blank",
        "turn, ms",
      ])
    return ([head] + map { $0.report(line) }).joined(separator: "\n")
  }

  private func line(_ title: String, _ cells: [String]) -> String {
    title.padding(toLength: 16, withPad: " ", startingAt: 0)
      + cells.map { String(repeating: " ", count: Swift.max(10 - $0.count, 1)) + $0 }.joined()
  }
}

extension Step {
  fileprivate func report(_ line: (String, [String]) -> String) -> String {
    let figures = [
      frames, shown.count, started, limit, again, cancelled, landings, wrong.count, blank.count,
      Int(longestTurn * 1000),
    ]
    let excess = violations.count > 5 ? ["… and \(violations.count - 5) more"] : []
    return
      ([line(title, figures.map(String.init))]
      + (violations.prefix(5) + excess).map { "  ! \($0)" }).joined(separator: "\n")
  }
}
