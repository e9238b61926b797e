// Sources/RowOperationsTesting/Scripts/EventScript.swift explains the letters of event scripts.

import Foundation
import RowOperationsTesting
import Testing

@Suite("Event scripts as text")
struct EventScriptTests {
  typealias Step = EventScript.Step

  /// Every kind of step and its text.
  static let steps: [(Step, String)] = [
    (.cellFor(row: 5, cell: 0), "c5(a)"),
    (.viewFor(row: 5, view: 1, host: 0), "h5(b,a)"),
    (.viewFor(row: nil, view: 1, host: 0), "h(b,a)"),
    (.willDisplay(row: 5, cell: 25), "W5(z)"),
    (.didEndDisplaying(row: -1, cell: 26), "E-1(a1)"),
    (.cover(cell: 1), "C(b)"),
    (.background(cell: 1), "b(b)"),
    (.unbind(cell: 1), "U(b)"),
    (.deallocate(cell: 79), "D(b3)"),
    (.reconcile(cells: []), "R()"),
    (.reconcile(cells: [2, 0]), "R(c,a)"),
    (.prefetch([]), "P[]"),
    (.prefetch([5]), "P[5]"),
    (.cancelPrefetch([5, 6]), "X[5,6]"),
    (.setOrder([0, 1, 2, 9]), "O[0…2,9]"),
    (.setOrder([]), "O[]"),
    (.listRows([4, 5, 6, 4], at: 30, list: 2), "Q2@30[4…6,4]"),
    (.itemRows([], at: 0, list: 1), "I1@0[]"),
    (.showPositions(5..<17, of: 0..<1_000_000, section: nil, list: 0), "V0@0…999999[5…16]"),
    (.showPositions(5..<6, of: 5..<6, section: 3, list: 1), "V1.3@5[5]"),
    (.showPositions(0..<0, of: 0..<0, section: nil, list: 1), "V1@[]"),
    (.scrollWillBegin, "B"),
    (.scrollDidMove, "M"),
    (.scrollWillEnd(landingOn: [5, 6, 7]), "L[5…7]"),
    (.scrollDidSettle, "S"),
    (.listScrollWillBegin(list: 0), "B0"),
    (.listScrollDidMove(list: 0), "M0"),
    (.listScrollDidSettle(list: 0), "S0"),
    (.listScrollWillBegin(list: 1), "B1"),
    (.listScrollDidMove(list: 12), "M12"),
    (.listScrollWillEnd(landingOn: [5, 6, 7], list: 1), "L1@[5…7]"),
    (.listScrollWillEnd(landingOn: [], list: 2), "L2@[]"),
    (.listScrollDidSettle(list: 1), "S1"),
    (.suspend, "Z"),
    (.resume, "z"),
    (.networkDidReturn, "N"),
    (.show(row: 5), "s5"),
    (.report(row: 0), "p0"),
    (.finish(row: 5), "F5"),
    (.fail(row: 0), "f0"),
    (.miss(row: 5), "m5"),
    (.element(row: 5), "e5"),
    (.endStream(row: 5), "q5"),
    (.failStream(row: 5), "x5"),
    (.setValue(row: 12), "v12"),
    (.retry(row: 5), "y5"),
    (.invalidate([7, 6, 5]), "![7…5]"),
    (.remove([5, 7, 8, 9, 3, 2, 1, 1]), "-[5,7…9,3…1,1]"),
    (.rename(5, to: -7), "=5>-7"),
    (.invalidateAll, "!*"),
    (.removeAll, "-*"),
    (.removeCachedValues, "~*"),
    (.passEnd, "|"),
    (.time(.milliseconds(150)), "+150ms"),
  ]

  @Test("Each step can be written and read", arguments: steps)
  func step(step: Step, text: String) throws {
    #expect(step.description == text)
    #expect(try EventScript(text).steps == [step])
  }

  @Test("The steps of a script are separated by white space")
  func script() throws {
    let script = EventScript(steps: Self.steps.map(\.0))
    #expect(script.description == Self.steps.map(\.1).joined(separator: " "))
    #expect(try EventScript(script.description) == script)
    #expect(
      try EventScript("  B\n\tM  ") == EventScript(steps: [.scrollWillBegin, .scrollDidMove]))
    #expect(try EventScript(" \n").steps == [])
    #expect(EventScript().description == "")
  }

  @Test("The key at EventScript has the letters of all kinds of steps, and no others")
  func key() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let source = root.appendingPathComponent(
      "Sources/RowOperationsTesting/Scripts/EventScript.swift")
    let examples = try String(contentsOf: source, encoding: .utf8).split(separator: "\n")
      .filter { $0.hasPrefix("/// | `") }
      .flatMap { row in
        row.components(separatedBy: " | ")[1].components(separatedBy: "`").enumerated()
          .filter { $0.offset % 2 == 1 }.map(\.element)
      }
    let letters = examples.map { letter(of: $0.replacingOccurrences(of: "\\|", with: "|")) }
    #expect(Set(letters) == Set(Self.steps.map { letter(of: $0.1) }))
  }

  /// `c` of `c5(a)`, and `!*` of itself.
  private func letter(of step: String) -> String {
    step.hasSuffix("*") ? step : String(step.prefix(1))
  }

  // MARK: Ranges

  @Test(
    "Ranges go up or down, with either kind of dots, among single rows",
    arguments: [
      ("P[1…4]", [1, 2, 3, 4]), ("P[1...4]", [1, 2, 3, 4]), ("P[4…1]", [4, 3, 2, 1]),
      ("P[4...1]", [4, 3, 2, 1]), ("P[7…7]", [7]), ("P[-2…1]", [-2, -1, 0, 1]),
      ("P[9,1…3,5,8...6,2]", [9, 1, 2, 3, 5, 8, 7, 6, 2]),
    ])
  func ranges(text: String, rows: [Int]) throws {
    #expect(try EventScript(text).steps == [.prefetch(rows)])
  }

  @Test("Random lists of rows can be written and read", arguments: 0..<20)
  func lists(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let scripts = (0..<200).map { _ in
      // Differences of one row are as frequent as larger differences.
      var row = Int.random(in: 0...20, using: &random)
      let rows = (0..<Int.random(in: 0...12, using: &random)).map { _ in
        row += [-1, -1, 1, 1, 0, 4].randomElement(using: &random) ?? 0
        return row
      }
      return EventScript(steps: [.prefetch(rows)])
    }
    let misread = scripts.first { (try? EventScript($0.description)) != $0 }
    #expect(misread == nil)
  }

  // MARK: Times

  @Test(
    "Times are exact in all digits",
    arguments: [
      (.zero, "+0ms"), (.milliseconds(1), "+1ms"), (.microseconds(250), "+0.25ms"),
      (.seconds(90), "+90000ms"), (.nanoseconds(123_456_789), "+123.456789ms"),
      (Duration(secondsComponent: 0, attosecondsComponent: 1), "+0.000000000000001ms"),
      (.seconds(Int64.max), "+9223372036854775807000ms"),
    ])
  func times(time: Duration, text: String) throws {
    #expect(Step.time(time).description == text)
    #expect(try EventScript(text).steps == [.time(time)])
  }

  @Test("Random times can be written and read", arguments: 0..<20)
  func randomTimes(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let scripts = (0..<200).map { _ in
      let scale = Int64.random(in: 0...18, using: &random)
      let limit = (0..<scale).reduce(Int64(1)) { power, _ in power * 10 }
      let time = Duration(
        secondsComponent: .random(in: 0...5, using: &random),
        attosecondsComponent: .random(in: 0..<limit, using: &random))
      return EventScript(steps: [.time(time)])
    }
    let misread = scripts.first { (try? EventScript($0.description)) != $0 }
    #expect(misread == nil)
  }

  @Test("Times can have more digits than necessary")
  func spareDigits() throws {
    let script = try EventScript("+007.50ms +0.0ms")
    #expect(script.steps == [.time(.microseconds(7500)), .time(.zero)])
  }
}
