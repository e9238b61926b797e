import Proofs
import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("Random event scripts")
struct EventScriptRandomTests {
  static func script(_ seed: UInt64, withHosts: Bool = false) -> EventScript {
    EventScript.random(seed: seed, length: 500, rows: 6, cells: 30, withHosts: withHosts)
  }

  @Test("A random script can be written and read", arguments: 0..<20)
  func roundTrip(seed: UInt64) throws {
    let script = Self.script(seed)
    #expect(try EventScript(script.description) == script)
  }

  @Test("The same seed gives the same script, and another seed another script")
  func deterministic() {
    #expect(Self.script(1) == Self.script(1))
    #expect(Set((0..<20).map { Self.script($0) }).count == 20)
  }

  @Test("A random script has the given length, rows and cells")
  func sizes() {
    for (rows, cells) in [(1, 1), (2, 3), (9, 2)] {
      let script = EventScript.random(seed: 7, length: 2000, rows: rows, cells: cells)
      #expect(script.steps.count == 2000)
      var seen: (rows: Set<Int>, cells: Set<Int>) = ([], [])
      for case .cellFor(let row, let cell) in script.steps {
        seen.rows.insert(row)
        seen.cells.insert(cell)
      }
      #expect(seen.rows == Set(0..<rows))
      #expect(seen.cells == Set(0..<cells))
    }
    #expect(EventScript.random(seed: 7, length: 0, rows: 1, cells: 1).steps == [])
  }

  @Test("Random scripts contain every kind of step; hosts and the like only on request")
  func allKinds() {
    func kind(_ step: EventScript.Step) -> String {
      Mirror(reflecting: step).children.first?.label ?? step.description
    }
    let every = Set(EventScriptTests.steps.map { kind($0.0) })
    let ofStreams: Set = ["element", "endStream", "failStream"]
    let all = every.subtracting(ofStreams).subtracting(["rename"])
    let withStreams = (0..<10 as Range<UInt64>).flatMap { seed in
      EventScript.random(seed: seed, length: 500, rows: 6, cells: 30, withStreams: true).steps
        .map(kind)
    }
    #expect(Set(withStreams) == all.union(ofStreams).subtracting(["viewFor", "miss"]))
    let withRenames = (0..<10 as Range<UInt64>).flatMap { seed in
      EventScript.random(seed: seed, length: 500, rows: 6, cells: 30, withRenames: true).steps
        .map(kind)
    }
    #expect(Set(withRenames) == all.union(["rename"]).subtracting(["viewFor", "miss"]))
    let withHosts = (0..<10).flatMap { Self.script($0, withHosts: true).steps.map(kind) }
    #expect(Set(withHosts) == all.subtracting(["miss"]))
    let withBatches = (0..<10 as Range<UInt64>).flatMap { seed in
      EventScript.random(seed: seed, length: 500, rows: 6, cells: 30, withBatches: true).steps
        .map(kind)
    }
    #expect(Set(withBatches) == all.subtracting(["viewFor"]))
    let without = (0..<10).flatMap { Self.script($0).steps.map(kind) }
    #expect(Set(without) == all.subtracting(["viewFor", "miss"]))
  }

  @Test("Whatever a list does, the checks hold", arguments: 0..<20 as Range<UInt64>)
  @MainActor
  func anything(seed: UInt64) {
    let script = EventScript.random(
      seed: seed, length: 200, rows: 12, cells: 8, withRenames: true)
    guard !violations(after: script).isEmpty else { return }
    let shortest = script.shrunk { !violations(after: $0).isEmpty }
    Issue.record("Seed \(seed): \(violations(after: shortest)) after \(shortest)")
  }

  @MainActor
  private func violations(after script: EventScript) -> [Violation] {
    let clock = ManualClock()
    let gate = LoadGate<Int, String>()
    var configuration = TrackerConfiguration<Int, String>()
    configuration.clock = clock
    let tracker = DisplayTracker(configuration: configuration) { try await gate.load($0) }
    let player = ScriptPlayer(tracker, clock: clock, row: { $0 }, rowOfValue: { Int($0) ?? -1 })
    player.onLoadStep = { step in
      if case .setValue(let row) = step { tracker.setValue("\(row)", for: row) }
    }
    var violations: [Violation] = []
    for step in script.steps + [.passEnd] {
      player.play(step)
      if step == .passEnd { violations += tracker.audit() }
    }
    return violations
  }
}
