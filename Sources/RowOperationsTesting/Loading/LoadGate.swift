import RowOperations

/// Holds loads at a gate until the test opens it.
///
/// ```swift
/// let gate = LoadGate<Int, String>()
/// let tracker = DisplayTracker { try await gate.load($0) }
/// // …
/// await gate.waitForLoads([3])
/// gate.open(3, with: "three")
/// ```
///
/// **Threading**: any thread.
public final class LoadGate<Row: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Load {
    let number: Int
    let token: RowToken<Row>
    let continuation: CheckedContinuation<Value, any Error>
    var isCancelled = false
  }

  /// The events at the gate so far.
  public struct Log: Sendable {
    /// The tokens of all loads that began, in order.
    public fileprivate(set) var began: [RowToken<Row>] = []
    /// The tokens of all cancelled loads, in order.
    public fileprivate(set) var cancelled: [RowToken<Row>] = []
    /// The tokens of all loads at the gate, in the order of arrival.
    public fileprivate(set) var waiting: [RowToken<Row>] = []
  }

  private struct State {
    var log = Log()
    var loads: [Load] = [] {
      didSet { log.waiting = loads.map(\.token) }
    }
    var lastLoad = 0
    /// The loads on their way to the gate, and whether they were cancelled.
    var coming: [Int: Bool] = [:]
  }

  private let state = WatchedState(State()) { $0.log }
  let stopsWhenCancelled: Bool

  /// Makes a gate.
  ///
  /// - Parameter stopsWhenCancelled: Whether a cancelled load ends. If `false`, it stays until the
  ///   gate opens, as work that never checks for cancellation.
  public init(stopsWhenCancelled: Bool = true) {
    self.stopsWhenCancelled = stopsWhenCancelled
  }

  /// The events so far.
  public var log: Log { state.withLock { $0.log } }

  /// Waits at the gate.
  ///
  /// Use it as the update closure. Runs as the stage `fetch`.
  ///
  /// - Throws: The error given to ``fail(_:with:)``; `CancellationError` after a cancel.
  public func load(_ context: UpdateContext<Row, Value>) async throws -> Value {
    try await context.stage(.fetch) { try await wait(context) }
  }

  /// Waits at the gate in an update with another type of value, for the input from which it makes
  /// its value.
  public func load<Final>(_ context: UpdateContext<Row, Final>) async throws -> Value {
    try await context.stage(.fetch) { try await wait(context) }
  }

  private func wait<Final>(_ context: UpdateContext<Row, Final>) async throws -> Value {
    let number = state.withLock { state in
      state.lastLoad += 1
      state.coming[state.lastLoad] = false
      return state.lastLoad
    }
    // Set before a test can see the load, so that the cancelling call returns after the gate has
    // recorded the cancel.
    context.whenCancelled { self.cancel(number) }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        var isCancelled = false
        state.change { state in
          var load = Load(number: number, token: context.token, continuation: continuation)
          load.isCancelled = state.coming.removeValue(forKey: number) ?? false
          isCancelled = load.isCancelled
          state.log.began.append(load.token)
          if load.isCancelled { state.log.cancelled.append(load.token) }
          if !load.isCancelled || !stopsWhenCancelled { state.loads.append(load) }
        }
        if isCancelled, stopsWhenCancelled {
          continuation.resume(throwing: CancellationError())
        } else if Task.isCancelled {
          cancel(number)
        }
      }
    } onCancel: {
      cancel(number)
    }
  }

  private func cancel(_ number: Int) {
    state.change { state in
      if state.coming[number] != nil { state.coming[number] = true }
      guard let index = state.loads.firstIndex(where: { $0.number == number }),
        !state.loads[index].isCancelled
      else { return }
      state.loads[index].isCancelled = true
      state.log.cancelled.append(state.loads[index].token)
    }
    if stopsWhenCancelled {
      resume(where: { $0.number == number }, with: { _ in .failure(CancellationError()) })
    }
  }

  // MARK: Opening

  /// Ends all loads of a row that are at the gate with a value.
  public func open(_ row: Row, with value: Value) {
    resume(where: { $0.token.row == row }, with: { _ in .success(value) })
  }

  /// Ends all loads that are at the gate.
  public func openAll(_ value: (Row) -> Value) {
    resume(where: { _ in true }, with: { .success(value($0)) })
  }

  /// Ends all loads of a row that are at the gate with an error.
  public func fail(_ row: Row, with error: any Error) {
    resume(where: { $0.token.row == row }, with: { _ in .failure(error) })
  }

  private func resume(
    where isMeant: (Load) -> Bool, with result: (Row) -> Result<Value, any Error>
  ) {
    let loads = state.withLock { $0.loads }
    for meant in loads where isMeant(meant) {
      let load = state.change { state in
        // Another thread may have ended the load.
        let index = state.loads.firstIndex { $0.number == meant.number }
        return index.map { state.loads.remove(at: $0) }
      }
      load?.continuation.resume(with: result(meant.token.row))
    }
  }

  // MARK: Waiting

  /// Waits until loads of exactly these rows are at the gate.
  ///
  /// **Cancellation**: a cancelled task stops waiting.
  public func waitForLoads(_ rows: Set<Row>) async {
    await wait { Set($0.waiting.map(\.row)) == rows }
  }

  /// Waits until a condition on the events holds.
  ///
  /// It is evaluated at once and after each change, on the thread that makes it, outside every
  /// lock. A cancelled task stops waiting.
  public func wait(until condition: @escaping @Sendable (Log) -> Bool) async {
    await state.wait(until: condition)
  }
}
