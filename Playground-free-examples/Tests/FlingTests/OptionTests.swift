import Console
import Testing

@testable import fling

@Suite("The options of fling")
struct OptionTests {
  private func parse(_ line: String) throws -> Options {
    try Options.parse(line.split(separator: " ").map(String.init))
  }

  @Test("are read in both forms, with defaults of their own for a film")
  func read() throws {
    let options = try parse("--rows=50 --latency 5..200 -h --velocity 4")
    #expect(options.rows == 50 && options.latency == 5...200 && options.velocity == 4)
    #expect(options.showsHelp && options.timeout == .milliseconds(2_200))
    let film = try parse("--film a.svg --slots 2")
    #expect(film.slots == 2 && film.velocity == 6 && film.latency == 800...1200)
    #expect(Film.conditions(film) == ["loads take 800", "to 1200 ms,", "2 run at once"])
  }

  @Test(
    "are refused in a sentence",
    arguments: [
      ("--film a.svg --json", "--film and --json exclude each other."),
      ("--watch --record a", "--watch and --record exclude each other."),
      ("--latency 9..3", "--latency must be milliseconds from 0 to 60000"),
      ("--latency 1..2..3", "--latency must be milliseconds from 0 to 60000"),
      ("--policy none", "--policy must be immediate, settled or adaptive, not 'none'."),
      ("--rows 1.5", "--rows must be a whole number from 1 to 10000000, not '1.5'."),
      ("--origin http://a", "There is no option '--origin'."),
      ("words", "There is no argument 'words'."),
    ])
  func misuse(line: String, words: String) {
    let complaint = #expect(throws: Complaint.self) { try parse(line) }
    #expect(complaint?.description.hasPrefix(words) == true, "\(complaint?.description ?? "")")
  }

  @Test("have a help of at most 80 columns")
  func help() {
    #expect(Options.help.components(separatedBy: "\n").allSatisfy { $0.count <= 80 })
  }
}
