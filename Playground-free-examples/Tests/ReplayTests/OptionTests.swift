import Foundation
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
      ["a", "--slots", "0"], ["a", "--slots", "many"], ["a", "--slots"],
    ] {
      #expect(throws: Complaint.self) { try Options.parse(misuse) }
    }
  }

  @Test(
    "Numbers of slots are refused with the reason",
    arguments: [
      ("-1", ": -1 is too small."), ("0", ": 0 is too small."), ("257", ": 257 is too large."),
      ("1.5", ", not '1.5'."),
    ])
  func slots(_ text: String, end: String) {
    for arguments in [["a", "--slots", text], ["a", "--slots=\(text)"]] {
      let complaint = #expect(throws: Complaint.self) { try Options.parse(arguments) }
      #expect(complaint?.description == "--slots must be a whole number from 1 to 256\(end)")
    }
  }

  @Test("Numbers of slots and the standard input have a way to be named")
  func input() throws {
    let options = try Options.parse(["-", "--slots", "2"])
    #expect(options.file == "/dev/stdin" && options.slots == 2)
  }

  @Test("No output replaces the recording or another output, by whatever path")
  func sameFiles() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
    let text = Data("c0(a) |".utf8)
    try text.write(to: folder.appendingPathComponent("run.svg"))
    #expect(symlink(path("run.svg"), path("link")) == 0)
    #expect(link(path("run.svg"), path("hard")) == 0)
    #expect(symlink(folder.path, path("way")) == 0)
    for (arguments, words) in [
      ([path("run.svg"), "--picture", path("run.svg")], "An output would replace"),
      ([path("link"), "--picture", path("./run.svg")], "An output would replace"),
      ([path("run.svg"), "--trace", path("hard")], "An output would replace"),
      ([path("x"), "--picture", path("q.svg"), "--trace", path("way/q.svg")], "Two outputs"),
      ([path("x"), "--picture", path("run.svg"), "--trace", path("link")], "Two outputs"),
      ([path("x"), "--picture", path("run.png")], "--picture writes SVG only"),
    ] {
      let complaint = #expect(throws: Complaint.self) { try Options.parse(arguments) }
      #expect(complaint?.description.hasPrefix(words) == true)
    }
    _ = try Options.parse(["/dev/null", "--picture", "/dev/null", "--trace", "/dev/null"])
  }
}
