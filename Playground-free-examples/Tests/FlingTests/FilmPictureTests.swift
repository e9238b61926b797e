import Foundation
import Testing

@testable import fling

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite("A film")
struct FilmPictureTests {
  private static let svg = FilmPicture.svg(
    [
      Recording(name: "The plain recipe", ["0 ww", "50 wwl", "150 sws", "200 ss"]),
      Recording(name: "RowOperations", ["0 ww", "50 wll", "150 sss", "200 ss"]),
    ], conditions: ["6 run at once"])

  @Test("is well-formed and needs nothing but itself")
  func document() throws {
    let parser = XMLParser(data: Data(Self.svg.utf8))
    #expect(parser.parse(), "\(String(describing: parser.parserError))")
    // The namespace, and the screens' clip path.
    let wanted = ["http://": 1, "url(": 2]
    for word in ["<script", "foreignObject", "http://", "https://", "url(", "@import"] {
      let count = Self.svg.components(separatedBy: word).count - 1
      #expect(count == wanted[word, default: 0], "\(word)")
    }
  }

  @Test("has keyframes for each class that moves, in order and within the loop")
  func keyframes() throws {
    let names = Self.svg.matches(of: /class="a(?: l)? (k[0-9a-z]+)"/).map { String($0.1) }
    #expect(names.count > 8)
    for name in Set(names) {
      let rule = try #require(
        Self.svg.components(separatedBy: "@keyframes \(name){").dropFirst().first)
      let body = rule.prefix { $0 != "\n" }
      let percents = body.matches(of: /([0-9.]+)%\{/).compactMap { Double($0.1) }
      #expect(percents.first == 0)
      #expect(zip(percents, percents.dropFirst()).allSatisfy { $0 < $1 })
      #expect(percents.allSatisfy { $0 <= 100 })
    }
  }

  @Test("shows one moment of the run without its animations")
  func still() {
    let moving = Self.svg.matches(of: /class="a(?: l)? k[0-9a-z]+"/).count
    let placed = Self.svg.matches(of: /k[0-9a-z]+" transform="translate\([-.0-9]+(?: [-.0-9]+)?\)"/)
    #expect(placed.count == moving && moving > 8)
    // At 0.25 s, while one more row is blank with the recipe.
    #expect(Self.svg.contains(#"<g class="a l k0" transform="translate(0 -322)">"#))
  }

  @Test("writes numbers short")
  func numbers() {
    let numbers = [0, 1, -1, 0.04, 0.05, -0.25, 12.34, 100, 0.999, -0.04]
    #expect(
      numbers.map { FilmTiming.short($0) }
        == ["0", "1", "-1", "0", ".1", "-.3", "12.3", "100", "1", "0"])
    #expect(FilmTiming.short(3.14159, digits: 2) == "3.14")
    #expect(FilmTiming.short(3.1, digits: 2) == "3.1")
    #expect(FilmTiming(run: 8, pause: 2).percent(4) == "40%")
    #expect(FilmTiming(run: 8, pause: 2).percent(tick: 1) == ".5%")
  }

  @Test("starts flings at the same times, whatever the frames are")
  func course() {
    let course = FilmCourse(velocity: 6)
    for frame in [0.001, 0.016, 0.3, 2] {
      var velocities: [Double] = []
      var last = 0.0
      while last < course.duration {
        velocities += course.flings(after: last, through: last + frame).map(\.velocity)
        last += frame
      }
      #expect(velocities == [6, 6, -6])
    }
  }
}
