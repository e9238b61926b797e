import Foundation

/// All state of a tracker with a type of the app: rows, values and closures.
@MainActor
@usableFromInline
final class TrackerStore<Row: Hashable & Sendable, Value: Sendable> {
  @usableFromInline let configuration: TrackerConfiguration<Row, Value>
  @usableFromInline let makeOperation: @MainActor (RowToken<Row>) -> UpdateOperation<Row, Value>?
  @usableFromInline let live: LiveUpdates<Row, Value>?
  // No code of the app runs while a table is changed, as with `TrackerState`: changes only move
  // objects. A look-up runs the `==` of rows, which may not change the table.
  @usableFromInline var rows = RowTable<Row>()
  @usableFromInline var values = ValueTable<Value>()
  /// The newest steps of loading rows.
  @usableFromInline var steps: [RowID: UpdateStep<Value>] = [:]
  /// Released outside of changes to the tables.
  @usableFromInline var discarded = Discarded()
  /// They show rows without a binding by a list.
  var removalObservers = RemovalObservers()
  var impressions: ImpressionWatch<Row>?
  /// The numbers of rows in a recording.
  var numbers: RowNumbers<Row>?
  /// Called beside `onEvent`.
  var observer: (@MainActor (TrackerEvent<Row>) -> Void)?
  /// The orders passed by the app.
  ///
  /// An order is read later than it is passed, so this number tells which instance of a row is the
  /// newest.
  @usableFromInline var ordersPassed = 0
  /// Hashes of rows that were removed from an order, and not read or bound since.
  @usableFromInline var removedFromOrder: Set<UInt32> = []

  /// Objects that the tables no longer hold.
  @frozen
  @usableFromInline
  struct Discarded {
    @usableFromInline var values: ContiguousArray<Value> = []
    @usableFromInline var rows: ContiguousArray<Row> = []

    @inlinable
    nonisolated init() {}

    /// Takes some of them, for the caller to release.
    @inlinable
    mutating func takeSome() -> Discarded? {
      guard !values.isEmpty || !rows.isEmpty else { return nil }
      var taken = Discarded()
      if !values.isEmpty { taken.values = values.takeSome() }
      if !rows.isEmpty { taken.rows = rows.takeSome() }
      return taken
    }
  }

  @usableFromInline
  init(
    _ configuration: TrackerConfiguration<Row, Value>,
    live: LiveUpdates<Row, Value>? = nil,
    _ makeOperation: @escaping @MainActor (RowToken<Row>) -> UpdateOperation<Row, Value>?
  ) {
    self.configuration = configuration
    self.live = live
    self.makeOperation = makeOperation
  }

  // MARK: Values

  @inlinable
  func keep(_ value: Value, _ row: RowID) {
    if let old = values.keep(value, row) { discarded.values.append(old) }
  }

  @inlinable
  func dropValue(_ row: RowID) {
    if let old = values.drop(row) { discarded.values.append(old) }
  }

  /// Returns whether the step has a value; `nil` if there is nothing new.
  @inlinable
  func step(_ operation: any TrackedUpdate, _ row: RowID) -> Bool? {
    guard let step = (operation as? UpdateOperation<Row, Value>)?.takeStep() else { return nil }
    dropStep(row)
    steps[row] = step
    return step.value != nil
  }

  @inlinable
  func dropStep(_ row: RowID) {
    if let value = steps.removeValue(forKey: row)?.value { discarded.values.append(value) }
  }

  /// Releases some of the dropped values and rows; returns whether there were any.
  @inlinable
  func releaseDiscarded() -> Bool {
    guard let taken = discarded.takeSome() else { return false }
    releaseHere(taken)
    return true
  }

  @inlinable
  func cost(of value: Value) -> Int {
    guard case .cost(_, let cost) = configuration.retention else { return 0 }
    return cost(value)
  }

  @inlinable
  func phase(_ snapshot: Snapshot, _ error: (any Error)?) -> RowPhase<Value> {
    let value = snapshot.hasValue ? values[snapshot.row] : nil
    switch snapshot.phase {
    case .idle: return .idle
    case .waiting: return .waiting(previous: value, error: error)
    case .loading(hasStep: false): return .loading(previous: value)
    case .loading(hasStep: true): return loading(steps[snapshot.row], previous: value)
    case .failed: return .failed(error ?? CancellationError(), previous: value)
    case .loaded:
      guard let value else { preconditionFailure("A loaded row has a value.") }
      return .loaded(value)
    }
  }

  /// The phase that a cell shows of a running load with a step.
  @usableFromInline
  func loading(_ step: UpdateStep<Value>?, previous: Value?) -> RowPhase<Value> {
    .loading(previous: step?.value ?? previous, progress: step?.progress)
  }

  // MARK: Rows

  /// Stops the process if the `==` of a row changes the rows that the tracker knows.
  @inlinable
  func id(of row: Row, _ hash: UInt32) -> RowID? {
    let version = rows.version
    let id = rows.id(of: row, hash)
    precondition(
      rows.version == version,
      "The == of a row has called the tracker. Compare the ids of the rows alone.")
    return id
  }

  /// The app's closures get this instance from now on.
  ///
  /// - Parameter time: When the app passed it, see ``ordersPassed``.
  @inlinable
  func renew(_ id: RowID, _ row: Row, passedAt time: Int) {
    if let old = rows.replace(id, by: row, passedAt: time) { discarded.rows.append(old) }
  }

  /// Adds an unknown row.
  ///
  /// - Parameter time: When the app passed it, see ``ordersPassed``.
  @inlinable
  func number(
    of row: Row, passedAt time: Int, orAdd add: @MainActor () -> RowID
  ) -> RowID {
    let hash = RowTable.hash(row)
    if !removedFromOrder.isEmpty { removedFromOrder.remove(hash) }
    if let id = id(of: row, hash) {
      renew(id, row, passedAt: time)
      return id
    }
    let id = add()
    rows.insert(row, hash, as: id, passedAt: time)
    return id
  }

  @inlinable
  func forgetRows(_ ids: [RowID]) {
    rows.remove(ids, to: &discarded.rows)
    if rows.index.count == 0 { values.releaseMemory() }
  }

  /// A list may still announce rows that were removed from an order.
  func recordRemovals(_ rows: some Sequence<Row>) {
    // Late announcements are few, and come soon.
    if removedFromOrder.count > 10_000 { removedFromOrder = [] }
    removedFromOrder.formUnion(rows.lazy.prefix(10_000).map(RowTable.hash))
  }

  /// Whether a row was removed from an order, and no list has shown it since.
  func isRemovedFromOrder(_ row: Row) -> Bool {
    !removedFromOrder.isEmpty && removedFromOrder.contains(RowTable.hash(row))
  }

  // MARK: Orders

  @inlinable
  func order(
    of source: RowSource<Row>, displayed: (@MainActor () -> [Row])?
  ) -> NumberedOrder {
    var known: (@MainActor () -> [RowID])?
    if let displayed { known = { displayed().compactMap { self.id(of: $0, RowTable.hash($0)) } } }
    let time = ordersPassed
    ordersPassed += 1
    return NumberedOrder(
      count: source.count,
      read: { self.read($0, of: source, passedAt: time, orAdd: $1) },
      contains: { self.contains($0, of: source, where: $1) },
      displayed: known)
  }

  /// No table is being changed while the app's code runs.
  @inlinable
  func read(
    _ reading: TrackerEngine.Reading, of source: RowSource<Row>, passedAt time: Int,
    orAdd add: @MainActor () -> RowID
  ) -> [OrderWindow.Place] {
    let version = rows.version
    var places = PlacesRead<Row>(reading.positions, reading.guesses)
    do {
      // No reference to the table is left when it changes, so it is not copied.
      let known = rows.rows
      source.read(reading.positions) { places.take($0, $1, known) }
    }
    if rows.version != version {
      // The app's code has added or removed rows.
      let unread = reading.guesses.map { _ in OrderWindow.Place.unread }
      places = PlacesRead(reading.positions, unread)
      source.read(reading.positions) { places.take($0, $1, []) }
    }
    for (id, row) in places.guessed { renew(id, row, passedAt: time) }
    let read = places.end { number(of: $0, passedAt: time, orAdd: add) }
    if !removedFromOrder.isEmpty {
      for case .row(let id) in read {
        if let row = rows[id] { removedFromOrder.remove(RowTable.hash(row)) }
      }
    }
    return read
  }

  @inlinable
  func contains(
    _ position: Int, of source: RowSource<Row>, where isSought: (RowID) -> Bool
  ) -> Bool {
    var isFound = false
    source.read(at: position) { row in
      if let id = id(of: row, RowTable.hash(row)), isSought(id) { isFound = true }
    }
    return isFound
  }

  // MARK: Operations

  @inlinable
  func lookUp(_ row: RowID, _ accept: @MainActor (Int) -> Bool) -> Bool {
    guard let cached = configuration.cached, let name = rows[row], let value = cached(name)
    else { return false }
    if accept(cost(of: value)) { keep(value, row) }
    return true
  }

  @inlinable
  func make(_ row: RowID, _ generation: UInt64) -> (any TrackedUpdate)? {
    guard let name = rows[row] else { return nil }
    let token = RowToken(row: name, generation: generation)
    guard let operation = makeOperation(token) else { return nil }
    guard operation.token == token else {
      return UpdateOperation<Row, Value>(token: token).failedReplacement()
    }
    return operation
  }

  @inlinable
  func end(
    _ operation: any TrackedUpdate, _ row: RowID, isCurrent: Bool,
    _ accept: @MainActor (TrackerEngine.Outcome) -> Bool
  ) -> (any Error)? {
    // No lock: the result is written once, before its end is posted.
    switch (operation as? UpdateOperation<Row, Value>)?.decidedResult {
    case .success(let value):
      if accept(.value(cost: cost(of: value))) { keep(value, row) }
      return nil
    case .failure(let error):
      fail(with: error, isCurrent: isCurrent, accept)
      return error
    case nil:
      let error = CancellationError()
      fail(with: error, isCurrent: isCurrent, accept)
      return error
    }
  }

  @usableFromInline
  func fail(
    with error: any Error, isCurrent: Bool,
    _ accept: @MainActor (TrackerEngine.Outcome) -> Bool
  ) {
    // The error of a cancelled load is not the row's.
    let isRetryable = !isCurrent || configuration.allowsRetry(after: error)
    _ = accept(.failure(FailureCause(error, isRetryable: isRetryable)))
  }

  // MARK: Streams

  @inlinable
  func openStream(_ row: RowID, _ qualityOfService: QualityOfService) -> LiveStream? {
    guard let live, let name = rows[row] else { return nil }
    let stream = RowStream(RowToken(row: name, generation: 0), live.open)
    stream.open(qualityOfService: qualityOfService)
    return stream
  }

  @inlinable
  func takeElement(
    of stream: LiveStream, _ row: RowID, _ accept: @MainActor (Int) -> Bool
  ) {
    guard let value = (stream as? RowStream<Row, Value>)?.takeElement() else { return }
    if accept(cost(of: value)) { keep(value, row) }
  }
}
