import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("The rows that onCommit names", .timeLimit(.minutes(10)))
@MainActor
struct CommitTests {
  @Test("A value that a cell shows only when it comes back is in the next onCommit")
  func atDisplay() {
    var commits: [[Int]] = []
    let rig = TrackerRig { $0.onCommit = { commits.append($0.sorted()) } }
    let cell = SimulatedCell(number: 0)
    var shown: [LoadPhase] = []
    rig.tracker.bind(cell, to: 1) { _, phase in shown.append(phase.kind) }
    rig.tracker.willDisplay(cell)
    rig.tracker.endPass()
    rig.tracker.didEndDisplaying(cell)
    rig.arrive(1)
    rig.tracker.endPass()
    rig.tracker.endPass()
    #expect(rig.phase(of: 1) == .loaded)
    #expect(shown == [.waiting, .loading])
    #expect(commits == [])
    rig.tracker.willDisplay(cell)
    #expect(shown == [.waiting, .loading, .loaded])
    rig.tracker.endPass()
    rig.tracker.endPass()
    #expect(commits == [[1]])
  }

  @Test("onCommit names a row for a value of any source")
  func sources() async throws {
    var commits: [[Int]] = []
    var hasCache = false
    let rig = TrackerRig {
      $0.onCommit = { commits.append($0.sorted()) }
      $0.cached = { hasCache && $0 == 4 ? TrackerRig.Loaded(row: $0, generation: 0) : nil }
    }
    try await rig.playToTheEnd("cW[1…4] | s1 | v2 |")
    #expect(commits == [[1], [2]], "a preview, and a value that the app sets")
    hasCache = true
    rig.tracker.bind(SimulatedCell(number: 9), to: 4) { _, _ in }
    try await rig.playToTheEnd("| F1 | |")
    #expect(commits.dropFirst(2) == [[1]], "the value of the cache came too late: the row loads")
    try await rig.playToTheEnd("-[4] c4(x) W4(x) | |")
    #expect(commits.last == [4], "a value of the cache")
    #expect(rig.violations == [])
  }

  @Test("onCommit names a row once, though two of its cells come back and its value is set")
  func once() async throws {
    var commits: [[Int]] = []
    let rig = TrackerRig { $0.onCommit = { commits.append($0) } }
    try await rig.playToTheEnd("c7(a) c7(b) W7(a) W7(b) | E7(a) E7(b) | F7 |")
    #expect(commits == [])
    try rig.play("W7(a) W7(b) |")
    #expect(commits == [[7]])
    try rig.play("E7(a) | v7 W7(a) |")
    #expect(commits == [[7], [7]])
    #expect(rig.violations == [])
  }

  @Test("onCommit does not name a row on screen whose phase alone changes")
  func phaseAlone() async throws {
    var commits: [[Int]] = []
    let rig = TrackerRig { $0.onCommit = { commits.append($0) } }
    try await rig.playToTheEnd("c1(a) W1(a) | F1 |")
    #expect(commits == [[1]])
    rig.tracker.invalidate([1])
    rig.tracker.endPass()
    #expect(rig.phase(of: 1) == .loading)
    #expect(commits == [[1]])
  }

  @Test("onCommit does not name a row that is removed before the end of the turn")
  func removedRow() async throws {
    var commits: [[Int]] = []
    let rig = TrackerRig { $0.onCommit = { commits.append($0) } }
    try await rig.playToTheEnd("c1(a) W1(a) | E1(a) | F1 | |")
    try rig.play("W1(a) -[1] c2(a) |")
    #expect(commits == [])
    #expect(rig.violations == [])
  }
}
