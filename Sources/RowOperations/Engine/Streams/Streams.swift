/// The streams of live rows, and the rows that are to listen.
///
/// A row is listed while it is displayed, and its open stream until its grace ends.
package struct Streams: Sendable {
  private var states: [RowID: StreamState] = [:]
  /// The number of open streams.
  package private(set) var open = 0
  /// The number of rows whose streams are to open.
  private(set) var queued = 0
  private var lastSerial: UInt32 = 0
  /// The runs that have loaded rows in this turn.
  private var openers: [RowID: RunID] = [:]

  package init() {}

  package var isEmpty: Bool { states.isEmpty }

  package subscript(row: RowID) -> StreamState? { states[row] }

  /// The listed rows, the lowest number first.
  package var rows: [RowID] { states.keys.sorted { $0.index < $1.index } }

  package func isOpen(_ id: StreamID) -> Bool {
    guard let state = states[id.row] else { return false }
    return state.stage == .open && state.serial == id.serial
  }

  // MARK: Stages

  /// Lists a row, or moves it to another stage.
  mutating func set(_ stage: StreamState.Stage, of row: RowID) {
    var state = states[row] ?? StreamState()
    count(state.stage, isListed: states[row] != nil, -1)
    state.stage = stage
    (state.due, state.end, state.graceEnd, state.owedLoad) = (nil, nil, nil, nil)
    states[row] = state
    count(stage, isListed: true, 1)
  }

  private mutating func count(_ stage: StreamState.Stage, isListed: Bool, _ change: Int) {
    guard isListed else { return }
    switch stage {
    case .open: open += change
    case .queued: queued += change
    case .paused, .suspended, .ended, .failed: break
    }
  }

  /// Opens the stream of a row.
  ///
  /// - Parameters:
  ///   - hasElement: Whether the row has a value of this moment.
  ///   - start: The start of the stream, if a load has opened it.
  mutating func open(
    _ row: RowID, hasElement: Bool, since start: Int64, at now: Int64
  ) -> StreamID {
    set(.open, of: row)
    lastSerial &+= 1
    let serial = lastSerial
    let opener = openers[row]
    change(row) { state in
      (state.serial, state.openedAt, state.opener) = (serial, start, opener)
      (state.hasElement, state.lastDue) = (hasElement, now)
    }
    return StreamID(row: row, serial: serial)
  }

  mutating func change(_ row: RowID, _ body: (inout StreamState) -> Void) {
    guard var state = states[row] else { return }
    body(&state)
    states[row] = state
  }

  /// - Returns: The stream, if it was open.
  mutating func remove(_ row: RowID) -> StreamID? {
    guard let state = states.removeValue(forKey: row) else { return nil }
    count(state.stage, isListed: true, -1)
    return state.stage == .open ? StreamID(row: row, serial: state.serial) : nil
  }

  // MARK: Loads

  /// Records that a run has loaded a row, so that its operation may have opened the stream.
  mutating func loaded(_ row: RowID, by run: RunID) { openers[row] = run }

  mutating func turnEnded() { if !openers.isEmpty { openers = [:] } }

  // MARK: Elements

  /// The streams with an element to commit, in the order of their rows' numbers.
  ///
  /// O(listed rows).
  func due(at now: Int64) -> [StreamID] {
    var due: [StreamID] = []
    for (row, state) in states where state.due.map({ $0 <= now }) == true {
      due.append(StreamID(row: row, serial: state.serial))
    }
    return due.sorted { $0.row.index < $1.row.index }
  }

  // MARK: Time

  /// The next time at which an element is due, a grace ends, a stream opens or a first value is
  /// late.
  ///
  /// O(listed rows).
  func nextDeadline(timeout: Int64?) -> Int64? {
    var first = Int64.max
    for state in states.values {
      if let due = state.due { first = min(first, due) }
      if let end = state.graceEnd { first = min(first, end) }
      if case .paused(let end) = state.stage { first = min(first, end) }
      if state.owedLoad != nil, let timeout { first = min(first, state.openedAt + timeout) }
    }
    return first < .max ? first : nil
  }
}
