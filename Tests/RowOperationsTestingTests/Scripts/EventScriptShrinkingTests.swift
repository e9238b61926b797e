// Sources/RowOperationsTesting/Scripts/EventScript.swift explains the letters of event scripts.

import Proofs
import RowOperationsTesting
import Testing

@Suite("Shrinking event scripts")
struct EventScriptShrinkingTests {
  /// Whether the steps occur in order, with any others in between.
  static func contains(_ wanted: [EventScript.Step], in script: EventScript) -> Bool {
    var rest = wanted[...]
    for step in script.steps where step == rest.first { rest.removeFirst() }
    return rest.isEmpty
  }

  @Test("A planted fault is reduced to its shortest form", arguments: 0..<30)
  func planted(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let fault = try EventScript("P[77] Z c77(k) | +77ms z").steps
    var script = EventScript.random(seed: seed, length: 200, rows: 6, cells: 4)
    var places = (0..<fault.count).map { _ in Int.random(in: 0...200, using: &random) }
    places.sort()
    for (place, step) in zip(places, fault).reversed() { script.steps.insert(step, at: place) }
    let short = script.shrunk { Self.contains(fault, in: $0) }
    #expect(short.steps == fault)
  }

  @Test(
    "A fault that needs several equal steps keeps exactly that number", arguments: 1...6)
  func counted(count: Int) {
    func fails(_ script: EventScript) -> Bool {
      script.steps.count { $0 == .passEnd } >= count
    }
    let script = EventScript.random(seed: 3, length: 300, rows: 6, cells: 4)
    let short = script.shrunk(while: fails)
    #expect(short.steps == Array(repeating: .passEnd, count: count))
  }

  @Test("A reduced script fails, and does not fail without any one of its steps", arguments: 0..<30)
  func irreducible(seed: UInt64) {
    // A condition that changes back and forth as steps are removed.
    func fails(_ script: EventScript) -> Bool {
      script.steps.count { $0 == .passEnd } % 3 == 2 && script.steps.contains(.scrollWillBegin)
    }
    var seeds = seed * 1000
    var script = EventScript.random(seed: seeds, length: 100, rows: 6, cells: 4)
    while !fails(script) {
      seeds += 1
      script = EventScript.random(seed: seeds, length: 100, rows: 6, cells: 4)
    }
    let short = script.shrunk(while: fails)
    #expect(fails(short))
    for index in short.steps.indices {
      var shorter = short
      shorter.steps.remove(at: index)
      #expect(!fails(shorter))
    }
  }

  @Test("Steps that depend on each other are removed together", arguments: 1...20)
  func chained(pairs: Int) throws {
    // There must be at least as many beginnings as moves.
    func fails(_ script: EventScript) -> Bool {
      let beginnings = script.steps.count { $0 == .scrollWillBegin }
      let moves = script.steps.count { $0 == .scrollDidMove }
      return script.steps.contains(.passEnd) && beginnings >= moves
    }
    let text = String(repeating: "B ", count: pairs) + String(repeating: "M ", count: pairs) + "|"
    #expect(try EventScript(text).shrunk(while: fails) == EventScript("|"))
  }

  @Test("A script that cannot be reduced stays unchanged")
  func nothingToShrink() throws {
    let script = try EventScript("B M S")
    #expect(script.shrunk { $0 == script } == script)
    #expect(EventScript().shrunk { _ in true } == EventScript())
    #expect(script.shrunk { _ in true } == EventScript())
  }
}
