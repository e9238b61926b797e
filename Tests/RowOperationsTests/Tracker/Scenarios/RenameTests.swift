// Sources/RowOperationsTesting/Scripts/EventScript.swift explains the letters of event scripts.

import Foundation
import Proofs
import RowOperationsTesting
import Testing

@testable import RowOperations
@testable import TestSupport

@Suite("Rows that get another id", .timeLimit(.minutes(10)))
@MainActor
struct RenameTests {
  /// Cells that count their renders, beside those of a script.
  @MainActor
  private final class Screen {
    let rig: TrackerRig
    let cells = (0..<4).map { SimulatedCell(number: $0) }
    private(set) var renders = [[LoadPhase]](repeating: [], count: 4)

    init(_ rig: TrackerRig) { self.rig = rig }

    func show(_ row: Int, in cell: Int) {
      bind(row, in: cell)
      rig.tracker.willDisplay(cells[cell])
    }

    func bind(_ row: Int, in cell: Int) {
      rig.tracker.bind(cells[cell], to: row) { [weak self] cell, phase in
        self?.renders[cell.number].append(phase.kind)
      }
    }
  }

  private func impressed(_ seen: Box<[Int]>) -> TrackerRig {
    TrackerRig {
      $0.impressionTime = .seconds(1)
      $0.onImpression = { seen.append($0) }
    }
  }

  // MARK: States

  @Test("A loaded row keeps its value, its cell and its impression, without a load or a render")
  func loaded() async throws {
    let seen = Box<[Int]>([])
    let rig = impressed(seen)
    let screen = Screen(rig)
    screen.show(1, in: 0)
    try await rig.playToTheEnd("| F1 | +900ms")
    let renders = screen.renders[0]
    rig.tracker.rename(1, to: 9)
    #expect(rig.tracker.displayedRows == [9] && rig.phase(of: 9) == .loaded)
    try await rig.playToTheEnd("| +100ms | |")
    #expect(seen.value == [9], "the stay goes on")
    #expect(screen.renders[0] == renders)
    screen.show(9, in: 0)
    try rig.play("+5000ms | |")
    #expect(screen.renders[0] == renders + [.loaded])
    #expect(seen.value == [9] && rig.recorder.started == [1])
    #expect(rig.phase(of: 1) == .waiting && rig.violations == [])
  }

  @Test("A row that was seen counts as seen under its other id")
  func seen() async throws {
    let seen = Box<[Int]>([])
    let rig = impressed(seen)
    try rig.play("c1(a) W1(a) | +1000ms | E1(a) | -[1] | | =1>9 c9(a) W9(a) | +5000ms |")
    #expect(seen.value == [1])
    try rig.play("c1(b) W1(b) | +5000ms | |")
    #expect(seen.value == [1, 1], "another row has the former id by now")
  }

  @Test("A row takes the impression of one that was seen before and left the screen")
  func seenBefore() throws {
    let seen = Box<[Int]>([])
    let rig = impressed(seen)
    try rig.play("c1(a) W1(a) | +1000ms | E1(a) | c9(b) W9(b) | +500ms =1>9 | +5000ms | |")
    #expect(seen.value == [1])
    try rig.play("=9>8")
    rig.tracker.forgetImpressions(of: [9])
    try rig.play("| +5000ms | |")
    #expect(seen.value == [1, 8], "the former id means the new one")
  }

  @Test("A running load goes on, and its value, its preview or its error is that of the new id")
  func running() async throws {
    let rig = TrackerRig()
    try await rig.playToTheEnd("cW[1…3] | =1>9 =2>8 =3>7 s1 | |")
    #expect(rig.rows(in: .loading) == [7, 8, 9])
    #expect(rig.tracker.phase(of: 9).value?.generation == 1_000)
    try await rig.playToTheEnd("F1 F2 f3 |")
    #expect([9, 8].allSatisfy { rig.phase(of: $0) == .loaded } && rig.phase(of: 7) == .failed)
    #expect(rig.recorder.started == [1, 2, 3] && rig.tracker.metrics.cancelledRunning == 0)
    #expect((rig.tracker.phase(of: 7).error as? TrackerRig.Failure)?.row == 3)
    #expect(rig.violations == [])
  }

  @Test("A waiting row keeps its place in line and loads under its new id")
  func waiting() async throws {
    let rig = TrackerRig { $0.slots = UpdateSlots(1) }
    try await rig.playToTheEnd("cW[1…3] | =2>9 | F1 |")
    #expect(rig.rows(in: .loading) == [9] && rig.waitingByPriority == [3])
    #expect(rig.recorder.started == [1, 9] && rig.violations == [])
  }

  @Test("A failed row stays failed, waits for its retry, or stays given up")
  func failed() async throws {
    let rig = TrackerRig {
      $0.retry = .backoff(.constant(.milliseconds(100), limit: 1))
      $0.shouldRetry = { ($0 as? TrackerRig.Failure)?.row != 2 }
    }
    try await rig.playToTheEnd("cW[1,2] | f1 f2 | =1>9 =2>8 | +99ms |")
    #expect(rig.rows(in: .waiting) == [9] && rig.phase(of: 8) == .failed)
    try await rig.playToTheEnd("+1ms |")
    #expect(rig.recorder.started == [1, 2, 9])
    try await rig.playToTheEnd("E2(b) | c8(b) W8(b) |")
    #expect(rig.recorder.started == [1, 2, 9] && rig.phase(of: 8) == .failed)
    try await rig.playToTheEnd("y8 |")
    #expect(rig.recorder.started == [1, 2, 9, 8] && rig.violations == [])
  }

  @Test("A prefetched row keeps its claim, and a row where the list lands, too")
  func prefetched() async throws {
    let rig = TrackerRig()
    try await rig.playToTheEnd("P[1] L[2] | =1>9 =2>8 | +10000ms | +1000ms |")
    #expect(rig.recorder.cancelled == [2], "the list counts as settled")
    try await rig.playToTheEnd("F1 | c9(a) W9(a) |")
    #expect(rig.phase(of: 9) == .loaded && rig.recorder.started == [1, 2])
    #expect(rig.tracker.metrics.prefetchedThenDisplayed == 1 && rig.violations == [])
  }

  @Test("The answer to a batch counts under the former id and under the new one")
  func batches() async throws {
    let rig = BatchRig(of: 4)
    try rig.play("cW[1…4] |")
    #expect(await rig.batches(1) == [[1, 2, 3, 4]])
    try rig.play("=1>9 =2>8 =3>4 | |")
    await rig.answer(1, with: [1, 8, 4])
    #expect([9, 8, 4].map { rig.value(of: $0) } == ["1", "8", "4"])
    #expect(rig.tracker.metrics.started == 4 && rig.violations == [])
    try rig.play("c5(e) W5(e) |")
    _ = await rig.batches(1)
    try rig.play("=5>7 | |")
    await rig.answer(5, with: [6])
    #expect(rig.code(of: 7) == .missingFromBatch && rig.violations == [])
  }

  @Test("A live row goes on listening to its stream")
  func live() async throws {
    let rig = LiveRig()
    try await rig.show(1...1)
    rig.tracker.rename(1, to: 9)
    rig.pass(.seconds(1))
    await rig.send("second", to: 1)
    #expect(rig.phase(9) == .loaded(.init(row: 1, text: "second")))
    #expect(rig.tracker.metrics.live == 1 && rig.streams.log.cancelled == [])
    #expect(rig.tracker.metrics.started == 1 && rig.violations == [])
  }

  // MARK: Two known rows

  /// A script in which row 1 becomes row 9, the row whose value is shown then, and the loads.
  struct Pair: Sendable, CustomTestStringConvertible {
    let script: String
    var phase = LoadPhase.loaded
    var value: Int?
    var started = [1]
    var cancelled: [Int] = []
    /// How often cell a is rendered because of the rename.
    var renders = 0
    var testDescription: String { script }
  }

  nonisolated static let pairs = [
    // The new row has nothing of its own.
    Pair(script: "c1(a) W1(a) | F1 | c9(b) =1>9 | W9(b)", value: 1),
    Pair(script: "c1(a) W1(a) c9(b) | F1 | W9(b) =1>9", value: 1),
    Pair(script: "c1(a) W1(a) c9(b) | =1>9 | W9(b) | F1", value: 1),
    Pair(script: "c1(a) W1(a) c9(b) | f1 | =1>9 | W9(b)", phase: .failed),
    Pair(script: "P[1] | c9(b) W9(b) =1>9 | F1", value: 1),
    // The new row loads in vain, or the former one does.
    Pair(script: "c1(a) W1(a) | F1 P[9] | =1>9", value: 1, started: [1, 9], cancelled: [9]),
    Pair(
      script: "c1(a) W1(a) P[9] | F9 | =1>9", value: 9, started: [1, 9], cancelled: [1], renders: 1),
    Pair(script: "c1(a) W1(a) P[9] | =1>9 | F9", value: 9, started: [1, 9], cancelled: [1]),
    // Both have a value, or a value that is out of date beside a load.
    Pair(script: "c1(a) W1(a) P[9] | F1 F9 | =1>9", value: 9, started: [1, 9], renders: 1),
    Pair(
      script: "c1(a) W1(a) P[9] | F1 ![1] | =1>9", phase: .loading, value: 1, started: [1, 9, 1],
      cancelled: [1]),
    Pair(
      script: "P[9] | F9 X[9] | ![9] c1(a) W1(a) | =1>9", phase: .loading, value: 9,
      started: [9, 1],
      renders: 1),
    // A failure goes on unless there is a load.
    Pair(script: "c1(a) W1(a) | f1 P[9] | =1>9", phase: .loading, started: [1, 9], renders: 1),
    Pair(script: "P[9] | f9 | c1(a) W1(a) | =1>9", phase: .loading, started: [9, 1]),
  ]

  @Test("Of two known rows, the new one keeps what it has and takes the rest", arguments: pairs)
  func known(pair: Pair) async throws {
    let rig = TrackerRig()
    let screen = Screen(rig)
    var renders = 0
    for step in try EventScript(pair.script).steps {
      switch step {
      case .cellFor(let row, let cell): screen.bind(row, in: cell)
      case .willDisplay(_, let cell): rig.tracker.willDisplay(screen.cells[cell])
      case .rename:
        renders = screen.renders[0].count
        try await rig.playToTheEnd("\(step) |")
        renders = screen.renders[0].count - renders
      default: try await rig.playToTheEnd("\(step)")
      }
    }
    try rig.play("|")
    #expect(rig.phase(of: 9) == pair.phase && rig.tracker.phase(of: 9).value?.row == pair.value)
    #expect(rig.recorder.started == pair.started && rig.recorder.cancelled == pair.cancelled)
    #expect(renders == pair.renders)
    #expect(rig.phase(of: 1) == .waiting && rig.tracker.phase(of: 1).value == nil)
    #expect(rig.violations == [])
  }

  @Test("Cells, claims and places of both rows are those of one")
  func claims() async throws {
    let rig = TrackerRig()
    try await rig.playToTheEnd(
      """
      Q1@0[2,3,9,4,5,6] V1@0…5[0] c1(a) c9(b) c1(c) W1(c) C(c) P[1] L[1] -[1] c1(a) P[1] L[1,9] |
      """)
    try rig.play("=1>9 |")
    let engine = rig.tracker.core.engine
    let id = try #require(rig.tracker.knownID(of: 9))
    let row = engine.rows[id]
    #expect(row.bindings == 2 && row.removals == 1 && row.places == 1)
    #expect(row.isLanding && row.isAnnounced && rig.tracker.position(of: 9) == 2)
    #expect(rig.tracker.knownID(of: 1) == nil && rig.violations == [])
    try await rig.playToTheEnd("W9(c) |")
    #expect(rig.player.content(ofCell: 2)?.phase.kind == .loading(hasStep: false))
    #expect(rig.recorder.started.count { $0 == 9 || $0 == 1 } == 1)
    #expect(rig.violations == [])
  }

  @Test("The impressions of both rows are one")
  func impressionsOfBoth() async throws {
    let seen = Box<[Int]>([])
    let rig = impressed(seen)
    try rig.play("c1(a) W1(a) | +600ms c9(b) W9(b) | +300ms =1>9 | +100ms | |")
    #expect(seen.value == [9], "the earlier stay goes on")
    try rig.play("E1(a) | +5000ms E9(b) | W9(b) | +5000ms | |")
    #expect(seen.value == [9] && rig.violations == [])
  }

  // MARK: Names

  @Test("Until the end of the next turn the former id means the new one, and then another row")
  func formerName() async throws {
    let rig = TrackerRig()
    try await rig.playToTheEnd("c1(a) W1(a) | F1 | =1>9 c1(b) W1(b) v1 P[1]")
    #expect(rig.tracker.displayedRows == [9] && rig.phase(of: 1) == .loaded)
    #expect(rig.tracker.explain(1) == "Row 1 is loaded.")
    try rig.play("![1]")
    #expect(rig.phase(of: 9) == .waiting)
    try rig.play("|")
    #expect(rig.phase(of: 1) == .waiting && rig.tracker.phase(of: 1).value == nil)
    try await rig.playToTheEnd("F9 | -[1] |")
    #expect(rig.phase(of: 9) == .loaded && rig.violations == [])
    try await rig.playToTheEnd("=9>8 -[9] |")
    #expect(rig.tracker.displayedRows == [] && rig.violations == [])
  }

  @Test("A rename in a turn, such as in a render, counts until the end of the turn after it")
  func withinTurn() async throws {
    let rig = TrackerRig()
    let cell = SimulatedCell(number: 0)
    var renders = 0
    rig.tracker.bind(cell, to: 1) { cell, phase in
      renders += 1
      guard phase.value != nil else { return }
      rig.tracker.rename(1, to: 9)
      rig.tracker.bind(cell, to: 1) { _, _ in renders += 1 }
    }
    rig.tracker.willDisplay(cell)
    rig.tracker.endPass()
    rig.arrive(1)
    rig.tracker.endPass()
    #expect(renders == 3 && rig.tracker.displayedRows == [9])
    #expect(rig.phase(of: 1) == .loaded && rig.tracker.core.engine.turns.isRequested)
    rig.tracker.endPass()
    #expect(rig.phase(of: 1) == .waiting && rig.phase(of: 9) == .loaded)
    #expect(renders == 3 && rig.violations == [])
  }

  @Test("A row is renamed back, again and in a chain, at once or later", arguments: ["", "|"])
  func chain(turn: String) async throws {
    let rig = TrackerRig()
    try await rig.playToTheEnd("c1(a) W1(a) | =1>2 \(turn) =2>3 \(turn) =3>1 \(turn) =1>4 |")
    #expect(rig.rows(in: .loading) == [4])
    try await rig.playToTheEnd("F1 | c4(a) |")
    #expect(rig.phase(of: 4) == .loaded && rig.recorder.started == [1])
    #expect((1...3).allSatisfy { rig.phase(of: $0) == .waiting })
    try rig.play("=4>5 =4>6 \(turn) =7>6 |")
    #expect(rig.phase(of: 6) == .loaded && rig.violations == [])
    #expect(rig.tracker.store.rows.renamed.isEmpty)
  }

  @Test("A rename of a row to itself does nothing")
  func toItself() async throws {
    let rig = TrackerRig()
    try await rig.playToTheEnd("c1(a) W1(a) | F1 |")
    await rig.tracker.pendingTurns()
    rig.tracker.rename(1, to: 1)
    #expect(!rig.tracker.core.engine.turns.isRequested && rig.phase(of: 1) == .loaded)
    #expect(rig.tracker.store.rows.renamed.isEmpty)
  }

  @Test("A row that the app's cache renames while it is bound is bound by its new number")
  func whileBound() async throws {
    var rename: (() -> Void)?
    let rig = TrackerRig {
      $0.cached = { _ in
        rename?()
        return nil
      }
    }
    try await rig.playToTheEnd("c1(a) W1(a) | F1 |")
    rename = {
      rename = nil
      rig.tracker.rename(1, to: 9)
    }
    try rig.play("c9(b)")
    #expect(rig.player.content(ofCell: 1)?.phase.value?.row == 1)
    #expect(rig.violations == [])
  }

  // MARK: Others

  @Test("A refresh waits for the row under its new id")
  func refresh() async throws {
    let rig = TrackerRig()
    try await rig.playToTheEnd("c1(a) W1(a) | F1 |")
    let refreshed = Task { await rig.tracker.refresh([1]) }
    await rig.recorder.wait { $0.started.count == 2 }
    try rig.play("=1>9 | |")
    #expect(!rig.tracker.core.waiters.isEmpty)
    try await rig.playToTheEnd("F1 |")
    await refreshed.value
    #expect(rig.phase(of: 9) == .loaded && rig.violations == [])
  }

  @Test("A recording has the rename, and its replay the same rows")
  func recording() async throws {
    let rig = TrackerRig()
    var lines: [String] = []
    rig.tracker.recordEvents { lines.append($0) }
    try await rig.playToTheEnd("c5(a) W5(a) P[6] | =5>7 | F5 c7(b) W7(b) =6>7 | +1000ms |")
    let text = lines.joined(separator: " ")
    #expect(text.contains("=0>2") && text.contains("=1>2") && text.contains("F0"))
    let inputs = RecordedInputs()
    inputs.lines = lines
    let settings = rig.tracker.core.engine.settings
    #expect(try inputs.differences(settings, slots: 4, displayed: [2]) == [])
    let replay = try ListReplay(text)
    #expect(replay.starts == [0, 1])
    #expect(replay.tracker.phase(of: 2).value == 0)
  }
}
