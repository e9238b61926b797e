// Sources/RowOperationsTesting/Scripts/EventScript.swift explains the letters of event scripts.

import RowOperationsTesting
import Testing

@testable import RowOperations
@testable import TestSupport

extension Adapters {
  @Suite("Recordings", .timeLimit(.minutes(10)))
  @MainActor
  struct RecordingTests {
    private final class Lines {
      var all: [String] = []
    }

    @Test("A recording reads like the script that was played")
    func text() async throws {
      let lines = [
        "c0(a) W0(a) c1(b) W1(b) P[2,3] |",
        "+16ms B M +16ms M L[1…3] |",
        "S X[3] E0(a) U(b) R(a) v1 ![0,1] y0 !* ~* -[1] |",
        "+150ms Z z -* |",
      ]
      // Ends of loads are recorded as they come; here no load ends, as all bodies have begun.
      let rig = TrackerRig(stopsWhenCancelled: false)
      let recorded = Lines()
      rig.tracker.recordEvents { recorded.all.append($0) }
      try rig.play(lines[0])
      await rig.gate.waitForLoads([0, 1, 2, 3])
      for line in lines.dropFirst() { try rig.play(line) }
      #expect(recorded.all.filter { $0 != "|" } == lines)
      rig.gate.openAll { TrackerRig.Loaded(row: $0, generation: 0) }
    }

    @Test(
      "Views, previews, progress, failures and retries are recorded as they are played",
      arguments: [
        "c0(a) W0(a) h1(b,a) W1(b) |", "c0(a) W0(a) | p0 | s0 |", "c0(a) W0(a) | f0 | y0 |",
      ])
    func steps(script: String) async throws {
      let rig = TrackerRig()
      let lines = Lines()
      rig.tracker.recordEvents { lines.all.append($0) }
      try await rig.playToTheEnd(script)
      #expect(lines.all.filter { $0 != "|" }.joined(separator: " ") == script)
    }

    @Test("The end of a removed row's load is recorded under that row")
    func endsOfRemovedRows() async throws {
      let rig = TrackerRig(stopsWhenCancelled: false)
      let lines = Lines()
      rig.tracker.recordEvents { lines.all.append($0) }
      try rig.play("c5(a) W5(a) |")
      await rig.gate.waitForLoads([5])
      // Row 7 reuses the internal number of row 5.
      try rig.play("-[5] c7(b) W7(b) |")
      rig.gate.open(5, with: TrackerRig.Loaded(row: 5, generation: 0))
      await rig.tracker.waitUntil { $0.core.engine.runs.lingering == 0 }
      try rig.play("|")
      let words = lines.all.flatMap { $0.split(separator: " ") }
      // Rows are numbered in the order in which they are named.
      #expect(words.contains { $0 == "f0" || $0 == "F0" })
      #expect(!words.contains { $0 == "f1" || $0 == "F1" })
      rig.gate.openAll { TrackerRig.Loaded(row: $0, generation: 0) }
    }

    @Test("A deallocated cell is recorded, and its successor is another cell")
    func deadCells() {
      let rig = TrackerRig()
      let lines = Lines()
      rig.tracker.recordEvents { lines.all.append($0) }
      for row in 0..<3 {
        let cell = SimulatedCell(number: row)
        rig.tracker.bind(cell, to: row) { _, _ in }
        rig.tracker.willDisplay(cell)
        rig.tracker.endPass()
      }
      rig.tracker.endPass()
      let words = lines.all.flatMap { $0.split(separator: " ") }
      #expect(words.filter { $0.hasPrefix("c") } == ["c0(a)", "c1(b)", "c2(c)"])
      #expect(words.contains("D(a)") && words.contains("D(b)"))
    }

    @Test("The display of a cell that the recording has not seen before names a new cell")
    func unseen() throws {
      let rig = TrackerRig()
      let lines = Lines()
      rig.tracker.recordEvents { lines.all.append($0) }
      try rig.play("c5(a) W5(a) |")
      let cell = SimulatedCell(number: 1)
      rig.tracker.willDisplay(cell)
      rig.tracker.bind(cell, to: 6) { _, _ in }
      rig.tracker.endPass()
      #expect(lines.all == ["c0(a) W0(a) |", "W-1(b) c1(b) |"])
    }

    @Test("The progress of a batch is recorded, under its first row")
    func batchProgress() async throws {
      let rig = BatchRig()
      let lines = Lines()
      rig.tracker.recordEvents { lines.all.append($0) }
      try rig.play("cW[4,5] |")
      _ = await rig.batches(1)
      rig.contexts.value[0].context.report(progress: 0.5)
      await rig.tracker.waitUntil { $0.phase(of: 5).progress == 0.5 }
      await rig.answer(4, with: [4, 5])
      try rig.play("|")
      let words = lines.all.flatMap { $0.split(separator: " ") }.filter {
        "pF".contains($0.prefix(1))
      }
      #expect(words == ["p0", "F0", "F1"])
    }

    @Test("A value that the app's cache has when the load begins is recorded as one that is set")
    func cachedValue() throws {
      let stored = Box<TrackerRig.Loaded?>(nil)
      let rig = TrackerRig { $0.cached = { _ in stored.value } }
      let lines = Lines()
      rig.tracker.recordEvents { lines.all.append($0) }
      try rig.play("c4(a) W4(a)")
      stored.set(TrackerRig.Loaded(row: 4, generation: 0))
      try rig.play("| |")
      #expect(lines.all == ["c0(a) W0(a) |", "v0 |"])
    }

    @Test("Rows of consecutive positions are recorded together, and items of several rows alone")
    func items() {
      let rig = TrackerRig()
      let lines = Lines()
      rig.tracker.recordEvents { lines.all.append($0) }
      let cell = SimulatedCell(number: 0)
      rig.tracker.bind(cell, to: 4) { _, _ in }
      rig.tracker.willDisplay(cell)
      let items = [[7], [4], [8, 9], [6]]
      _ = rig.tracker.find([cell], inList: 1, isOtherData: true) { RowSource(items) { $0 } }
      rig.tracker.endPass()
      let words = lines.all.flatMap { $0.split(separator: " ") }.filter {
        "QI".contains($0.prefix(1))
      }
      #expect(words == ["Q1@0[1,0]", "I1@2[2,3]", "Q1@3[4]"])
    }

    @Test("A section that a list no longer shows is recorded as one without positions")
    func sections() throws {
      let lines = Lines()
      let recorder = InputRecorder(number: { Int($0.index) }, numberOfUpdate: { _, _ in nil })
      recorder.write = { lines.all.append($0) }
      for section in [1, 1, 2] {
        let span = ShownPositions(section: section, bounds: 0..<9, shown: 2..<4)
        recorder.recordPositions([try #require(span)], ofList: 3, at: 0)
      }
      recorder.record(.passEnd, at: 0)
      let inputs = [(1, 2..<4, 0..<9), (1, 2..<4, 0..<9), (1, 0..<0, 0..<0), (2, 2..<4, 0..<9)].map
      {
        TrackerInput<Int, Int>.showPositions($1, of: $2, section: $0, list: 3).description
      }
      #expect(lines.all == [(inputs + ["|"]).joined(separator: " ")])
    }

    @Test("A recording that begins late has the rows and the positions of the lists before it")
    func late() throws {
      let rig = TrackerRig()
      let lines = Lines()
      rig.tracker.setOrder(0..<10)
      try rig.play("c4(a) W4(a) |")
      rig.tracker.recordEvents { lines.all.append($0) }
      rig.tracker.endPass()
      #expect(lines.all == ["Q0@1[0…7] V0@0…9[4] |"])
    }

    @Test(
      "A recording that stops records nothing more, and closures may call the tracker meanwhile")
    func off() throws {
      let rig = TrackerRig()
      let lines = Lines()
      rig.tracker.recordEvents { [unowned rig] line in
        lines.all.append(line)
        rig.tracker.recordEvents(nil)
        rig.tracker.prefetch([7])
      }
      try rig.play("c0 W0 | c1 W1 |")
      #expect(lines.all == ["c0(a) W0(a) |"])
      #expect(rig.phase(of: 7) == .loading)
    }
  }
}
