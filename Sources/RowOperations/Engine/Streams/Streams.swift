/// The streams of live rows.
///
/// A row is listed while it is displayed, and its open stream until its grace ends.
package struct Streams: Sendable {
  private var states: [RowID: StreamState] = [:]
  package private(set) var open = 0
  private(set) var queued = 0
  /// Whether the scroll policy holds all queued streams back.
  private(set) var areHeld = false
  private var lastSerial: UInt32 = 0
  /// Runs that have loaded rows in this turn.
  private var openers: [RowID: RunID] = [:]

  init() {}

  package var isEmpty: Bool { states.isEmpty }

  subscript(row: RowID) -> StreamState? { states[row] }

  /// The listed rows, the lowest number first.
  var rows: [RowID] { rows { _ in true } }

  private func rows(where condition: (StreamState) -> Bool) -> [RowID] {
    let rows = states.compactMap { row, state in condition(state) ? row : nil }
    return rows.sorted { $0.index < $1.index }
  }

  /// `nil` if the stream is not open.
  func state(of stream: StreamID) -> StreamState? {
    guard let state = states[stream.row], state.stage == .open, state.serial == stream.serial
    else { return nil }
    return state
  }

  func isOpen(_ stream: StreamID) -> Bool { state(of: stream) != nil }

  // MARK: Stages

  /// Lists a row, or changes its stage.
  mutating func set(_ stage: StreamState.Stage, of row: RowID) {
    var state = states[row] ?? StreamState()
    if states[row] != nil { count(state.stage, -1) }
    count(stage, 1)
    state.stage = stage
    (state.due, state.end, state.graceEnd, state.owedLoad) = (nil, nil, nil, nil)
    states[row] = state
  }

  private mutating func count(_ stage: StreamState.Stage, _ change: Int) {
    switch stage {
    case .open: open += change
    case .queued:
      queued += change
      areHeld = false
    case .paused, .suspended, .ended, .failed: break
    }
  }

  /// - Parameters:
  ///   - hasElement: Whether the row has a value of this moment.
  ///   - start: That of the stream, if a load has opened it.
  mutating func open(
    _ row: RowID, hasElement: Bool, since start: Int64, at now: Int64
  ) -> StreamID {
    set(.open, of: row)
    lastSerial &+= 1
    let (serial, opener) = (lastSerial, openers[row])
    change(row) { state in
      (state.serial, state.openedAt, state.opener) = (serial, start, opener)
      (state.hasElement, state.lastDue) = (hasElement, now)
    }
    return StreamID(row: row, serial: serial)
  }

  /// The scroll policy holds all queued streams back.
  mutating func hold() { areHeld = true }

  mutating func change(_ row: RowID, _ body: (inout StreamState) -> Void) {
    guard !states.isEmpty, var state = states[row] else { return }
    body(&state)
    states[row] = state
  }

  /// - Returns: The stream, if it was open.
  mutating func remove(_ row: RowID) -> StreamID? {
    guard let state = states.removeValue(forKey: row) else { return nil }
    count(state.stage, -1)
    return state.stage == .open ? StreamID(row: row, serial: state.serial) : nil
  }

  // MARK: Loads

  /// The operation of the run may have opened the stream.
  mutating func loaded(_ row: RowID, by run: RunID) { openers[row] = run }

  mutating func turnEnded() { if !openers.isEmpty { openers = [:] } }

  // MARK: Time

  /// Streams with an element to commit, by row number.
  func due(at now: Int64) -> [StreamID] {
    rows { $0.isDue(at: now) }.map { StreamID(row: $0, serial: states[$0]?.serial ?? 0) }
  }

  /// When an element is due, a grace ends, a stream opens or a first value is late.
  func nextDeadline(timeout: Int64?) -> Int64? {
    let first = states.values.reduce(Int64.max) { first, state in
      min(first, state.due ?? .max, state.nextChange(timeout: timeout))
    }
    return first < .max ? first : nil
  }

  /// Rows whose streams have ended or change now, by number.
  func changing(at now: Int64, timeout: Int64?) -> [RowID] {
    rows { $0.end != nil || $0.nextChange(timeout: timeout) <= now }
  }
}
