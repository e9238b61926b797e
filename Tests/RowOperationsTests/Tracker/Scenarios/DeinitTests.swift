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
    #expect(tracker.displayedRows == [1, 9])
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
    #expect(!tracker.displayedRows.contains(1))
    #expect(tracker.audit() == [])
  }
}
