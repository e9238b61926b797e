import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("Cells of covered lists", .timeLimit(.minutes(10)))
@MainActor
struct CoverTests {
  @Test("Rows of a covered list load after the rows on screen, though they came first")
  func order() async throws {
    let rig = TrackerRig { $0.slots = UpdateSlots(2) }
    try await rig.playToTheEnd("cW[0…7] | C(a) C(b) C(c) C(d) C(e) C(f) C(g) C(h) | cW[20,21] |")
    #expect(rig.rows(in: .loading) == [0, 1], "they go on")
    try await rig.playToTheEnd("F0 F1 |")
    #expect(rig.rows(in: .loading) == [20, 21])
    try await rig.playToTheEnd("F20 F21 |")
    #expect(rig.rows(in: .loading) == [])
    #expect(rig.violations == [])
  }

  @Test("A covered row keeps its value and its binding, and shows a newer value when it is back")
  func keeps() async throws {
    let rig = TrackerRig { $0.retention = .none }
    try await rig.playToTheEnd("c0(a) W0(a) | F0 |")
    try rig.play("C(a) | +10000ms |")
    #expect(rig.phase(of: 0) == .loaded)
    #expect(rig.displayed == [])
    rig.tracker.setValue(.init(row: 0, generation: 77), for: 0)
    rig.tracker.endPass()
    #expect(rig.player.content(ofCell: 0)?.phase.value?.generation == 0, "it is not rendered")
    try rig.play("W0(a)")
    #expect(rig.player.content(ofCell: 0)?.phase.value?.generation == 77)
    #expect(rig.starts(of: 0) == 1)
    #expect(rig.violations == [])
  }

  @Test("Low memory drops the values under another screen, which load when the list is back")
  func lowMemory() async throws {
    let rig = TrackerRig()
    try await rig.playToTheEnd("cW[0…4] h5(f,b) | F[0…5] | b(a) C(b) C(c) c2(g) W2(g) C(d) b(e) |")
    try rig.play("b(d) C(e) c1(h)")
    func shown(_ cell: Int) -> Int? { rig.player.content(ofCell: cell)?.phase.value?.row }
    rig.tracker.removeCachedValues()
    #expect((0...7).map(shown) == [0, nil, 2, 3, nil, nil, 2, 1])
    #expect((0...5).filter { rig.tracker.phase(of: $0).value == nil } == [1, 4, 5])
    try await rig.playToTheEnd("| ~* | +10000ms |")
    #expect(rig.starts(of: 1) == 1)
    #expect(rig.violations == [])
    try await rig.playToTheEnd("W0(a) W1(b) W2(c) W3(d) W4(e) |")
    #expect(rig.rows(in: .loading) == [1, 4, 5])
    try await rig.playToTheEnd("F[1,4,5] |")
    #expect((0...5).map(shown) == [0, 1, 2, 3, 4, 5])
    #expect(rig.violations == [])
  }

  @Test("Low memory renders a covered cell once, unless it is back or covered anew by then")
  func lowMemoryRenders() async throws {
    let rig = TrackerRig()
    let cells = (0..<4).map { SimulatedCell(number: $0) }
    var renders: [[Bool]] = [[], [], [], []]
    var call: () -> Void = {}
    func bind(_ cell: SimulatedCell) {
      rig.tracker.bind(cell, to: cell.number) { cell, phase in
        renders[cell.number].append(phase.value != nil)
        call()
      }
    }
    for cell in cells {
      bind(cell)
      rig.tracker.willDisplay(cell)
      rig.tracker.setValue(.init(row: cell.number, generation: 1), for: cell.number)
      rig.tracker.endPass()
      rig.tracker.cover(cell)
    }
    rig.tracker.endPass()
    #expect(renders.allSatisfy { $0 == [false, true] })
    call = {
      call = {}
      rig.tracker.setValue(.init(row: 1, generation: 2), for: 1)
      rig.tracker.willDisplay(cells[2])
      rig.tracker.cover(cells[2])
      bind(cells[3])
    }
    rig.tracker.removeCachedValues()
    rig.tracker.endPass()
    rig.tracker.removeCachedValues()
    #expect(renders.allSatisfy { $0 == [false, true, false] })
    #expect(rig.violations == [])
  }

  @Test("A covered row keeps the preview and the value of a load that goes on when memory is low")
  func lowMemoryAmidLoad() async throws {
    let rig = TrackerRig()
    try await rig.playToTheEnd("cW[0,1] | F[0,1] ![0,1] | s0 | C(a) C(b) ~* |")
    #expect(rig.player.content(ofCell: 0)?.phase.value?.generation == 1_000)
    #expect(rig.player.content(ofCell: 1)?.phase.value == nil)
    try await rig.playToTheEnd("F[0,1] | W0(a) W1(b) |")
    #expect((0...1).map { rig.starts(of: $0) } == [2, 2])
    #expect((0...1).map { rig.phase(of: $0) } == [.loaded, .loaded])
    #expect(rig.violations == [])
  }

  @Test("A covered load ends, without a grace and without a second start")
  func running() async throws {
    let rig = TrackerRig()
    try await rig.playToTheEnd("c0(a) W0(a) | C(a) | +10000ms | F0 |")
    #expect(rig.recorder.cancelled == [])
    #expect(rig.phase(of: 0) == .loaded)
    try rig.play("W0(a) |")
    #expect(rig.starts(of: 0) == 1)
  }

  @Test("A covered row that failed or waits for a retry loads when it is back")
  func failures() async throws {
    let rig = TrackerRig {
      $0.retry = .backoff(.constant(.milliseconds(100), limit: 1))
      $0.shouldRetry = { ($0 as? TrackerRig.Failure)?.row != 1 }
    }
    try await rig.playToTheEnd("cW[0,1] | f0 f1 | C(a) C(b) | +10000ms |")
    #expect(rig.rows(in: .loading) == [])
    try await rig.playToTheEnd("W0(a) W1(b) |")
    #expect(rig.rows(in: .loading) == [0])
    #expect(rig.phase(of: 1) == .failed, "no retry helps")
    #expect(rig.violations == [])
  }

  @Test("Time under a cover makes no impression, and no blank time")
  func impressions() async throws {
    var seen: [Int] = []
    let rig = TrackerRig {
      $0.impressionTime = .seconds(1)
      $0.onImpression = { seen.append($0) }
    }
    try rig.play("c0(a) W0(a) | +100ms C(a) | +5000ms |")
    #expect(seen == [])
    #expect(rig.tracker.metrics.blankTime == .milliseconds(100))
    try rig.play("W0(a) | +900ms |")
    #expect(seen == [], "a new stay began")
    try rig.play("+200ms |")
    #expect(seen == [0])
  }

  @Test("A display that goes on after a cover has one time to its first value")
  func firstValue() async throws {
    let rig = TrackerRig()
    try await rig.playToTheEnd("c0(a) W0(a) | +20ms F0 | C(a) | W0(a) | C(a) | W0(a) |")
    #expect(rig.tracker.metrics.timeToFirstValue.count == 1)
    try rig.play("E0(a) | W0(a) |")
    #expect(rig.tracker.metrics.timeToFirstValue.count == 2, "it is another display")
    try rig.play("E0(a) | C(a) | W0(a) |")
    #expect(rig.tracker.metrics.timeToFirstValue.count == 3, "a cover came first")
  }
}
