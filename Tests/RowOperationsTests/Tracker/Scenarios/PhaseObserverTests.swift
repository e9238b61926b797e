import Observation
import Proofs
import RowOperationsTesting
import Testing

@testable import RowOperations
@testable import TestSupport

@Suite("Phases that are observed", .timeLimit(.minutes(10)))
@MainActor
struct PhaseObserverTests {
  private typealias Loaded = TrackerRig.Loaded

  private let rig = TrackerRig()
  private let log = Log<String>([])

  private func value(_ row: Int) -> Loaded { Loaded(row: row, generation: 0) }

  /// Logs the next change of the phases of rows.
  private func track(_ rows: [Int], as name: String = "changed") {
    withObservationTracking {
      for row in rows { _ = rig.tracker.phase(of: row) }
    } onChange: { [log] in
      log.append(name)
    }
  }

  /// Logs each phase of a row.
  private func follow(_ row: Int, as name: String = "") -> Task<Void, Never> {
    let phases = rig.tracker.phases(of: row)
    return Task { [log] in
      for await phase in phases { log.append("\(name)\(phase.kind), \(phase.value?.row ?? -1)") }
      log.append("\(name)end")
    }
  }

  private func display(_ row: Int) -> SimulatedCell {
    let cell = SimulatedCell(number: row)
    rig.tracker.bind(cell, to: row) { [log] _, phase in
      if phase.value != nil { log.append("render \(row)") }
    }
    rig.tracker.willDisplay(cell)
    return cell
  }

  // MARK: Observation

  @Test("Observation is notified once, after the renders of the turn that changes a tracked row")
  func tracking() {
    let cells = [display(0), display(1)]
    rig.tracker.endPass()
    track([0])
    rig.tracker.setValue(value(0), for: 0)
    rig.tracker.setValue(value(1), for: 1)
    #expect(log.value == [], "the turn has not ended")
    rig.tracker.endPass()
    #expect(log.value == ["render 0", "render 1", "changed"])
    rig.tracker.setValue(value(0), for: 0)
    rig.tracker.endPass()
    #expect(log.value.count { $0 == "changed" } == 1, "a tracking ends with its first change")
    withExtendedLifetime(cells) {}
  }

  @Test("Of 10,000 tracked rows one changes, and its tracking is notified once")
  func manyRows() {
    track(Array(0..<10_000))
    rig.tracker.setValue(value(7), for: 7)
    rig.tracker.endPass()
    #expect(log.value == ["changed"])
    rig.tracker.setValue(value(8), for: 8)
    rig.tracker.endPass()
    #expect(log.value == ["changed"])
  }

  private func trackAgain() {
    withObservationTracking {
      _ = rig.tracker.phase(of: 0)
    } onChange: { [self] in
      log.append("again")
      MainThread.assumeIsolated { trackAgain() }
    }
  }

  @Test("Each tracking of a row is notified, and may follow the row again from its own closure")
  func again() {
    track([0], as: "once")
    trackAgain()
    #expect(rig.tracker.store.observers.entries[0]?.count == 1)
    for _ in 0..<3 {
      rig.tracker.setValue(value(0), for: 0)
      rig.tracker.endPass()
    }
    #expect(log.value.sorted() == ["again", "again", "again", "once"])
  }

  @Test("A phase that was read after the change of a row is not reported again")
  func readAfterTheChange() async {
    rig.tracker.setValue(value(0), for: 0)
    track([0])
    let task = follow(0)
    await until { log.value.count == 1 }
    rig.tracker.endPass()
    await rig.tracker.pendingTurns()
    #expect(log.value == ["loaded, 0"])
    task.cancel()
  }

  @Test("An observer may call the tracker, and its calls follow the turn's effects")
  func calls() {
    let tracker = rig.tracker
    track([0])
    withObservationTracking {
      _ = tracker.phase(of: 1)
    } onChange: { [log] in
      MainThread.assumeIsolated {
        tracker.setValue(.init(row: 2, generation: 0), for: 2)
        tracker.remove([0, 1])
        tracker.endPass()
        log.append("called")
      }
    }
    tracker.setValue(value(0), for: 0)
    tracker.setValue(value(1), for: 1)
    tracker.endPass()
    #expect(log.value == ["changed", "called"])
    #expect(tracker.phase(of: 2).value == value(2) && tracker.phase(of: 1).value == nil)
    #expect(rig.violations == [])
  }

  @Test("Observers follow a row to its new id, where another row may have its former one")
  func renamed() async {
    rig.tracker.setValue(value(2), for: 2)
    rig.tracker.endPass()
    track([1])
    let task = follow(1)
    await until { log.value.count == 1 }
    rig.tracker.rename(1, to: 2)
    rig.tracker.endPass()
    await until { log.value.count == 3 }
    #expect(log.value.suffix(2) == ["changed", "loaded, 2"])
    rig.tracker.setValue(value(7), for: 2)
    rig.tracker.endPass()
    await until { log.value.count == 4 }
    #expect(log.value.last == "loaded, 7")
    rig.tracker.setValue(value(1), for: 1)
    rig.tracker.endPass()
    await rig.tracker.pendingTurns()
    #expect(log.value.count == 4)
    task.cancel()
  }

  @Test("Of two loaded rows that become one, observers hear of the phase of the one that goes on")
  func merged() async {
    for row in 1...2 { rig.tracker.setValue(value(row), for: row) }
    rig.tracker.endPass()
    let task = follow(2)
    await until { log.value.count == 1 }
    rig.tracker.rename(1, to: 2)
    rig.tracker.endPass()
    await rig.tracker.pendingTurns()
    for _ in 0..<10 { await Task.yield() }
    rig.tracker.setValue(value(7), for: 2)
    rig.tracker.endPass()
    await until { log.value.last == "loaded, 7" }
    #expect(log.value == ["loaded, 2", "loaded, 7"])
    task.cancel()
  }

  @Test("Until the turn ends, the former id of a row is observed as the new one")
  func formerName() {
    rig.tracker.rename(1, to: 2)
    track([1])
    rig.tracker.setValue(value(2), for: 2)
    rig.tracker.endPass()
    #expect(log.value == ["changed"])
  }

  // MARK: Streams

  @Test("A stream begins with the current phase, and has the newest after each turn")
  func stream() async throws {
    let task = follow(0)
    await until { log.value.count == 1 }
    rig.tracker.prefetch([0])
    rig.tracker.endPass()
    await until { log.value.count == 2 }
    await rig.end(0, with: .success(value(0)))
    await until { log.value.count == 3 }
    rig.tracker.prefetch([1])
    rig.tracker.endPass()
    rig.tracker.remove([0])
    rig.tracker.endPass()
    await until { log.value.count == 4 }
    task.cancel()
    await task.value
    let waiting = "waiting(afterFailure: false), -1"
    #expect(
      log.value == [waiting, "loading(hasStep: false), -1", "loaded, 0", waiting, "end"])
  }

  @Test("A stream has the phases of a row that is removed and comes back with equal numbers")
  func comeback() async {
    rig.tracker.setValue(value(0), for: 0)
    rig.tracker.endPass()
    let id = rig.tracker.knownID(of: 0)
    let task = follow(0)
    await until { log.value.count == 1 }
    rig.tracker.remove([0])
    rig.tracker.endPass()
    await until { log.value.count == 2 }
    #expect(rig.tracker.knownID(of: 0) == nil)
    rig.tracker.setValue(value(0), for: 0)
    #expect(rig.tracker.knownID(of: 0) == id)
    rig.tracker.endPass()
    await until { log.value.count == 3 }
    #expect(log.value == ["loaded, 0", "waiting(afterFailure: false), -1", "loaded, 0"])
    task.cancel()
  }

  @Test("A slow reader of a stream gets the newest phase alone")
  func slowReader() async {
    let phases = rig.tracker.phases(of: 0)
    for generation: UInt64 in 1...3 {
      rig.tracker.setValue(Loaded(row: 0, generation: generation), for: 0)
      rig.tracker.endPass()
    }
    var iterator = phases.makeAsyncIterator()
    #expect(await iterator.next()?.value?.generation == 3)
    rig.tracker.setValue(Loaded(row: 0, generation: 4), for: 0)
    rig.tracker.endPass()
    #expect(await iterator.next()?.value?.generation == 4)
  }

  @Test("A stream does not retain the tracker, and ends with it")
  func end() async {
    var tracker: DisplayTracker<Int, Int>? = DisplayTracker { $0.row }
    weak let known = tracker
    let phases = [0, 0, 1].compactMap { tracker?.phases(of: $0) }
    tracker = nil
    #expect(known == nil)
    for stream in phases {
      var count = 0
      for await phase in stream where phase.isPending { count += 1 }
      #expect(count == 1)
    }
  }

  // MARK: Rows

  @Test("Observers claim no row, and hear of one that becomes known later")
  func unknownRow() async {
    track([0])
    let task = follow(0)
    rig.tracker.endPass()
    #expect(rig.tracker.knownID(of: 0) == nil && !rig.tracker.core.engine.turns.isRequested)
    await until { log.value.count == 1 }
    let cell = display(0)
    rig.tracker.endPass()
    await until { log.value.count == 3 }
    #expect(log.value.dropFirst().sorted() == ["changed", "loading(hasStep: false), -1"])
    task.cancel()
    withExtendedLifetime(cell) {}
  }

  /// A reason why a row off screen loses its value, and is forgotten.
  enum Loss: CaseIterable, Sendable {
    case remove, removeAll, lowMemory, eviction
  }

  @Test("Observers hear that a row is forgotten, once", arguments: Loss.allCases)
  func forgotten(loss: Loss) {
    let rig = TrackerRig { $0.retention = .count(1) }
    rig.tracker.setValue(value(0), for: 0)
    rig.tracker.endPass()
    let losses = Box()
    withObservationTracking {
      _ = rig.tracker.phase(of: 0)
    } onChange: {
      losses.add()
    }
    switch loss {
    case .remove: rig.tracker.remove([0])
    case .removeAll: rig.tracker.removeAll()
    case .lowMemory: rig.tracker.removeCachedValues()
    case .eviction: rig.tracker.setValue(value(1), for: 1)
    }
    rig.tracker.endPass()
    #expect(losses.value == 1)
    rig.tracker.endPass()
    #expect(rig.tracker.knownID(of: 0) == nil, "the observer does not keep the row")
    #expect(rig.violations == [])
  }

  @Test("A row that is removed and forgotten after its last observer is gone leaves nothing")
  func forgottenWithoutObservers() {
    for row in 0..<100 {
      track([row])
      rig.tracker.setValue(value(row), for: row)
      rig.tracker.remove([row])
      rig.tracker.endPass()
    }
    rig.tracker.endPass()
    #expect(rig.tracker.core.engine.rows.count == 0)
  }

  // MARK: Growth

  @Test("Phases that nobody observes cost a turn nothing, and leave nothing")
  func unobserved() {
    for row in 0..<1_000 { _ = rig.tracker.phase(of: row) }
    #expect(rig.tracker.store.observers.entries.count == 0)
    #expect(!rig.tracker.core.engine.reportsPhases)
    rig.tracker.setValue(value(0), for: 0)
    rig.tracker.endPass()
    #expect(rig.tracker.phase(of: 0).value == value(0))
  }

  @Test("The entries of gone observers go, whether others stay or not", arguments: [0, 100])
  func gone(others: Int) {
    let observers = rig.tracker.store.observers
    let kept = (0..<others).map { rig.tracker.phases(of: -1 - $0) }
    var most = 0
    for row in 0..<1_000 {
      withExtendedLifetime(rig.tracker.phases(of: row)) {}
      most = max(most, observers.entries.count)
    }
    #expect(most == max(others * 2, 16))
    #expect(rig.tracker.core.engine.reportsPhases)
    for _ in 0..<200 {
      rig.tracker.setValue(value(0), for: 0)
      rig.tracker.endPass()
    }
    #expect(observers.entries.count == others)
    #expect(rig.tracker.core.engine.reportsPhases == (others > 0))
    withExtendedLifetime(kept) {}
  }

  @Test("The entry of a row with a gone observer and another one stays")
  func half() async {
    let task = follow(0)
    await until { log.value.count == 1 }
    for _ in 0..<100 { withExtendedLifetime(rig.tracker.phases(of: 0)) {} }
    rig.tracker.setValue(value(0), for: 0)
    rig.tracker.endPass()
    await until { log.value.count == 2 }
    #expect(log.value.last == "loaded, 0")
    task.cancel()
  }

  // MARK: Random walks

  @Test("After each turn of random scripts, all rows with other phases have been reported")
  func walks() throws {
    for seed: UInt64 in 1...60 {
      let rig = TrackerRig { $0.retention = .count(2) }
      let changed = Box<Set<Int>>([])
      var seen: [Int: RowPhase<Loaded>] = [:]
      func observe(_ rows: some Sequence<Int>) {
        for row in rows {
          withObservationTracking {
            seen[row] = rig.tracker.phase(of: row)
          } onChange: {
            changed.change { _ = $0.insert(row) }
          }
        }
      }
      observe(0..<4)
      for step in EventScript.random(seed: seed, length: 300, rows: 4, cells: 3).steps {
        rig.player.play(step)
        guard step == .passEnd else { continue }
        let reported = changed.exchanged([])
        for row in 0..<4 where seen[row] != rig.tracker.phase(of: row) {
          #expect(reported.contains(row), "seed \(seed), row \(row)")
        }
        observe(reported)
      }
    }
  }
}
