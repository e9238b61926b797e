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
  }

  private let state = WatchedState(State())
  private let stopsWhenCancelled: Bool

  /// Makes a gate.
  ///
  /// - Parameter stopsWhenCancelled: Whether a cancelled load ends. If `false`, it stays until the
  ///   gate opens.
  public init(stopsWhenCancelled: Bool = true) {
    self.stopsWhenCancelled = stopsWhenCancelled
  }

  /// The events so far.
  public var log: Log { state.withLock { $0.log } }

  /// Waits at the gate, as the stage `fetch`.
  ///
  /// Use it as the update closure.
  ///
  /// - Throws: The error given to ``fail(_:with:)``; `CancellationError` after a cancel.
  public func load(_ context: UpdateContext<Row, Value>) async throws -> Value {
    try await context.stage(.fetch) { try await wait(context) }
  }

  /// Waits at the gate in an update that makes another type of value.
  public func load<Final>(_ context: UpdateContext<Row, Final>) async throws -> Value {
    try await context.stage(.fetch) { try await wait(context) }
  }

  private func wait<Final>(_ context: UpdateContext<Row, Final>) async throws -> Value {
    let number = state.nextNumber()
    // Set before a test can see the load, so that a cancel is recorded when its call returns.
    context.whenCancelled { self.cancel(number) }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        state.change { state in
          state.log.began.append(context.token)
          state.loads.append(
            Load(number: number, token: context.token, continuation: continuation))
        }
        // An earlier cancel did not find the load.
        if Task.isCancelled { cancel(number) }
      }
    } onCancel: {
      cancel(number)
    }
  }

  private func cancel(_ number: Int) {
    let ended = state.change { state -> Load? in
      guard let index = state.loads.firstIndex(where: { $0.number == number }),
        !state.loads[index].isCancelled
      else { return nil }
      state.loads[index].isCancelled = true
      state.log.cancelled.append(state.loads[index].token)
      return stopsWhenCancelled ? state.loads.remove(at: index) : nil
    }
    ended?.continuation.resume(throwing: CancellationError())
  }

  // MARK: Opening

  /// Ends all loads of a row that are at the gate with a value.
  public func open(_ row: Row, with value: Value) {
    for load in remove(where: { $0 == row }) { load.continuation.resume(returning: value) }
  }

  /// Ends all loads that are at the gate.
  public func openAll(_ value: (Row) -> Value) {
    for load in remove(where: { _ in true }) {
      load.continuation.resume(returning: value(load.token.row))
    }
  }

  /// Ends all loads of a row that are at the gate with an error.
  public func fail(_ row: Row, with error: any Error) {
    for load in remove(where: { $0 == row }) { load.continuation.resume(throwing: error) }
  }

  /// Ends the loads that have run for a time, and waits until the tracker has committed them.
  ///
  /// Call it after each step of the tracker's ``ManualClock``: loads then take that time, on every
  /// machine.
  ///
  /// **Cancellation**: a cancelled task goes on waiting; give the test a time limit.
  ///
  /// - Parameters:
  ///   - tracker: A tracker with this gate as its update closure.
  ///   - time: The time of a load, on the tracker's clock.
  ///   - value: Makes the value of a row.
  @MainActor
  public func openLoads(
    of tracker: DisplayTracker<Row, Value>, after time: Duration, with value: (Row) -> Value
  ) async {
    for body in tracker.bodies where !body.isCancelled && body.age >= time {
      let token = body.token
      let isRunning = { tracker.bodies.contains { $0.token == token && !$0.isCancelled } }
      while isRunning(), !log.waiting.contains(token) { await Task.yield() }
      open(token.row, with: value(token.row))
      while isRunning() { await Task.yield() }
    }
    // Cancelled loads end by themselves, and may hold a slot until then.
    while stopsWhenCancelled, tracker.core.engine.runs.lingering > 0 { await Task.yield() }
    tracker.endPass()
  }

  private func remove(where isMeant: (Row) -> Bool) -> [Load] {
    state.change { state in
      let loads = state.loads.filter { isMeant($0.token.row) }
      state.loads.removeAll { isMeant($0.token.row) }
      return loads
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
    await state.wait { condition($0.log) }
  }
}
