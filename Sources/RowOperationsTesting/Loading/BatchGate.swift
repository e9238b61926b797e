import RowOperations

/// Holds batches at a gate until the test answers them.
///
/// ```swift
/// let gate = BatchGate<Int, String>()
/// let tracker = DisplayTracker(batchesOf: 50) { try await gate.load($0) }
/// // …
/// await gate.waitForBatches([[3, 4, 5]])
/// gate.answer(3, with: [3: "three", 4: "four", 5: "five"])
/// ```
///
/// **Threading**: any thread.
public final class BatchGate<Row: Hashable & Sendable, Value: Sendable>: Sendable {
  /// The events at the gate so far, each batch as its rows.
  public struct Log: Sendable {
    fileprivate let log: LoadGate<[Row], [Row: Value]>.Log

    /// All batches that began, in order.
    public var began: [[Row]] { log.began.map(\.row) }
    /// All cancelled batches, in order.
    public var cancelled: [[Row]] { log.cancelled.map(\.row) }
    /// All batches at the gate, in the order of arrival.
    public var waiting: [[Row]] { log.waiting.map(\.row) }
  }

  private let gate: LoadGate<[Row], [Row: Value]>

  /// Makes a gate.
  ///
  /// - Parameter stopsWhenCancelled: Whether a cancelled batch ends. If `false`, it stays until the
  ///   test answers it.
  public init(stopsWhenCancelled: Bool = true) {
    gate = LoadGate(stopsWhenCancelled: stopsWhenCancelled)
  }

  /// The events so far.
  public var log: Log { Log(log: gate.log) }

  /// Waits at the gate, as the stage `fetch`.
  ///
  /// Use it as the closure that loads batches.
  ///
  /// - Throws: The error given to ``fail(_:with:)``; `CancellationError` after a cancel.
  public func load(_ batch: BatchContext<Row>) async throws -> [Row: Value] {
    try await gate.load(batch.context)
  }

  // MARK: Answering

  /// Ends all batches at the gate that have a row with an answer.
  ///
  /// Rows of a batch that the answer lacks fail with `OperationError.Code.missingFromBatch`.
  public func answer(_ row: Row, with values: [Row: Value]) {
    for rows in batches(with: row) { gate.open(rows, with: values) }
  }

  /// Ends all batches that are at the gate.
  ///
  /// - Parameter value: Makes the value of a row; `nil` for a row that the answer lacks.
  public func answerAll(_ value: (Row) -> Value?) {
    gate.openAll { rows in rows.reduce(into: [:]) { $0[$1] = value($1) } }
  }

  /// Ends all batches at the gate that have a row with an error.
  public func fail(_ row: Row, with error: any Error) {
    for rows in batches(with: row) { gate.fail(rows, with: error) }
  }

  private func batches(with row: Row) -> Set<[Row]> {
    Set(log.waiting.filter { $0.contains(row) })
  }

  // MARK: Waiting

  /// Waits until batches of exactly these rows are at the gate.
  ///
  /// **Cancellation**: a cancelled task stops waiting.
  public func waitForBatches(_ batches: [Set<Row>]) async {
    await wait { Set($0.waiting.map { Set($0) }) == Set(batches) }
  }

  /// Waits until a condition on the events holds.
  ///
  /// Evaluated as in ``LoadGate/wait(until:)``. A cancelled task stops waiting.
  public func wait(until condition: @escaping @Sendable (Log) -> Bool) async {
    await gate.wait { condition(Log(log: $0)) }
  }
}
