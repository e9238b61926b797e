import RowOperationsTesting
import Testing

@testable import RowInspector
@testable import RowOperations

@Suite("The list doctor", .timeLimit(.minutes(10)))
@MainActor
struct ListDoctorTests {
  @Test("Each fault is found in a list that has it, and nothing else is", arguments: FaultyList.all)
  func fault(list: FaultyList) throws {
    let rig = InspectedList(configure: list.configure)
    try rig.play(list.script)
    #expect(rig.findings.map(\.sentence) == [list.sentence])
    #expect(rig.kinds == [list.kind])
    #expect(rig.findings.allSatisfy { !$0.advice.isEmpty && $0.description.contains($0.sentence) })
  }

  @Test("There is a faulty list for each fault")
  func faults() {
    #expect(Set(FaultyList.all.map(\.kind)) == Set(ListFinding.Kind.allCases))
  }

  @Test(
    "Nothing is found in a good list, whichever way it reports",
    arguments: [ListBehavior.tableView, .collectionView, .gtkListView])
  func goodList(behavior: ListBehavior) {
    let rig = InspectedList()
    let list = ListSimulator(rows: Array(0..<10_000), viewport: 600, behavior: behavior) {
      rig.app.handle($0)
    }
    rig.scroll(list)
    #expect(rig.findings == [])
    #expect(rig.tracker.metrics.finished > 50)
  }

  @Test("Lists with views inside cells, removed rows, a cover and a failure are good, too")
  func goodScripts() throws {
    for script in [
      "c0(a) W0(a) h1(b,a) | F0 F1 | +3000ms |",
      "c0(a) h1(b,a) W0(a) | F0 F1 | +3000ms | E0(a) c2(a) h3(b,a) W2(a) | F2 F3 | +3000ms |",
      "cW[0…2] | F0 F1 F2 | -[1] c3(b) | F3 | +3000ms |",
      "cW[0…2] | F0 F1 F2 | Z | +5000ms | z | +3000ms |",
      "c0(a) W0(a) | f0 | E0(a) | W0(a) | F0 | +3000ms |",
      "c[0…2] W0 W1 | F0 F1 | +3000ms |",
    ] {
      let rig = InspectedList()
      try rig.play(script)
      #expect(rig.findings == [], "\(script)")
    }
  }

  @Test("Lines that stay on screen and show other rows are good, also if the list scrolls")
  func lines() throws {
    let rig = InspectedList()
    try rig.play("B c0(a) W0(a) c1(b) W1(b) | F0 F1 |")
    for row in 2..<40 { try rig.play("M c\(row)(\(row % 2 == 0 ? "a" : "b")) | F\(row) |") }
    #expect(rig.findings == [])
  }

  @Test("The advice for unseen loads depends on whether the list reports scrolling")
  func silentScrolling() throws {
    let list = try #require(FaultyList.all.first { $0.kind == .unseenLoads })
    for (prefix, words) in [("", "does not hear of scrolling"), ("B S ", "and landings")] {
      let rig = InspectedList(configure: list.configure)
      try rig.play(prefix + list.script)
      #expect(rig.findings.first?.advice.contains(words) == true)
    }
  }

  @Test("A body that goes on is named with its stage, while it does and when it has ended")
  func stageOfBody() async throws {
    let clock = ManualClock()
    let gate = LoadGate<Int, Int>(stopsWhenCancelled: false)
    var configuration = TrackerConfiguration<Int, Int>()
    configuration.clock = clock
    configuration.grace = .zero
    let tracker = DisplayTracker(configuration: configuration) { try await gate.load($0) }
    let inspector = ListInspector(tracker)
    let cell = SimulatedCell(number: 0)
    tracker.bind(cell, to: 7) { _, _ in }
    tracker.willDisplay(cell)
    tracker.endPass()
    await gate.waitForLoads([7])
    clock.advance(by: .seconds(1))
    tracker.didEndDisplaying(cell)
    tracker.endPass()
    clock.advance(by: .seconds(1))
    #expect(inspector.findings == [])
    clock.advance(by: .seconds(11))
    let sentence = "One body ignores cancellation: stage fetch, 12 s for row 7."
    #expect(inspector.findings.map(\.sentence) == [sentence])
    gate.open(7, with: 7)
    while tracker.core.engine.runs.lingering > 0 { await Task.yield() }
    clock.advance(by: .seconds(60))
    #expect(inspector.findings.map(\.sentence) == [sentence])
  }

  @Test("Events alone are enough for what concerns loads")
  func eventsAlone() {
    var doctor = ListDoctor<String>()
    for (number, row) in ["a", "b", "c"].enumerated() {
      let time = Duration.seconds(number)
      let generation = UInt64(number)
      doctor.record(TrackerEvent(row: row, kind: .displayed, time: time))
      doctor.record(TrackerEvent(row: row, kind: .started(generation), time: time))
      for attempt in 0..<3 as Range<UInt64> {
        let failure = InspectedList.Failure()
        doctor.record(
          TrackerEvent(row: row, kind: .failed(generation + attempt * 10, failure), time: time))
      }
    }
    #expect(doctor.findings.map(\.kind) == [.repeatedFailures])
    #expect(
      doctor.findings.first?.sentence.hasPrefix("9 of 9 loads failed with: HTTP 404.") == true)
  }

  @Test("An inspector that comes late takes the rows on screen for displayed")
  func lateInspector() throws {
    let rig = InspectedList()
    try rig.play("cW[0…2] | F0 F1 F2 |")
    let late = ListInspector(rig.tracker)
    try rig.play("c3(a) c4(b) | F3 F4 | +3000ms |")
    #expect(late.findings == [])
  }

  @Test("A table of recent entries forgets the oldest, and stays small")
  func recentTable() {
    var table = RecentTable<Int, Int>(limit: 3)
    for key in 0..<1_000 {
      table[key] = key
      table[key] = -key
      if key % 2 == 0 { table[key] = nil }
    }
    #expect(Set(table.keys) == [995, 997, 999])
    #expect(table[997] == -997 && table[996] == nil)
    #expect(table.places <= 22)
  }
}
