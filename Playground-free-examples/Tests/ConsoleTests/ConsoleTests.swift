import Foundation
import Testing

@testable import Console

@Suite("The console")
struct ConsoleTests {
  /// The words and the values of options, in which `--number` and `--file` have one.
  private func read(_ line: String) throws -> [String] {
    var arguments = Arguments(line.split(separator: " ").map(String.init), of: "try")
    var words: [String] = []
    while let word = try arguments.next() {
      switch word {
      case "--number": words.append("\(try arguments.number(in: -3...9))")
      case "--decimal": words.append("\(try arguments.decimal(in: 0.5...2, "seconds"))")
      case "--file": words.append(try arguments.outputFile(".svg"))
      case "--flag", "-": words.append(word)
      case _ where word.hasPrefix("-"): throw arguments.unknown(word)
      default: words.append(word)
      }
    }
    return words
  }

  @Test("An option has its value in the next word, or after an equals sign")
  func values() throws {
    #expect(
      try read("--number -3 a=b --decimal=1.5 - --file=x=y.SVG --flag --file /dev/stdout")
        == ["-3", "a=b", "1.5", "-", "x=y.SVG", "--flag", "/dev/stdout"])
  }

  @Test(
    "Misuse is refused in a sentence",
    arguments: [
      ("--number", "--number needs a number."), ("--number=", "--number needs a number."),
      ("--file --flag", "--file needs the name of a file."),
      ("--number 10", "--number must be a whole number from -3 to 9, not '10'."),
      ("--number x", "--number must be a whole number from -3 to 9, not 'x'."),
      ("--decimal 3", "--decimal must be seconds from 0.5 to 2, not '3'."),
      ("--file a.png", "--file writes a file that ends in .svg, not 'a.png'."),
      ("--flag=1", "--flag takes no value."),
      ("--unheard-of", "There is no option '--unheard-of'."),
    ])
  func misuse(line: String, words: String) {
    let complaint = #expect(throws: Complaint.self) { try read(line) }
    #expect(complaint?.description.hasPrefix(words) == true, "\(complaint?.description ?? "")")
  }

  @Test("A check of a file changes nothing, and a file that cannot be written is named")
  func files() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (old, new) = (folder.path + "/old", folder.path + "/new")
    try writeFile("a longer text", to: old)
    try checkFile(old)
    try checkFile(new)
    #expect(!FileManager.default.fileExists(atPath: new))
    #expect(try String(contentsOfFile: old, encoding: .utf8) == "a longer text")
    try writeFile("short", to: old)
    #expect(try String(contentsOfFile: old, encoding: .utf8) == "short")
    for (path, reason) in [
      (folder.path, "Is a directory"), (folder.path + "/no/file", "No such file or directory"),
    ] {
      let complaint = #expect(throws: Complaint.self) { try checkFile(path) }
      #expect(complaint?.description == "\(path) cannot be written: \(reason).")
    }
  }

  #if os(Linux)
    @Test("A full standard output is not taken for a success")
    func fullOutput() {
      let full = open("/dev/full", O_WRONLY)
      defer { close(full) }
      let complaint = #expect(throws: Complaint.self) { try printOrFail("text", to: full) }
      #expect(
        complaint?.description
          == "The standard output cannot be written: No space left on device.")
    }
  #endif

  @Test("A screen needs a terminal that moves its cursor")
  func obstacles() {
    #expect(Screen.obstacle(isTerminal: true, type: "xterm") == nil)
    #expect(Screen.obstacle(isTerminal: true, type: "dumb")?.contains("TERM") == true)
    #expect(Screen.obstacle(isTerminal: false, type: "dumb")?.contains("elsewhere") == true)
  }
}
