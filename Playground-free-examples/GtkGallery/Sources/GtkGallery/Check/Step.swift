import Foundation

/// A step of the check: what may happen in it, and what did.
struct Step {
  let title: String
  /// How many loads may start besides those of rows that come into sight.
  let allowance: Int
  /// How many rows are loaded though they were loaded before.
  var reloads = 0
  /// Whether the gallery is to find out where the list will come to rest.
  var expectsLanding = false
  /// How many rows show a small picture first.
  var expectedPreviews = 0

  var frames = 0
  /// Rows that were in sight in some frame.
  var shown: Set<String> = []
  /// Those that were not loaded when they came into sight for the first time.
  var fresh: Set<String> = []
  /// Those that showed a small picture first.
  var previews: Set<String> = []
  var started = 0
  /// Loads of rows that were loaded before.
  var again = 0
  /// Rows that are loaded now, as their loads were given up in an earlier step.
  var resumed: Set<String> = []
  /// Loads that were given up, running or not.
  var cancelled = 0
  var landings = 0
  /// The longest work of the main thread between two turns of its loop, in seconds.
  var longestTurn = 0.0
  /// What was wrong in some frame.
  var wrong: Set<String> = []
  /// What was blank when the list had come to rest.
  var blank: [String] = []
  /// What else is not as it should be.
  var complaints: [String] = []

  init(_ title: String, allowance: Int) {
    (self.title, self.allowance) = (title, allowance)
  }

  var limit: Int { fresh.union(resumed).count + allowance + reloads }

  var violations: [String] {
    var violations = wrong.sorted() + blank.map { "\($0) at rest" } + complaints
    if started > limit {
      violations.append("\(started) loads were started, and there was reason for \(limit)")
    }
    if again != reloads {
      violations.append("\(again) rows were loaded again instead of \(reloads)")
    }
    // On a machine so busy that hardly a frame was made, there was nothing to tell a fling by.
    if expectsLanding, landings == 0, frames > 40 {
      violations.append("nobody knew where it would come to rest")
    }
    if previews.count != expectedPreviews {
      violations.append(
        "\(previews.count) rows showed a small picture first instead of \(expectedPreviews)")
    }
    if !expectsLanding, landings > 0 { violations.append("it was taken for a fling") }
    return violations
  }
}

extension [Step] {
  /// A line for each step, and below it what was found to be wrong.
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
