import Proofs
import RowOperationsTesting
import Testing

@testable import RowOperations
@testable import TestSupport

@Suite("Calls to the tracker from deinits", .timeLimit(.minutes(10)))
@MainActor
struct DeinitTests {
  typealias Tracker = DisplayTracker<Int, Caller>

  private struct Broken: Error {
    let caller: Caller
  }

  // MARK: Values

  /// A reason why a tracker drops a value.
  enum Drop: CaseIterable, Sendable {
    case remove, removeAll, overwrite, retentionOfNone, retentionOfZero, removeCachedValues

    var retention: Retention<Caller> {
      switch self {
      case .retentionOfNone: .none
      case .retentionOfZero: .count(0)
      case .remove, .removeAll, .overwrite, .removeCachedValues: .count(200)
      }
    }
  }

  @Test(
    "The deinit of a dropped value can make any call", arguments: Drop.allCases, Call.allCases)
  func values(drop: Drop, call: Call) {
    let scene = Scene(retention: drop.retention)
    scene.tracker.setValue(scene.caller(call), for: 1)
    scene.tracker.endPass()
    switch drop {
    case .remove: scene.tracker.remove([1])
    case .removeAll: scene.tracker.removeAll()
    case .overwrite: scene.tracker.setValue(Caller(), for: 1)
    case .removeCachedValues: scene.tracker.removeCachedValues()
    // The turn has dropped the value.
    case .retentionOfNone, .retentionOfZero: break
    }
    scene.takeTurns()
    #expect(scene.effects == [true])
    #expect(scene.tracker.audit() == [])
  }

  @Test("The deinit of a value from the app's cache can call when its row is removed")
  func cachedValues() {
    weak var known: Tracker?
    var calls = 0
    var configuration = TrackerConfiguration<Int, Caller>()
    configuration.clock = ManualClock()
    configuration.cached = { row in
      guard row == 1 else { return nil }
      return Caller {
        calls += 1
        known?.prefetch([7])
      }
    }
    let tracker = Tracker(configuration: configuration, operation: { _ in nil })
    known = tracker
    let cell = SimulatedCell(number: 9)
    tracker.bind(cell, to: 1) { _, _ in }
    #expect(tracker.phase(of: 1).kind == .loaded)
    tracker.remove([1])
    for _ in 0..<4 { tracker.endPass() }
    #expect(calls == 1)
    #expect(tracker.phase(of: 7).kind == .idle)
    #expect(tracker.audit() == [])
  }

  @Test(
    "A replaced preview is released after the loads of its turn are made, and its deinit can call",
    arguments: Call.allCases)
  func previews(call: Call) async {
    let (mayEnd, context) = (Gate(), Box<UpdateContext<Int, Caller>?>(nil))
    var log: [String] = []
    let scene = Scene { token in
      if token.row == 2 { log.append("make") }
      guard token.row == 1 else { return nil }
      return UpdateOperation(token: token) { own in
        context.set(own)
        await mayEnd.opened()
        return Caller()
      }
    }
    let (tracker, cell) = (scene.tracker, SimulatedCell(number: 9))
    tracker.bind(cell, to: 1) { _, _ in }
    tracker.willDisplay(cell)
    tracker.endPass()
    await until { context.value != nil }
    context.value?.show(
      Caller { [weak scene] in
        log.append("release")
        scene?.make(call)
      })
    tracker.endPass()
    context.value?.show(Caller())
    tracker.prefetch([2])
    scene.takeTurns()
    #expect(log == ["make", "release"])
    #expect(scene.effects == [true])
    mayEnd.open()
    await tracker.waitUntilIdle()
    #expect(tracker.audit() == [])
  }

  // MARK: Operations

  @Test("An operation that comes too late is released after all others of the loop are made")
  func lateOperations() {
    weak var known: Tracker?
    var log: [String] = []
    let scene = Scene { token in
      guard token.row < 3 else { return nil }
      log.append("\(token.row)")
      guard token.row == 1 else { return nil }
      let caller = Caller { log.append("release") }
      known?.remove([1])
      return UpdateOperation(token: token) { _ in caller }
    }
    known = scene.tracker
    scene.tracker.prefetch([1, 2])
    scene.takeTurns()
    #expect(log == ["1", "2", "release"])
    #expect(scene.tracker.audit() == [])
  }

  // MARK: Render closures

  /// A reason why a tracker releases a render closure.
  enum Release: CaseIterable, Sendable {
    case rebind, rebindToTheSameRow, bindToNil, bindToNilInARender, unbind, remove, removeAll, sweep
  }

  @Test(
    "The deinit of an object in a render closure can make any call",
    arguments: Release.allCases, Call.allCases)
  func captures(release: Release, call: Call) {
    let scene = Scene()
    let tracker = scene.tracker
    var cell: SimulatedCell? = SimulatedCell(number: 9)
    if let cell {
      tracker.bind(cell, to: 1, render: scene.holding(scene.caller(call)))
      tracker.willDisplay(cell)
    }
    tracker.endPass()
    #expect(scene.effects == [])
    switch release {
    case .rebind: if let cell { tracker.bind(cell, to: 2) { _, _ in } }
    case .rebindToTheSameRow: if let cell { tracker.bind(cell, to: 1) { _, _ in } }
    case .bindToNil: if let cell { tracker.bind(cell, to: nil) { _, _ in } }
    case .bindToNilInARender:
      tracker.bind(SimulatedCell(number: 10), to: 2) { _, _ in
        if let cell { tracker.bind(cell, to: nil) { _, _ in } }
      }
    case .unbind: if let cell { tracker.unbind(cell) }
    case .remove, .removeAll:
      // On screen the cell keeps its closure until its next bind, or its end.
      if release == .remove { tracker.remove([1]) } else { tracker.removeAll() }
      tracker.endPass()
      #expect(scene.effects == [])
      if let cell { tracker.bind(cell, to: nil) { _, _ in } }
    case .sweep: cell = nil
    }
    scene.takeTurns()
    #expect(scene.effects == [true])
    #expect(tracker.audit() == [])
    withExtendedLifetime(cell) {}
  }

  @Test("An object in a view's render closure can call when the host is bound to another row")
  func capturesOfViews() {
    let scene = Scene()
    let tracker = scene.tracker
    let host = SimulatedCell(number: 9)
    let view = SimulatedCell(number: 10)
    tracker.bind(host, to: 1) { _, _ in }
    tracker.bind(view, to: 2, in: host, render: scene.holding(scene.caller(.bind)))
    tracker.willDisplay(host)
    tracker.endPass()
    tracker.bind(host, to: 3) { _, _ in }
    scene.takeTurns()
    #expect(scene.effects == [true])
    #expect(scene.displayed == [3, 9])
    #expect(tracker.audit() == [])
    withExtendedLifetime(view) {}
  }

  @Test("A released object that binds its own cell again determines the cell's row")
  func captureBindsItsCell() {
    let scene = Scene()
    let tracker = scene.tracker
    let cell = SimulatedCell(number: 9)
    var shown: [Int] = []
    tracker.bind(
      cell, to: 1,
      render: scene.holding(
        Caller { [weak tracker] in
          tracker?.bind(cell, to: 3) { _, _ in shown.append(3) }
        }))
    tracker.bind(cell, to: 2) { _, _ in shown.append(2) }
    scene.takeTurns()
    tracker.willDisplay(cell)
    tracker.setValue(Caller(), for: 2)
    tracker.setValue(Caller(), for: 3)
    scene.takeTurns()
    #expect(shown.first == 2)
    #expect(shown.count > 2 && shown.dropFirst().allSatisfy { $0 == 3 })
    #expect(scene.displayed == [3, 9])
    #expect(tracker.audit() == [])
  }

  // MARK: Errors

  @Test(
    "The deinit of an error can make any call when its row is retried", arguments: Call.allCases)
  func errors(call: Call) async {
    weak var operation: UpdateOperation<Int, Caller>?
    weak var known: Scene?
    var attempts = 0
    let scene = Scene { token in
      guard token.row == 1, attempts == 0, let known else { return nil }
      attempts += 1
      let made = UpdateOperation<Int, Caller>(token: token)
      made.finish(with: .failure(Broken(caller: known.caller(call))))
      operation = made
      return made
    }
    known = scene
    let tracker = scene.tracker
    let cell = SimulatedCell(number: 9)
    tracker.bind(cell, to: 1) { _, _ in }
    tracker.willDisplay(cell)
    await tracker.waitUntilIdle()
    #expect(tracker.phase(of: 1).kind == .failed)
    // The operation holds the error too.
    await until { operation == nil }
    #expect(scene.effects == [])
    tracker.retry(1)
    scene.takeTurns()
    #expect(scene.effects == [true])
    #expect(tracker.audit() == [])
    withExtendedLifetime(cell) {}
  }

  // MARK: Cells

  /// A cell that ends its own display and makes a call in its deinit.
  final class Leaving {
    private let scene: Scene
    private let call: Call

    init(_ scene: Scene, _ call: Call) {
      self.scene = scene
      self.call = call
    }

    deinit {
      // The test runs on the main actor; the tracker keeps no reference.
      nonisolated(unsafe) let cell = self
      MainActor.assumeIsolated { [scene, call] in
        scene.tracker.didEndDisplaying(cell)
        scene.make(call)
      }
    }
  }

  /// The place at which a cell is deallocated.
  enum Death: CaseIterable, Sendable {
    case outside, withARenderClosure, insideARender
  }

  @Test("The deinit of a cell can make any call", arguments: Death.allCases, Call.allCases)
  func cells(death: Death, call: Call) {
    let scene = Scene()
    let tracker = scene.tracker
    let holder = SimulatedCell(number: 9)
    var cell: Leaving? = Leaving(scene, call)
    if let cell {
      tracker.bind(cell, to: 1) { _, _ in }
      tracker.willDisplay(cell)
      if death == .withARenderClosure {
        tracker.bind(holder, to: 2) { _, _ in withExtendedLifetime(cell) {} }
      }
    }
    tracker.endPass()
    #expect(scene.displayed == [1, 9])
    switch death {
    case .outside:
      cell = nil
    case .withARenderClosure:
      cell = nil
      tracker.unbind(holder)
    case .insideARender:
      tracker.bind(holder, to: 2) { _, _ in cell = nil }
    }
    scene.takeTurns()
    #expect(scene.effects == [true])
    #expect(!scene.displayed.contains(1))
    #expect(tracker.audit() == [])
  }

  // MARK: Recordings

  @Test("The deinit of an object that a recording holds can make any call")
  func recordings() async {
    // A fault would trap the process.
    await #expect(processExitsWith: .success) {
      Watchdog.start(Watchdog.patient)
      await stopRecordings()
    }
  }
}

/// Records with closures that hold calling objects, and stops.
@MainActor
private func stopRecordings() {
  for call in DeinitTests.Call.allCases {
    let scene = DeinitTests.Scene()
    scene.tracker.recordEvents(recording(holding: scene.caller(call)))
    scene.takeTurns()
    scene.tracker.recordEvents(nil)
    scene.takeTurns()
    #expect(scene.effects == [true])
    #expect(scene.tracker.audit() == [])
  }
}

@MainActor
private func recording(holding caller: DeinitTests.Caller) -> @MainActor (String) -> Void {
  { _ in withExtendedLifetime(caller) {} }
}
