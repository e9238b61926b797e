import Testing

@testable import RowOperations

@Suite("Streams in the engine")
struct OpenStreamEngineTests {
  private static let second: Int64 = 1_000_000_000

  /// An engine with a row on screen that has a value, and listens.
  private struct Listening {
    var engine: TrackerEngine
    let row: RowID
    let cell: CellID

    init() {
      var settings = TrackerEngine.Settings()
      settings.streams = TrackerEngine.StreamSettings(isLoad: true)
      settings.streams?.jitter = 0
      settings.healSpread = 0
      var engine = TrackerEngine(settings: settings)
      (row, cell) = (engine.addRow(), engine.addCell())
      engine.take(.setValue(row, cost: 1), at: 0)
      engine.take(.bind(cell, to: row, in: nil, rendersLeaving: false), at: 0)
      engine.take(.willDisplay(row: nil, cell: cell), at: 0)
      engine.endTurn(at: 0)
      self.engine = engine
    }

    func stream() throws -> StreamID {
      StreamID(row: row, serial: try #require(engine.streams[row]).serial)
    }

    mutating func fail(_ cause: FailureCause = FailureCause(kind: 2), at now: Int64) throws {
      engine.take(.streamHas(try stream(), element: false, end: .failed(cause)), at: now)
      engine.endTurn(at: now)
    }
  }

  @Test(
    "A stream that fails once it was open for the last delay goes on with its series of failures")
  func series() throws {
    var list = Listening()
    try list.fail(at: 0)
    #expect(list.engine.streams[list.row]?.stage == .paused(until: Self.second))
    list.engine.endTurn(at: Self.second)
    #expect(list.engine.streams[list.row]?.stage == .open)
    var later = list
    try list.fail(at: 2 * Self.second)
    #expect(list.engine.streams[list.row]?.stage == .paused(until: 4 * Self.second))
    try later.fail(at: 2 * Self.second + 1)
    #expect(later.engine.streams[later.row]?.stage == .paused(until: 3 * Self.second + 1))
  }

  @Test("A stream lacks the network only if its failure is one of the network and may be retried")
  func lacksNetwork() throws {
    for (isRetryable, isConnectivity) in [(false, true), (true, false), (true, true)] {
      let cause = FailureCause(kind: 2, isRetryable: isRetryable, isConnectivity: isConnectivity)
      var list = Listening()
      try list.fail(cause, at: 0)
      #expect(list.engine.hasLackedNetwork == (isRetryable && isConnectivity))
    }
  }

  @Test("Cells do not show the failure of a stream whose row has left, and no heal follows")
  func failureAfterLeaving() throws {
    var list = Listening()
    list.engine.take(.didEndDisplaying(row: nil, cell: list.cell), at: 0)
    list.engine.endTurn(at: 0)
    let before = list.engine.rows[list.row].change
    try list.fail(FailureCause(kind: 2, isConnectivity: true), at: 0)
    #expect(list.engine.streams[list.row] == nil)
    #expect(list.engine.rows[list.row].change == before)
    #expect(!list.engine.failures.hasLackedNetwork)
  }
}
