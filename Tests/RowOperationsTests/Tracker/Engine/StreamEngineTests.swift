import Testing

@testable import RowOperations

@Suite("Late first elements in the engine")
struct StreamEngineTests {
  private static let second: Int64 = 1_000_000_000

  /// An engine with a live row that loads by its first element.
  private struct Live {
    var engine: TrackerEngine
    let row: RowID
    let run: RunID

    init(
      isPrefetched: Bool = false, configure: (inout TrackerEngine.Settings) -> Void = { _ in }
    ) throws {
      var settings = TrackerEngine.Settings()
      settings.streams = TrackerEngine.StreamSettings(isLoad: true)
      settings.reportsEvents = true
      configure(&settings)
      var engine = TrackerEngine(settings: settings)
      row = engine.addRow()
      if isPrefetched {
        engine.take(.prefetch([row]), at: 0)
      } else {
        let cell = engine.addCell()
        engine.take(.bind(cell, to: row, in: nil, rendersLeaving: false), at: 0)
        engine.take(.willDisplay(cell), at: 0)
      }
      engine.endTurn(at: 0)
      engine.admitAll(SlotTable(count: 1), at: 0)
      run = try #require(engine.rows[row].run)
      engine.take(.made(run, generation: engine.runs[run].generation), at: 0)
      while engine.nextEffect() != nil {}
      self.engine = engine
    }

    mutating func effects() -> [TrackerEngine.Effect] {
      var all: [TrackerEngine.Effect] = []
      while let effect = engine.nextEffect() { all.append(effect) }
      return all
    }
  }

  @Test("A late first element gives its slot back, and its stream goes on")
  func handedOver() throws {
    var live = try Live()
    live.engine.endTurn(at: Self.second)
    let engine = live.engine
    #expect(engine.runs[live.run].stage == .cancelled && engine.runs.running == 0)
    let stream = try #require(engine.streams[live.row])
    #expect(stream.opener == live.run && stream.stage == .open && stream.openedAt == 0)
    #expect(stream.owedLoad == engine.runs[live.run].generation)
    #expect(engine.rows[live.row].listening == .owed && engine.rows[live.row].work == .none)
    let reports = live.effects().compactMap { effect in
      if case .report(let report) = effect { report.kind } else { nil }
    }
    #expect(reports.contains(.cancelled(live.run)) && reports.contains(.listening(live.row)))
  }

  @Test("A row is blank again once a late load that has shown a value gives its slot back")
  func handedOverStep() throws {
    var live = try Live()
    live.engine.take(.step(live.run, hasValue: true), at: 0)
    live.engine.endTurn(at: 0)
    #expect(!live.engine.rows[live.row].isBlank)
    live.engine.endTurn(at: Self.second)
    #expect(live.engine.rows[live.row].isBlank)
  }

  @Test("A row with a load of its own listens as soon as the operation of the load is made")
  func ownLoad() throws {
    let live = try Live { $0.streams?.isLoad = false }
    #expect(live.engine.streams[live.row]?.stage == .open)
    let prefetched = try Live(isPrefetched: true) { $0.streams?.isLoad = false }
    #expect(prefetched.engine.streams[prefetched.row] == nil)
    let first = try Live()
    #expect(first.engine.streams[first.row] == nil, "its first element is the load")
  }

  @Test("A row that is not on screen goes on with its load, however late")
  func prefetched() throws {
    var live = try Live(isPrefetched: true)
    live.engine.endTurn(at: Self.second)
    #expect(live.engine.runs[live.run].stage == .current && live.engine.streams[live.row] == nil)
    #expect(live.engine.runs.running == 1)
  }

  @Test(
    "Only a moving list holds streams back, and none of a row that loads or by another policy",
    arguments: [ScrollGate.Policy.immediate, .whenSettled])
  func held(policy: ScrollGate.Policy) throws {
    var live = try Live { $0.scrollPolicy = policy }
    #expect(!live.engine.holdsStream(of: live.row, at: 0))
    live.engine.take(.scrollWillBegin(0), at: 0)
    #expect(!live.engine.holdsStream(of: live.row, at: 0))
    live.engine.take(.end(live.run, .value(cost: 1)), at: 0)
    #expect(live.engine.holdsStream(of: live.row, at: 0) == (policy == .whenSettled))
    live.engine.take(.scrollDidSettle(0), at: 0)
    #expect(!live.engine.holdsStream(of: live.row, at: 0))
  }

  @Test("Only the late load of a row on screen has a deadline")
  func deadline() throws {
    var live = try Live()
    #expect(live.engine.nextStreamDeadline == Self.second / 2)
    #expect(live.engine.nextDeadline == Self.second / 2)
    var prefetched = try Live(isPrefetched: true)
    #expect(prefetched.engine.nextStreamDeadline == nil)
  }
}

@Suite("Streams in the engine")
struct OpenStreamEngineTests {
  private static let second: Int64 = 1_000_000_000

  /// An engine with a row on screen that has a value, and listens.
  private struct Listening {
    var engine: TrackerEngine
    let row: RowID
    let cell: CellID

    init(isMoving: Bool = false) {
      var settings = TrackerEngine.Settings()
      settings.streams = TrackerEngine.StreamSettings(isLoad: true)
      settings.streams?.jitter = 0
      settings.healSpread = 0
      settings.scrollPolicy = .whenSettled
      var engine = TrackerEngine(settings: settings)
      (row, cell) = (engine.addRow(), engine.addCell())
      if isMoving { engine.take(.scrollWillBegin(0), at: 0) }
      engine.take(.setValue(row, cost: 1), at: 0)
      engine.take(.bind(cell, to: row, in: nil, rendersLeaving: false), at: 0)
      engine.take(.willDisplay(cell), at: 0)
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

  @Test("A row with a value from before loads until its stream has an element")
  func awaitedElement() throws {
    var list = Listening()
    list.engine.finishTurn()
    try list.fail(at: 0)
    list.engine.endTurn(at: Self.second)
    #expect(list.engine.phase(of: list.row) == .loading)
    let stream = try list.stream()
    list.engine.take(.streamHas(stream, element: true, end: nil), at: Self.second)
    list.engine.take(.element(stream, cost: 1), at: Self.second)
    #expect(list.engine.phase(of: list.row) == .loaded)
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

  @Test("A suspension keeps the places of rows on screen alone")
  func suspension() {
    var list = Listening()
    var left = list
    list.engine.take(.suspend, at: 0)
    #expect(list.engine.streams[list.row]?.stage == .suspended)
    left.engine.take(.didEndDisplaying(left.cell), at: 0)
    left.engine.endTurn(at: 0)
    #expect(left.engine.streams[left.row]?.stage == .open, "its grace has begun")
    left.engine.take(.suspend, at: 0)
    #expect(left.engine.streams[left.row] == nil)
  }

  @Test("A stream on a moving list opens once the list rests")
  func settled() {
    var list = Listening(isMoving: true)
    #expect(list.engine.streams[list.row]?.stage == .queued)
    list.engine.take(.scrollDidSettle(0), at: 0)
    list.engine.endTurn(at: 0)
    #expect(list.engine.streams[list.row]?.stage == .open)
  }

  @Test("A retry of a stream drops its error, and changes the content of cells in the same turn")
  func retry() throws {
    var list = Listening()
    try list.fail(at: 0)
    #expect(list.engine.rows[list.row].failure == .error)
    let before = list.engine.rows[list.row].change
    list.engine.take(.retry(list.row), at: 0)
    #expect(list.engine.rows[list.row].failure == .none)
    #expect(list.engine.rows[list.row].change != before)
  }

  @Test("Cells do not show the failure of a stream whose row has left, and no heal follows")
  func failureAfterLeaving() throws {
    var list = Listening()
    list.engine.take(.didEndDisplaying(list.cell), at: 0)
    list.engine.endTurn(at: 0)
    let before = list.engine.rows[list.row].change
    try list.fail(FailureCause(kind: 2, isConnectivity: true), at: 0)
    #expect(list.engine.streams[list.row] == nil)
    #expect(list.engine.rows[list.row].change == before)
    #expect(!list.engine.failures.hasLackedNetwork)
  }

  @Test("A row that leaves as the network returns does not delay the next heal")
  func healAfterLeaving() throws {
    let lack = FailureCause(kind: 2, isConnectivity: true)
    var list = Listening()
    try list.fail(lack, at: 0)
    list.engine.take(.didEndDisplaying(list.cell), at: 0)
    list.engine.take(.networkDidReturn, at: 0)
    list.engine.endTurn(at: 0)
    #expect(list.engine.streams[list.row] == nil)
    list.engine.take(.willDisplay(list.cell), at: 0)
    list.engine.endTurn(at: 0)
    try list.fail(lack, at: Self.second)
    #expect(list.engine.streams[list.row]?.stage == .paused(until: 2 * Self.second))
    list.engine.take(.networkDidReturn, at: Self.second)
    list.engine.endTurn(at: Self.second)
    #expect(list.engine.streams[list.row]?.stage == .open)
  }
}
