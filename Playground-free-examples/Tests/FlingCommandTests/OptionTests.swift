import Foundation
import Testing

@testable import fling

@Suite("The options of fling")
struct OptionTests {
  @Test(
    "are refused where they would have no effect",
    arguments: [
      "--path /{row}", "--folder / --path /{row}", "--first 1", "--header A:b",
      "--number id", "--origin http://a --latency 5",
      "--origin http://a --failures 1", "--export a --json", "--export a --folder b",
      "--export a --rows 1 --seed 2", "--folder a --batch 50", "--origin http://a --batch 50",
      "--folder a --live 200", "--origin http://a --live 200",
    ])
  func needless(_ line: String) {
    let complaint = #expect(throws: Complaint.self) { try parse(line) }
    #expect(complaint?.description.contains("has no effect") == true)
  }

  @Test(
    "are refused if they contradict each other or are malformed",
    arguments: [
      "--folder a --origin http://b", "--picture a.svg --trace a.svg",
      "--picture a.svg --record a.svg", "--film a.svg --record b", "--picture a.png", "--film a",
      "--origin http://a?b",
      "--picture a.svg --trace ./a.svg", "--picture a.svg --record b/../a.svg",
      "--trace a --record ./a", "--origin http://a --header A", "--origin http://a --header A:",
      "--origin http://a --first -1",
      "--origin ftp://a", "--origin http://", "--origin 127.0.0.1:8000", "--origin http://a:99999",
      "--timeout 0", "--timeout nan", "--velocity 41", "--rows 0", "--rows",
      "--live 9", "--live 200 --batch 50", "--batch 0", "--batch x", "--json=1", "rows",
      "--origin http://a --path row", "--rows=", "--origin http://a --number a.",
      "--picture=", "=", "=5",
    ])
  func refused(_ line: String) {
    #expect(throws: Complaint.self) { try parse(line) }
  }

  @Test(
    "stand together where each has an effect",
    arguments: [
      "", "--folder a --latency 5 --failures 3 --timeout 1", "--origin http://a --path /a?id={row}",
      "--origin http://a --first 1 --number data.id --header A:b --header A:c",
      "--picture /dev/stdout",
      "--export a --rows=3", "--picture a.SVG --trace b --record c --compare --json",
      "--help --path /",
      "--batch 50 --compare", "--live 200 --compare",
    ])
  func accepted(_ line: String) throws {
    _ = try parse(line)
  }

  @Test("escape what may not be in a path, and nothing twice")
  func paths() throws {
    for (path, escaped) in [
      ("/a/{row}", "/a/{row}"), ("/caf%C3%A9 ü/{row}?q=a b", "/caf%C3%A9%20%C3%BC/{row}?q=a%20b"),
      ("/100%/{row}{x}%4", "/100%25/{row}%7Bx%7D%254"),
    ] {
      #expect(try Options.parse(["--origin", "http://a", "--path", path]).path == escaped)
    }
    let complaint = #expect(throws: Complaint.self) {
      try parse("--origin http://a --path /#/{row}")
    }
    #expect(complaint?.description.hasSuffix("%23 stands for one.") == true)
  }

  @Test("take http and https in any case", arguments: ["http", "HTTP", "Https"])
  func schemes(_ scheme: String) throws {
    #expect(
      try parse("--origin \(scheme)://A:80/b").origin?.absoluteString.hasSuffix("://A:80/b") == true
    )
    #expect(try parse("--origin \(scheme)://a").origin?.scheme == scheme.lowercased())
  }

  @Test("show no password when they are refused")
  func passwords() {
    let complaint = #expect(throws: Complaint.self) { try parse("--origin ftp://user:pw@a/b") }
    #expect(complaint?.description.hasSuffix("not 'ftp://a/b'.") == true)
    #expect("http://u:p@w@a/b@c".withoutUser == "http://a/b@c")
    #expect("http://a/b@c".withoutUser == "http://a/b@c" && "u@a".withoutUser == "u@a")
  }

  @Test("take headers, whose values no complaint shows")
  func headers() throws {
    let header = try RequestHeader("X-Token:  a: b ")
    #expect(header.name == "X-Token" && header.value == "a: b")
    for text in ["secret", ": secret", "X Y: secret", "X: a\u{A}secret", "X: \u{7F}secret"] {
      let complaint = #expect(throws: Complaint.self) { try RequestHeader(text) }
      #expect(complaint?.description.contains("secret") == false)
    }
  }

  @Test("say which numbers are too large, and which are none")
  func numbers() {
    for (line, end) in [
      ("--rows 99999999999999999999", "from 1 to 10000000: 99999999999999999999 is too large."),
      ("--rows 0", "from 1 to 10000000: 0 is too small."),
      ("--rows -5", "from 1 to 10000000: -5 is too small."),
      ("--rows 1.5", "from 1 to 10000000, not '1.5'."),
      ("--seed 99999999999999999999", "99999999999999999999 is too large."),
      ("--seed -", "18446744073709551615, not '-'."),
    ] {
      let complaint = #expect(throws: Complaint.self) { try parse(line) }
      #expect(complaint?.description.hasSuffix(end) == true)
    }
  }

  @Test("name one file by several paths only if it is not written twice")
  func sameFiles() async throws {
    try await withFolder { folder in
      func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
      try Data().write(to: folder.appendingPathComponent("a.svg"))
      #expect(symlink(path("a.svg"), path("link")) == 0 && symlink(folder.path, path("way")) == 0)
      for (picture, trace) in [("a.svg", "link"), ("b.svg", "way/b.svg")] {
        let complaint = #expect(throws: Complaint.self) {
          try Options.parse(["--picture", path(picture), "--trace", path(trace)])
        }
        #expect(complaint?.description.hasPrefix("Two outputs go to the same file") == true)
      }
    }
  }

  @Test("have a help of at most 80 columns, which lists both names of the help")
  func help() {
    let lines = Options.help.components(separatedBy: "\n")
    #expect(lines.allSatisfy { $0.count <= 80 })
    #expect(lines.contains { $0.hasPrefix("  -h, --help ") })
  }

  @Test("give foreign servers ten seconds, and the own one two more than its latency")
  func timeouts() throws {
    #expect(try parse("--latency 5..200").timeout == .milliseconds(2_200))
    #expect(try parse("--origin http://a").timeout == .seconds(10))
    #expect(try parse("--origin http://a --timeout 0.5").timeout == .milliseconds(500))
  }

  @Test("name the conditions of a film in a sentence, with or without a latency")
  func conditions() throws {
    #expect(
      try parse("--film a.svg").filmConditions
        == ["loads take 800", "to 1200 ms,", "6 run at once"])
    #expect(
      try parse("--film a.svg --origin http://a").filmConditions == ["6 loads run at once"])
  }

  @Test("refuse --watch with the reason why nothing can be drawn")
  func watching() {
    #expect(WatchScreen.obstacle(isTerminal: true, type: "xterm") == nil)
    #expect(WatchScreen.obstacle(isTerminal: true, type: "dumb")?.contains("TERM") == true)
    #expect(WatchScreen.obstacle(isTerminal: false, type: "dumb")?.contains("elsewhere") == true)
  }

  @Test("leave room in memory for all replies at once")
  func byteLimits() {
    #expect(ByteLimit(isForFiles: false, slots: 4).bytes == 8 << 20)
    #expect(ByteLimit(isForFiles: true, slots: 4).bytes == 64 << 20)
    #expect(ByteLimit(isForFiles: true, slots: 256).bytes == 1 << 20)
  }

  private func parse(_ line: String) throws -> Options {
    try Options.parse(line.split(separator: " ").map(String.init))
  }
}
