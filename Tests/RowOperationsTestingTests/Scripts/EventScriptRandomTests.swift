import RowOperationsTesting
import Testing

@Suite("Random event scripts")
struct EventScriptRandomTests {
  static func script(_ seed: UInt64) -> EventScript {
    EventScript.random(seed: seed, length: 500, rows: 6, cells: 30)
  }

  @Test("They are read as they are written", arguments: 0..<20)
  func roundTrip(seed: UInt64) throws {
    let script = Self.script(seed)
    #expect(try EventScript(script.description) == script)
  }

  @Test("They are the same for the same seed, and others for others")
  func deterministic() {
    #expect(Self.script(1) == Self.script(1))
    #expect(Set((0..<20).map(Self.script)).count == 20)
  }

  @Test("They have the length, the rows and the cells that were asked for")
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

  @Test("Every kind of step comes up")
  func allKinds() {
    func kind(_ step: EventScript.Step) -> String {
      Mirror(reflecting: step).children.first?.label ?? step.description
    }
    let seen = Set((0..<10).flatMap { Self.script($0).steps.map(kind) })
    #expect(seen == Set(EventScriptTests.steps.map { kind($0.0) }))
  }
}
