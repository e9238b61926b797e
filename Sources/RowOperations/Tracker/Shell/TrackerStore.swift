import Foundation

/// The rows of a tracker, and all else with a type of the app, for its core.
@MainActor
protocol RowStore: AnyObject {
  /// The value in the app's cache.
  func cached(_ row: RowID) -> AnyValue?
  /// For trackers that keep values by cost.
  func cost(of value: AnyValue) -> Int
  func allowsRetry(after error: any Error) -> Bool
  func retryAfter(_ error: any Error) -> Duration?
  func lane(of row: RowID) -> AnyHashable?
  /// `nil` if the app has no stream.
  func openStream(_ row: RowID, _ qualityOfService: QualityOfService) -> RowStream?
  /// - Parameter load: `nil` for an event of a row.
  func report(_ report: TrackerEngine.Report, of load: ReportedLoad?)
  func committed(_ rows: [RowID])
  func phaseChanged(of row: RowID, in core: TrackerCore)
  // Both return former names, to release later.
  func listHasOtherData(_ list: ListNumber) -> [Any]
  func turnEnded(after rename: Int) -> [Any]
  /// For people.
  func name(of row: RowID) -> String
  /// Those of its rows, for people.
  func names(of operation: any TrackedUpdate) -> [String]
}

/// All state of a tracker with a type of the app, but for values.
///
/// Inlinable: the needs of each row that scrolls past, each load and each read position.
@MainActor
@usableFromInline
final class TrackerStore<Row: Hashable & Sendable, Value: Sendable>: RowStore {
  let configuration: TrackerConfiguration<Row, Value>
  let live: LiveUpdates<Row, Value>?
  // No code of the app runs while a table is changed, as with `TrackerState`: changes only move
  // objects. A look-up runs the `==` of rows, which may not change the table.
  @usableFromInline var rows = RowTable<Row>()
  /// They show rows without a binding by a list.
  var removalObservers = RemovalObservers()
  var impressions: ImpressionWatch<Row>?
  let observers = PhaseObservers<Row, Value>()
  /// The numbers of rows in a recording.
  var numbers: RowNumbers<Row>?
  /// Called beside `onEvent`.
  var observer: (@MainActor (TrackerEvent<Row>) -> Void)?

  @usableFromInline
  init(
    _ configuration: TrackerConfiguration<Row, Value>, live: LiveUpdates<Row, Value>? = nil
  ) {
    self.configuration = configuration
    self.live = live
  }

  // MARK: Rows

  @inlinable
  func id(of row: Row, _ hash: UInt32, inList list: Int? = nil) -> RowID? {
    if !rows.renamed.isEmpty, let name = rows.renamed.name(of: row, inList: list) {
      return id(of: name, RowTable.hash(name))
    }
    let (id, version, _) = rows.find(row, hash)
    rows.check(version)
    return id
  }

  /// Adds an unknown row to the core; else the app's closures get this instance from now on.
  ///
  /// - Parameter time: When the app passed it, see `RowTable`; `nil` for now.
  @inlinable
  func number(of row: Row, passedAt time: Int? = nil, in core: TrackerCore) -> RowID {
    let hash = RowTable.hash(row)
    let (known, version, mayBeRenamed) = rows.find(row, hash)
    if mayBeRenamed, let id = number(ofFormer: row, in: core) { return id }
    // No `??`: its closure would check its actor at run time (figure B11).
    let id: RowID = if let known { known } else { core.addRow() }
    let old = rows.take(row, hash, version, as: id, isNew: known == nil, passedAt: time)
    if let old { core.replaced(id, old) }
    return id
  }

  /// A list may still announce removed rows.
  func recordRemovals(_ removed: some Sequence<Row>) {
    // Late announcements are few, and come soon.
    if rows.removedFromOrder.count > 10_000 { rows.removedFromOrder = [] }
    let hashes = removed.prefix(10_000).map(RowTable.hash)
    rows.removedFromOrder.formUnion(hashes)
  }

  /// Whether a row was removed from an order, and no list has shown it since.
  func isRemovedFromOrder(_ row: Row) -> Bool {
    !rows.removedFromOrder.isEmpty && rows.removedFromOrder.contains(RowTable.hash(row))
  }

  func name(of row: RowID) -> String { rows[row].map { "\($0)" } ?? "?" }

  // MARK: Orders

  @inlinable
  func order(
    of source: RowSource<Row>, _ list: Int, displayed: (@MainActor () -> [Row])?
  ) -> NumberedOrder {
    var known: (@MainActor () -> [RowID])?
    if let displayed {
      known = { displayed().compactMap { self.id(of: $0, RowTable.hash($0), inList: list) } }
    }
    let time = rows.ordersPassed
    rows.ordersPassed += 1
    return NumberedOrder(
      count: source.count,
      read: { self.read($0, of: source, list, passedAt: time, in: $1) },
      contains: { self.contains($0, of: source, list, where: $1) },
      displayed: known)
  }

  @inlinable
  func read(
    _ reading: TrackerEngine.Reading, of source: RowSource<Row>, _ list: Int,
    passedAt time: Int, in core: TrackerCore
  ) -> [OrderWindow.Place] {
    var places = reading.guesses
    var next = 0
    // Rows that were not guessed. They get numbers at the end, since no table may change while the
    // app's code runs.
    var others: [(index: Int, row: Row)] = []
    do {
      // No reference to the table is left when it changes, so it is not copied.
      let (known, takesGuesses) = (rows.rows, rows.removedFromOrder.isEmpty)
      source.read(reading.positions) { position, row in
        let index = position - reading.positions.lowerBound
        if index >= next {
          // The places in between have no rows.
          for empty in next..<index { places[empty] = .rows([]) }
          next = index + 1
          if takesGuesses, case .row(let guess) = places[index], let old = known[Int(guess.index)],
            old == row, RowTable.areIdentical(old, row)
          {
            return
          }
          places[index] = .rows([])
        }
        others.append((index, row))
      }
    }
    for empty in next..<places.count { places[empty] = .rows([]) }
    let renamed = rows.renamed
    for (index, row) in others {
      if !renamed.isEmpty, let name = renamed.name(of: row, inList: list) {
        places[index].append(number(ofNew: name, in: core))
      } else {
        places[index].append(number(of: row, passedAt: time, in: core))
      }
    }
    return places
  }

  @inlinable
  func contains(
    _ position: Int, of source: RowSource<Row>, _ list: Int,
    where isSought: (RowID) -> Bool
  ) -> Bool {
    var isFound = false
    source.read(position..<position + 1) { _, row in
      if let id = id(of: row, RowTable.hash(row), inList: list), isSought(id) { isFound = true }
    }
    return isFound
  }

  // MARK: Loads

  /// Makes the operation of a row.
  @inlinable
  func makeUpdate(
    of row: RowID, _ generation: UInt64,
    _ operation: @MainActor (RowToken<Row>) -> UpdateOperation<Row, Value>?
  ) -> (any TrackedUpdate)? {
    guard let name = rows[row] else { return nil }
    let token = RowToken(row: name, generation: generation)
    guard let made = operation(token) else { return nil }
    return made.token == token
      ? made : UpdateOperation<Row, Value>(token: token).failedReplacement()
  }

  @inlinable
  func outcome(of operation: any TrackedUpdate) -> TrackerCore.Outcome {
    // No lock: the result is written once, before its end is posted.
    switch (operation as? UpdateOperation<Row, Value>)?.decidedResult {
    case .success(let value): .success(ValueBox(value))
    case .failure(let error): .failure(error)
    case nil: .failure(CancellationError())
    }
  }

  /// The row of such an operation is a list of rows, its value the answer.
  typealias Batch = UpdateOperation<[Row], [Row: Value]>

  @usableFromInline
  func makeBatch(
    of rows: [RowID], _ generation: UInt64,
    _ update: @escaping @Sendable (BatchContext<Row>) async throws -> [Row: Value]
  ) -> any TrackedUpdate {
    let names = rows.compactMap { self.rows[$0] }
    return Batch(token: RowToken(row: names, generation: generation)) {
      try await update(BatchContext($0))
    }
  }

  @usableFromInline
  func outcome(
    ofBatch operation: any TrackedUpdate, _ member: (place: Int, row: RowID)?
  ) -> TrackerCore.Outcome {
    guard let batch = operation as? Batch else { return .failure(CancellationError()) }
    switch batch.decidedResult {
    case .success(let answer):
      guard let member else { return .success(nil) }
      let value = answer[batch.row[member.place]] ?? rows[member.row].flatMap { answer[$0] }
      return .success(value.map { ValueBox($0) })
    case .failure(let error): return .failure(error)
    case nil: return .failure(CancellationError())
    }
  }

  func cached(_ row: RowID) -> AnyValue? {
    guard let cached = configuration.cached, let name = rows[row], let value = cached(name)
    else { return nil }
    return ValueBox(value)
  }

  func cost(of value: AnyValue) -> Int {
    guard let value = ValueBox<Value>.value(in: value) else { return 0 }
    return configuration.retention.cost(of: value)
  }

  func allowsRetry(after error: any Error) -> Bool { configuration.allowsRetry(after: error) }

  func retryAfter(_ error: any Error) -> Duration? { configuration.retryAfter(error) }

  func lane(of row: RowID) -> AnyHashable? { rows[row].flatMap { configuration.lane?($0) } }

  func openStream(_ row: RowID, _ qualityOfService: QualityOfService) -> RowStream? {
    guard let live, let name = rows[row] else { return nil }
    let stream = RowStream(RowToken(row: name, generation: 0), live.open)
    stream.open(qualityOfService: qualityOfService)
    return stream
  }

  /// The row of a load, which the tracker may have forgotten since.
  ///
  /// - Parameter place: Its place, if the load is a batch.
  func row(of operation: any TrackedUpdate, at place: Int) -> Row? {
    if let update = operation as? UpdateOperation<Row, Value> { return update.row }
    return (operation as? Batch)?.row[place]
  }

  func names(of operation: any TrackedUpdate) -> [String] {
    if let update = operation as? UpdateOperation<Row, Value> { return ["\(update.row)"] }
    return (operation as? Batch)?.row.map { "\($0)" } ?? []
  }

  func committed(_ ids: [RowID]) { configuration.onCommit?(ids.compactMap { rows[$0] }) }

  func phaseChanged(of id: RowID, in core: TrackerCore) {
    // An unlisted number has passed its observers on.
    if let row = rows[id], rows.times[Int(id.index)] >= 0 {
      observers.phaseChanged(
        of: row, to: core.state.engine.version(of: id), RowPhase(core.content(of: id)))
    }
    core.state.engine.reportsPhases = !observers.entries.isEmpty
  }
}
