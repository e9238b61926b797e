// Sources/RowOperationsTesting/Scripts/EventScript.swift explains the letters of event scripts.

import RowOperationsTesting
import Testing

@Suite("Reading event scripts")
struct EventScriptReaderTests {
  // MARK: Shorthand

  @Test(
    "The reader fills in omitted cells",
    arguments: [
      ("c5", "c5(a)"),
      ("c5 c6 c7", "c5(a) c6(b) c7(c)"),
      ("c5 W5 E5", "c5(a) W5(a) E5(a)"),
      ("cW[0…2]", "c0(a) W0(a) c1(b) W1(b) c2(c) W2(c)"),
      ("cWE[3,1]", "c3(a) W3(a) E3(a) c1(b) W1(b) E1(b)"),
      ("cW[2...1] E[1,2]", "c2(a) W2(a) c1(b) W1(b) E1(b) E2(a)"),
      ("c[1,2] Ff[1,2]", "c1(a) c2(b) F1 f1 F2 f2"),
      ("vy[7]", "v7 y7"), ("cW[]", ""),
    ])
  func shorthand(text: String, full: String) throws {
    #expect(try EventScript(text).description == full)
  }

  @Test("An omitted cell is the last cell of the row")
  func lastCell() throws {
    let script = try EventScript("c5 c5(k) W5 c5 E5")
    #expect(script.description == "c5(a) c5(k) W5(k) c5(l) E5(l)")
  }

  @Test(
    "A new cell has a name that the script has not used before",
    arguments: [
      ("c1(d) c2", "c2(e)"), ("W1(d) c2", "c2(e)"), ("U(d) c2", "c2(e)"), ("D(d) c2", "c2(e)"),
      ("R(a,d,b) c2", "c2(e)"), ("c1(z) c2", "c2(a1)"), ("c1 c1(a) c2", "c2(b)"),
    ])
  func newCell(text: String, last: String) throws {
    #expect(try EventScript(text).steps.last?.description == last)
  }

  @Test("A script with filled-in cells can be written and read", arguments: 0..<20)
  func filledIn(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let words = (0..<50).map { _ in
      let row = Int.random(in: 0..<5, using: &random)
      return ["c\(row)", "cW[\(row)…\(row + 2)]", "c\(row) E\(row)", "P[\(row)]", "|"]
        .randomElement(using: &random) ?? ""
    }
    let script = try EventScript(words.joined(separator: " "))
    #expect(try EventScript(script.description) == script)
  }

  // MARK: Mistakes

  static func error(reading text: String) -> EventScriptError? {
    do {
      _ = try EventScript(text)
      return nil
    } catch {
      return error as? EventScriptError
    }
  }

  static let mistakes = [
    // No step at all.
    "x", "?", "||", "L", "c", "W", "5", "Pass", "BM", "ß", "[", "]", "()", "[]", "[1]", "(a)", "+",
    // No such step with a row, or without a row.
    "k5", "P5", "X5", "B-1", "U5", "R5", "L5", "k[]", "k[1]", "B[1]", "PX[1]", "cP[1]", "U[1]",
    "M-2", "S1.2", "L1.3@[5]", "L1@5[5]", "L1[5]",
    // Invalid rows.
    "cx", "P[x]", "P[1", "P1]", "P[1,,2]", "P[,]", "P[1,]", "P[1…]", "P[…1]", "P[…]", "P[1……3]",
    "P[1....3]", "P[1…2…3]", "P[1…2...3]", "P[1-3]", "P[1.5]", "P[99999999999999999999]",
    "P[0…99999999999]", "P[-9223372036854775808…9223372036854775807]",
    // Invalid cells, too many or too few cells, and cells of steps that have none.
    "W5()", "W5(a,b)", "W(a)", "Wx(a)", "W5(A)", "W5(1)", "W5(aa)", "W5(a0)", "W5(a01)", "W5(a+1)",
    "W5(a", "W5(á)", "W5(a99999999999999999999)", "W5(a999999999999999999)", "U()", "U(a,b)",
    "U5(a)", "D5(a)", "R(a,)", "R(,)", "R(a,,b)", "R(A)", "R5(a)", "F5(a)", "f5(a)", "v5(a)",
    "y5(a)", "P5(a)", "k5(a)",
    // No cell is known for the row.
    "W5", "E5", "W[5]", "Wc[5]",
    // Invalid times.
    "+ms", "+5", "+5s", "+-5ms", "+1+23ms", "+xms", "+infms", "+nanms", "+1e3ms", "+1e300ms",
    "+0x10ms",
    "+1.2.3ms", "+.5ms", "+5.ms", "+٣ms", "+0.0000000000000001ms", "+99999999999999999999999ms",
  ]

  @Test(
    "The error quotes the invalid word and is a sentence", arguments: mistakes)
  func mistake(word: String) {
    let error = Self.error(reading: "B \(word) |")
    #expect(error?.step == word)
    #expect(error?.description.hasPrefix("'\(word)' cannot be read. ") == true)
    #expect(error?.description.hasSuffix(".") == true)
  }

  @Test(
    "The error describes the mistake",
    arguments: [
      ("Pass", "It is not a step of an event script."),
      ("P5", "There is no step 'P' with a row."),
      ("F5(a)", "There is no step 'F' with a row and a cell."),
      ("Q[5]", "A list of rows cannot follow 'Q'."),
      ("P[1,x]", "'x' is neither a row nor a range of rows."),
      ("P[0…1000000]", "'0…1000000' is more rows than a script can name."),
      ("W5(a,b)", "It needs exactly one cell in parentheses."),
      ("W(a)", "There is no row between the letter and the cell."),
      ("W5(9)", "'9' is not a cell: cells are named a to z, a1 to z1, and so on."),
      ("E5", "Row 5 has no cell yet. Name the cell."),
      ("+5s", "A time is written in milliseconds, as in +150ms."),
    ])
  func reason(word: String, reason: String) {
    let error = Self.error(reading: word)
    #expect(error?.description == "'\(word)' cannot be read. \(reason)")
  }

  @Test(
    "Random text of script letters is read or refused with an error", arguments: 0..<20)
  func noise(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let letters = Array("cWEUDRPXBMLSZzNFfvy!-~*|+ms[](),….0123456789abz ")
    for _ in 0..<500 {
      let text = String(
        (0..<Int.random(in: 1...12, using: &random)).map { _ in
          letters.randomElement(using: &random) ?? " "
        })
      do {
        let script = try EventScript(text)
        #expect(try EventScript(script.description) == script, "\(text)")
      } catch {
        #expect(error is EventScriptError, "\(text)")
      }
    }
  }
}
