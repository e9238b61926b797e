// Sources/RowOperationsTesting/Scripts/EventScript.swift explains the letters of event scripts.

import Foundation
import Proofs
import RowOperationsTesting
import Testing

@testable import RowOperations
@testable import TestSupport

@Suite("Refused operations, and slots of several trackers", .timeLimit(.minutes(10)))
@MainActor
struct SlotConfigurationTests {
  @Test("An operation of another queue is refused and passes its slot to the next row")
  func enqueuedElsewhere() async throws {
    let elsewhere = OperationQueue()
    elsewhere.isSuspended = true
    var taken: UpdateOperation<Int, Int>?
    var misuses: Misuses?
    var configuration = TrackerConfiguration<Int, Int>()
    configuration.slots = UpdateSlots(1)
    let tracker = DisplayTracker<Int, Int>(
      configuration: configuration,
      operation: { token in
        let operation = UpdateOperation<Int, Int>(token: token) { $0.row }
        guard token.row == 1 else { return operation }
        misuses = Misuses(of: operation)
        elsewhere.enqueue(operation)
        taken = operation
        return operation
      })
    let cells = [1, 2].map { SimulatedCell(number: $0) }
    for cell in cells {
      tracker.bind(cell, to: cell.number) { _, _ in }
      tracker.willDisplay(cell)
    }
    await tracker.waitUntilIdle()
    #expect((tracker.phase(of: 1).error as? OperationError)?.code == .unusableOperation)
    #expect(tracker.phase(of: 2).value == 2)
    #expect(misuses?.codes == [.secondEnqueue])
    #expect(tracker.audit() == [])
    // The other queue still runs the operation.
    elsewhere.isSuspended = false
    #expect(try await taken?.value == 1)
    withExtendedLifetime(cells) {}
  }

  /// How many loads run in each of two trackers that show six rows each.
  private func runningLoads(
    _ first: TrackerConfiguration<Int, Int>, _ second: TrackerConfiguration<Int, Int>
  ) -> [Int] {
    let gate = LoadGate<Int, Int>()
    let cells = (0..<12).map { SimulatedCell(number: $0) }
    let trackers = [first, second].map { configuration in
      DisplayTracker<Int, Int>(configuration: configuration) { try await gate.load($0) }
    }
    for (tracker, shown) in zip(trackers, [cells.prefix(6), cells.suffix(6)]) {
      for cell in shown {
        tracker.bind(cell, to: cell.number) { _, _ in }
        tracker.willDisplay(cell)
      }
      tracker.endPass()
    }
    return withExtendedLifetime(cells) { trackers.map { $0.core.engine.runningLoads } }
  }

  @Test("Trackers with default slots share none, even with one configuration")
  func defaultSlots() {
    let configuration = TrackerConfiguration<Int, Int>()
    #expect(runningLoads(configuration, configuration) == [6, 6])
    #expect(runningLoads(configuration, TrackerConfiguration()) == [6, 6])
  }

  @Test("Trackers with the same slots share them, also with one configuration")
  func givenSlots() {
    var configuration = TrackerConfiguration<Int, Int>()
    configuration.slots = UpdateSlots(4)
    #expect(runningLoads(configuration, configuration) == [4, 0])
    var other = TrackerConfiguration<Int, Int>()
    other.slots = configuration.slots
    #expect(runningLoads(configuration, other) == [4, 0])
    // The eight bodies of deallocated trackers hold all slots, since none has ended yet.
    other.slots = UpdateSlots(5)
    #expect(runningLoads(configuration, other) == [0, 5])
    configuration.slots = UpdateSlots(4)
    #expect(runningLoads(configuration, other) == [4, 5])
  }

  @Test("Lingering updates that hold all slots are reported once each time")
  func heldSlots() async throws {
    // No other test has as many slots.
    let (count, misuses) = (13, Misuses(naming: "All 13 slots"))
    let rig = TrackerRig(stopsWhenCancelled: false) {
      $0.slots = UpdateSlots(count)
      $0.grace = .zero
    }
    var reports: [Int] = []
    func play(_ script: String) async throws {
      try await rig.playToTheEnd("\(script) |")
      reports.append(misuses.codes.count)
    }
    /// Binds a cell for each slot to a row of its own.
    func bind(from row: Int) -> String {
      zip(row..., "abcdefghijklm").map { "c\($0)(\($1))" }.joined(separator: " ")
    }
    let displays = zip(1..., "abcdefghijklm").map { "W\($0)(\($1))" }
    try await rig.playToTheEnd("\(bind(from: 1)) \(displays.joined(separator: " ")) |")
    try await play(bind(from: count + 1))
    // The bodies of all rows so far are cancelled and linger.
    try await play(bind(from: 2 * count + 1))
    try await play("| |")
    // The row in the first cell gets the slot of row 1, and is cancelled too.
    try await play("F1")
    try await play("c99(a) |")
    #expect(reports == [0, 1, 1, 1, 2])
    #expect(misuses.codes.allSatisfy { $0 == .ignoredCancellation })
  }
}
