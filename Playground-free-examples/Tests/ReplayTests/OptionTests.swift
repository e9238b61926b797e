import Testing

@testable import replay

@Suite("Options of replay")
struct OptionTests {
  @Test("have a help of at most 80 columns")
  func help() {
    #expect(Options.help.components(separatedBy: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test("Options of the command are read, and misuse is refused in a sentence")
  func options() throws {
    let options = try Options.parse(["a", "--picture", "b.svg", "--trace", "c.json"])
    #expect(options.file == "a")
    #expect(options.picture == "b.svg" && options.trace == "c.json")
    #expect(try Options.parse(["-h"]).showsHelp)
    let joined = try Options.parse(["--picture=b=c.svg", "a=b", "--trace=c.json"])
    #expect(joined.file == "a=b" && joined.picture == "b=c.svg" && joined.trace == "c.json")
    for misuse in [
      [], ["a", "b"], ["--unheard-of", "a"], ["a", "--picture"], ["a", "--picture="],
      ["a", "--picture", ""], ["a", "--picture", "--trace"], ["--help=1"],
    ] {
      #expect(throws: Complaint.self) { try Options.parse(misuse) }
    }
  }
}
