import RowOperationsTesting
import Testing

@testable import RowOperations
@testable import TestSupport

/// A row with the hash value of all others, whose `==` runs a closure once.
private struct CallingRow: Hashable, Sendable {
  @MainActor static var call: (@MainActor () -> Void)?

  let number: Int

  static func == (a: CallingRow, b: CallingRow) -> Bool {
    MainActor.assumeIsolated {
      let call = call
      self.call = nil
      call?()
    }
    return a.number == b.number
  }

  func hash(into hasher: inout Hasher) {}
}

@Suite("Rows whose == calls the tracker", .timeLimit(.minutes(10)))
@MainActor
struct ReentrantEqualityTests {
  private typealias Tracker = DisplayTracker<CallingRow, Int>

  /// Binds a cell to a row of a tracker that knows some rows, and calls the tracker meanwhile.
  private static func bind(_ row: Int, rows: Int, _ call: @escaping @MainActor (Tracker) -> Void) {
    Watchdog.start(Watchdog.patient)
    let tracker = Tracker(operation: { _ in nil })
    let cells = (0..<rows).map { SimulatedCell(number: $0) }
    for cell in cells { tracker.bind(cell, to: CallingRow(number: cell.number)) { _, _ in } }
    CallingRow.call = { call(tracker) }
    tracker.bind(SimulatedCell(number: rows), to: CallingRow(number: row)) { _, _ in }
    withExtendedLifetime(cells) {}
  }

  /// A process that hangs ends by its watchdog, with a status.
  private static func isCrash(_ result: ExitTest.Result?) -> Bool {
    if case .signal = result?.exitStatus { true } else { false }
  }

  @Test("A removal by == stops the process")
  func removal() async {
    let result = await #expect(processExitsWith: .failure) {
      await ReentrantEqualityTests.bind(1, rows: 2) { $0.remove([CallingRow(number: 1)]) }
    }
    #expect(Self.isCrash(result), "and does not hang")
  }

  @Test("A new row by == stops the process")
  func addition() async {
    let result = await #expect(processExitsWith: .failure) {
      await ReentrantEqualityTests.bind(2, rows: 1) { $0.setValue(5, for: CallingRow(number: 2)) }
    }
    #expect(Self.isCrash(result), "and does not hang")
  }

  @Test("An == that only asks the tracker changes nothing")
  func question() async {
    await #expect(processExitsWith: .success) {
      await ReentrantEqualityTests.bind(1, rows: 2) { _ = $0.metrics }
    }
  }
}
