import Proofs
import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("A random walk over live rows", .timeLimit(.minutes(10)))
@MainActor
struct LiveWalkTests {
  @Test("After each of 10,000 events, exactly the displayed rows and those in their grace listen")
  func walk() async {
    let walk = LiveWalk(seed: 1, .collectionView)
    for number in 1...10_000 where walk.violations.isEmpty {
      walk.step()
      if number.isMultiple(of: 100) { await walk.rest() }
    }
    #expect(walk.violations == [], "after \(walk.log.suffix(40))")
    #expect(walk.opened > 1_000 && walk.gracesKept > 1_000)
  }
}

/// A random walk of a list of 200 live rows.
///
/// Loads end and streams have elements when the walk says so, on a clock that stands still between
/// events. The list itself says which rows are on screen.
@MainActor
private final class LiveWalk {
  private static let grace = 150

  private(set) var violations: [String] = []
  private(set) var log: [String] = []
  /// The number of rows that have begun to listen, and of those that listened off screen.
  private(set) var opened = 0
  private(set) var gracesKept = 0
  private let rig = LiveRig(hasLoads: true) {
    $0.retention = .all
    // Many rows leave the screen within one grace.
    $0.liveLimit = 1_000
    // The default one lets rows that leave too soon open no stream.
    $0.scrollPolicy = .immediate
  }
  private let list: ListSimulator<Int>
  private var random: SeededGenerator
  /// In milliseconds.
  private var time = 0
  private var isCovered = false
  private var shown: Set<Int> = []
  /// The times at which listening rows left the screen.
  private var left: [Int: Int] = [:]
  private var listening: Set<Int> = []
  /// The rows on screen whose streams have ended.
  private var ended: Set<Int> = []
  /// The rows on screen whose streams open after a while.
  private var paused: Set<Int> = []
  private var elements = 0

  init(seed: UInt64, _ behavior: ListBehavior) {
    random = SeededGenerator(seed: seed)
    let app = rig.player.app
    list = ListSimulator(rows: Array(0..<200), viewport: 600, behavior: behavior) { app.handle($0) }
    rig.tracker.holdOperations()
    list.layOut()
  }

  private func draw(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

  // MARK: Steps

  func step() {
    act()
    endLoads(isAll: false)
    pass(16)
  }

  private func pass(_ milliseconds: Int) {
    time += milliseconds
    rig.clock.advance(by: .milliseconds(milliseconds))
    if !isCovered { list.advance(by: .milliseconds(milliseconds)) }
    rig.tracker.endPass()
    check()
  }

  private func endLoads(isAll: Bool) {
    for load in rig.tracker.bodies where isAll || draw(0..<3) == 0 {
      _ = rig.tracker.endLoad(of: load.token.row) {
        .success(LiveRig.Tick(row: $0.row, text: "loaded"))
      }
    }
  }

  private func act() {
    let event = draw(0..<24)
    log.append("\(event)")
    if isCovered, event < 12 { return uncover() }
    switch event {
    case 0: list.fling(velocity: Double.random(in: -5...5, using: &random))
    case 1: list.stop()
    case 2: list.jump(to: list.rows[draw(0..<list.rows.count)])
    case 3: list.jump(to: list.rows[draw(0..<list.rows.count)], frames: 5)
    case 4: list.move(list.rows[draw(0..<200)], to: draw(0..<200))
    case 5: list.visibleRows.randomElement(using: &random).map { list.reloadRow($0) }
    case 6: list.visibleRows.randomElement(using: &random).map { list.reconfigureRow($0) }
    case 7: list.resize(to: Double(draw(200..<900)))
    case 8: if draw(0..<4) == 0 { cover() }
    case 9: list.reload(list.rows.shuffled(using: &random))
    case 10: if let row = endStream(with: .success(nil)) { ended.insert(row) }
    case 11: if let row = endStream(with: .failure(LiveRig.Failure())) { paused.insert(row) }
    case 12..<18: listening.sorted().randomElement(using: &random).map { send(to: $0) }
    default: if !isCovered { drag() }
    }
  }

  private func drag() {
    list.beginDrag()
    list.drag(by: Double.random(in: -200...200, using: &random))
  }

  private func cover() {
    isCovered = true
    list.cover()
    // A suspended tracker ends its streams at once.
    (listening, left) = ([], [:])
  }

  private func uncover() {
    isCovered = false
    list.uncover()
    paused.formUnion(Set(list.visibleRows).subtracting(ended))
  }

  private func send(to row: Int) {
    elements += 1
    let tick = LiveRig.Tick(row: row, text: "\(elements)")
    if !rig.tracker.play(.success(tick), inStreamOf: row) { complain("\(row) has no stream") }
  }

  private func endStream(with end: Result<LiveRig.Tick?, any Error>) -> Int? {
    guard let row = listening.sorted().randomElement(using: &random) else { return nil }
    _ = rig.tracker.play(end, inStreamOf: row)
    return listening.remove(row)
  }

  // MARK: Truth

  private func complain(_ text: String) { violations.append("at \(time) ms: \(text)") }

  /// The rows whose streams the tracker has opened, and not closed.
  private var open: Set<Int> {
    let streams = rig.tracker.core.engine.streams
    let open = streams.rows.filter { streams[$0]?.stage == .open }
    return Set(open.compactMap { rig.tracker.store.rows[$0] })
  }

  private func check() {
    let (now, open) = (isCovered ? [] : Set(list.visibleRows), open)
    for row in shown.subtracting(now) where listening.contains(row) { left[row] = time }
    for row in now { left[row] = nil }
    left = left.filter { time - $0.value < Self.grace }
    shown = now
    if !isCovered { ended.formIntersection(now) }
    paused.formIntersection(now.subtracting(open))

    let inGrace = listening.intersection(left.keys)
    let loaded = now.filter { rig.phase($0).value != nil }
    // A row that loads listens from the start of its load.
    let surplus = open.subtracting(inGrace).subtracting(now).sorted()
    let missing = inGrace.union(loaded.subtracting(ended).subtracting(paused))
      .subtracting(open).sorted()
    if !surplus.isEmpty { complain("\(surplus) listen off screen") }
    if !missing.isEmpty { complain("\(missing) do not listen") }
    opened += open.subtracting(listening).count
    gracesKept += inGrace.count
    listening = open
    if rig.player.app.wrongRows > 0 { complain("a cell shows a wrong row") }
  }

  private var isAtRest: Bool {
    rig.tracker.core.engine.runs.count == 0 && left.isEmpty && paused.isEmpty
  }

  /// Brings the list to rest, where the rows on screen alone listen and show the newest elements.
  func rest() async {
    log.append("rest")
    if isCovered { uncover() }
    list.stop()
    // A stream that has failed opens within 30 seconds.
    for _ in 0..<320 where !isAtRest && violations.isEmpty {
      endLoads(isAll: true)
      pass(100)
    }
    if !isAtRest { complain("the list does not come to rest") }
    guard violations.isEmpty else { return }
    violations += rig.tracker.audit().map { "at \(time) ms: \($0)" }
    let rows = Set(list.visibleRows).subtracting(ended)
    if open != rows { complain("\(open.sorted()) listen, not \(rows.sorted())") }
    // The app's own streams end and begin on other threads.
    await rig.streams.waitForStreams(open)
    for row in rows { send(to: row) }
    let first = elements - rows.count
    pass(16)
    pass(200)
    for row in rows {
      let text = list.cell(for: row).flatMap { rig.player.app.content(of: $0)?.phase.value?.text }
      if Int(text ?? "") ?? 0 <= first { complain("row \(row) shows \(text ?? "nothing")") }
    }
  }
}
