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

  @Test("onCommit names a row whose new value is shown as the previous one of another load")
  func staleValue() async throws {
    var commits: [[Int]] = []
    let rig = TrackerRig { $0.onCommit = { commits.append($0) } }
    try await rig.playToTheEnd("c1(a) W1(a) | E1(a) | v1 |")
    rig.tracker.invalidate([1])
    rig.tracker.endPass()
    #expect(commits == [])
    try rig.play("W1(a) |")
    #expect(commits == [[1]])
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

  /// A cell of row 1 on screen, which is rendered when it leaves.
  @MainActor
  private final class LeavingCell {
    private(set) var commits: [[Int]] = []
    private(set) var moments: [RenderMoment] = []
    private let cell = SimulatedCell(number: 0)
    private(set) lazy var rig = TrackerRig {
      $0.onCommit = { [unowned self] in commits.append($0) }
    }

    init() {
      rig.tracker.bind(cell, to: 1, rendering: { [unowned self] in moments.append($2) })
      comeBack()
    }

    func leave() { rig.tracker.didEndDisplaying(cell) }

    func loadEnds() {
      rig.arrive(1)
      rig.tracker.endPass()
      rig.tracker.endPass()
    }

    func comeBack() {
      rig.tracker.willDisplay(cell)
      rig.tracker.endPass()
    }
  }

  @Test("onCommit names no row that comes back with the value of its last display")
  func comesBack() {
    let cell = LeavingCell()
    cell.loadEnds()
    #expect(cell.commits == [[1]])
    cell.leave()
    cell.rig.tracker.endPass()
    #expect(cell.moments.last == .leaving)
    cell.comeBack()
    #expect(cell.moments.last != .leaving, "the cell is rendered again")
    #expect(cell.commits == [[1]])
  }

  @Test("onCommit names a row whose value arrived in the turn in which its cell left")
  func arrivesWhileLeaving() {
    let cell = LeavingCell()
    cell.leave()
    cell.loadEnds()
    #expect(cell.commits == [])
    cell.comeBack()
    #expect(cell.commits == [[1]])
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

  @Test(
    "onCommit names a row after its render in the same turn, though another render displays it",
    arguments: [false, true])
  func displayedByRender(endsPass: Bool) throws {
    var log: [String] = []
    let rig = TrackerRig { $0.onCommit = { rows in log += rows.map { "commit \($0)" } } }
    let cells = (1...2).map { SimulatedCell(number: $0) }
    for cell in cells {
      rig.tracker.bind(cell, to: cell.number) { [weak tracker = rig.tracker] cell, phase in
        guard phase.kind == .loaded else { return }
        log.append("render \(cell.number)")
        if cell.number == 1 {
          tracker?.willDisplay(cells[1])
          if endsPass { tracker?.endPass() }
        }
      }
      rig.tracker.willDisplay(cell)
    }
    rig.tracker.endPass()
    // The value of row 2 arrives while its cell is off screen.
    rig.tracker.didEndDisplaying(cells[1])
    rig.arrive(2)
    rig.tracker.endPass()
    rig.tracker.endPass()
    #expect(rig.phase(of: 2) == .loaded)
    #expect(log == [])
    rig.arrive(1)
    for _ in 0..<2 {
      rig.tracker.endPass()
      #expect([0, 4].contains(log.count), "\(log)")
    }
    #expect(Set(log) == ["render 1", "render 2", "commit 1", "commit 2"])
    for row in 1...2 {
      let render = try #require(log.firstIndex(of: "render \(row)"))
      let commit = try #require(log.firstIndex(of: "commit \(row)"))
      #expect(render < commit)
    }
  }

  @Test("Displayed rows are committed and rendered before prepared ones")
  func displayedFirst() {
    var committed: [[Int]] = []
    let rig = TrackerRig {
      $0.slots = UpdateSlots(8)
      $0.onCommit = { committed.append($0.sorted()) }
    }
    let cells = (0..<6).map { SimulatedCell(number: $0) }
    var rendered: [Int] = []
    for cell in cells {
      rig.tracker.bind(cell, to: cell.number) { cell, phase in
        if phase.kind == .loaded { rendered.append(cell.number) }
      }
    }
    rig.tracker.prefetch(0..<3)
    for cell in cells.suffix(3) { rig.tracker.willDisplay(cell) }
    rig.tracker.endPass()
    for row in 0..<6 { rig.arrive(row) }
    rig.tracker.endPass()
    rig.tracker.endPass()
    #expect(Set(rig.recorder.finished.prefix(3)) == [3, 4, 5])
    #expect(Set(rendered.prefix(3)) == [3, 4, 5])
    #expect(rendered.sorted() == [0, 1, 2, 3, 4, 5])
    #expect(committed == [[0, 1, 2, 3, 4, 5]])
    withExtendedLifetime(cells) {}
  }
}
