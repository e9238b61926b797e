import Foundation

/// Measures the figures that this package promises, each against a limit.
@MainActor
package enum Benchmarks {
  private static let help = """
    USAGE: swift run -c release benchmarks [options] [figures]

      benchmarks            Prints each figure that needs nothing but this program.
      benchmarks --counted  Prints those that valgrind's callgrind counts, in instructions.
      benchmarks --laws     Prints how the instructions of each call of a tracker grow. The status
                            is 1 if a call grows faster than it may.
      benchmarks B8 B22     Only these figures.
      --check               The status is 1 if a figure is beyond its limit; the error output
                            names each.

    Where a figure names the recipe, that is one queue, first come, first served, and a cancel
    when a row leaves the screen.
    """

  /// Runs the work of a count in this call: an asynchronous `main` moves the main queue to other
  /// threads on Linux.
  package static func main() {
    var names = CommandLine.arguments.dropFirst().map(\.self)
    if names.first == Callgrind.option { CountedWork.run(Array(names.dropFirst())) }
    func take(_ option: String) -> Bool {
      let count = names.count
      names.removeAll { $0 == option }
      return names.count < count
    }
    if take("--help") || take("-h") { return print(help) }
    let (checks, counts, laws) = (take("--check"), take("--counted"), take("--laws"))
    let all = counts ? Family.counted : Family.measured
    let chosen = names.isEmpty ? all : all.filter { names.contains($0.id) }
    guard chosen.count == (names.isEmpty ? all.count : names.count), !laws || names.isEmpty else {
      let known = all.map(\.id).joined(separator: ", ")
      fail("'\(names.joined(separator: " "))' names something other than \(known).", status: 2)
    }
    Task {
      do {
        if laws {
          exit(try CostLaw.check() ? 0 : 1)
        } else {
          try await measure(chosen, checks)
        }
      } catch {
        fail("\(error)", status: 2)
      }
    }
    dispatchMain()
  }

  private static func measure(_ families: [Family], _ checks: Bool) async throws {
    var figures: [Figure] = []
    for family in families { figures += try await family.measure() }
    print(Figure.table(figures))
    let over = figures.filter(\.isOver).map { "\($0.id), \($0.title)" }
    if checks, !over.isEmpty {
      fail("beyond the limit: \(over.joined(separator: "; "))", status: 1)
    }
    exit(0)
  }

  private static func fail(_ text: String, status: Int32) -> Never {
    FileHandle.standardError.write(Data("benchmarks: \(text)\n".utf8))
    exit(status)
  }
}
