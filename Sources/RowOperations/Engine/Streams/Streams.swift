/// The streams of live rows.
///
/// A row is listed while it is displayed, and its open stream until its grace ends.
package struct Streams: Sendable {
  private struct Entry {
    let row: RowID
    var state: StreamState
  }

  private var entries: ContiguousArray<Entry> = []
  /// The place of each row in `entries`; −1 for none.
  ///
  /// Hashing for a dictionary would be most of the cost of an element (figure B21).
  private var places: ContiguousArray<Int32> = []
  package private(set) var open = 0
  private(set) var queued = 0
  /// Whether the scroll policy holds all queued streams back.
  private(set) var areHeld = false
  private var lastSerial: UInt32 = 0
  /// Runs that have loaded rows in this turn.
  private var openers: [RowID: RunID] = [:]

  init() {}

  package var isEmpty: Bool { entries.isEmpty }

  package subscript(row: RowID) -> StreamState? { place(of: row).map { entries[$0].state } }

  /// Copies no other state.
  func stage(of row: RowID) -> StreamState.Stage? {
    place(of: row).map { entries[$0].state.stage }
  }

  private func place(of row: RowID) -> Int? {
    guard Int(row.index) < places.count, places[Int(row.index)] >= 0 else { return nil }
    return Int(places[Int(row.index)])
  }

  /// The listed rows, the lowest number first.
  package var rows: [RowID] { entries.indices.map(rowNumber).sorted().map { entry($0).row } }

  private func rowNumber(_ index: Int) -> Int { Int(entries[index].row.index) }

  /// By the number of a listed row.
  private func entry(_ rowNumber: Int) -> Entry { entries[Int(places[rowNumber])] }

  package func isOpen(_ id: StreamID) -> Bool { place(of: id) != nil }

  /// Whether a stream is open and has not ended.
  func goesOn(_ id: StreamID) -> Bool {
    place(of: id).map { entries[$0].state.end == nil } ?? false
  }

  /// Whether a stream has an element to commit.
  func isDue(_ id: StreamID, at now: Int64) -> Bool {
    guard let place = place(of: id), let due = entries[place].state.due else { return false }
    return due <= now
  }

  /// The place of an open stream.
  private func place(of id: StreamID) -> Int? {
    guard let place = place(of: id.row), entries[place].state.stage == .open,
      entries[place].state.serial == id.serial
    else { return nil }
    return place
  }

  // MARK: Stages

  /// Lists a row, or changes its stage.
  mutating func set(_ stage: StreamState.Stage, of row: RowID) {
    if let known = place(of: row) { count(entries[known].state.stage, -1) }
    change(list(row)) { state in
      state.stage = stage
      (state.due, state.end, state.graceEnd, state.owedLoad) = (nil, nil, nil, nil)
    }
    count(stage, 1)
  }

  /// The row is not listed yet.
  private mutating func list(_ row: RowID) -> RowID {
    guard place(of: row) == nil else { return row }
    places.extend(to: Int(row.index), with: -1)
    places[Int(row.index)] = Int32(entries.count)
    entries.append(Entry(row: row, state: StreamState()))
    return row
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
    let serial = lastSerial
    let opener = openers[row]
    change(row) { state in
      (state.serial, state.openedAt, state.opener) = (serial, start, opener)
      (state.hasElement, state.lastDue) = (hasElement, now)
    }
    return StreamID(row: row, serial: serial)
  }

  /// The scroll policy holds all queued streams back.
  mutating func hold() { areHeld = true }

  /// The row is displayed again.
  mutating func endGrace(of row: RowID) {
    guard let place = place(of: row), entries[place].state.graceEnd != nil else { return }
    entries[place].state.graceEnd = nil
  }

  mutating func change(_ row: RowID, _ body: (inout StreamState) -> Void) {
    if let place = place(of: row) { body(&entries[place].state) }
  }

  /// - Returns: The stream, if it was open.
  mutating func remove(_ row: RowID) -> StreamID? {
    guard let place = place(of: row) else { return nil }
    let state = entries[place].state
    places[Int(row.index)] = -1
    let last = entries.removeLast()
    if last.row != row {
      entries[place] = last
      places[Int(last.row.index)] = Int32(place)
    }
    if entries.isEmpty { places = [] }
    count(state.stage, -1)
    return state.stage == .open ? StreamID(row: row, serial: state.serial) : nil
  }

  // MARK: Loads

  /// The operation of the run may have opened the stream.
  mutating func loaded(_ row: RowID, by run: RunID) { openers[row] = run }

  mutating func turnEnded() { if !openers.isEmpty { openers = [:] } }

  // MARK: Elements

  /// Streams with an element to commit, by row number; O(listed rows).
  func due(at now: Int64) -> [StreamID] {
    var due: [Int] = []
    for index in entries.indices {
      guard let time = entries[index].state.due, time <= now else { continue }
      if due.isEmpty { due.reserveCapacity(entries.count) }
      due.append(rowNumber(index))
    }
    due.sort()
    return due.map { row in
      let place = Int(places[row])
      return StreamID(row: entries[place].row, serial: entries[place].state.serial)
    }
  }

  // MARK: Time

  /// When an element is due, a grace ends, a stream opens or a first value is late; O(listed rows).
  func nextDeadline(timeout: Int64?) -> Int64? {
    var first = Int64.max
    for index in entries.indices {
      if let due = entries[index].state.due { first = min(first, due) }
      first = min(first, entries[index].state.nextChange(timeout: timeout))
    }
    return first < .max ? first : nil
  }

  /// Rows whose streams have ended or change now, by number; O(listed rows).
  func changing(at now: Int64, timeout: Int64?) -> [RowID] {
    var rows: [Int] = []
    for index in entries.indices {
      let isDue = entries[index].state.nextChange(timeout: timeout) <= now
      if isDue || entries[index].state.end != nil { rows.append(rowNumber(index)) }
    }
    return rows.sorted().map { entry($0).row }
  }
}
