import RowOperations

/// Loads that begin as usual and end when the test says so.
///
/// ```swift
/// let gate = LoadGate<Int, String>()
/// let tracker = DisplayTracker { try await gate.load($0) }
/// …
/// await gate.waitForLoads([3])
/// gate.open(3, with: "three")
/// ```
///
/// **Threading**: any thread.
public final class LoadGate<Row: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Load {
    let token: RowToken<Row>
    let continuation: CheckedContinuation<Value, any Error>
  }

  private struct Watcher {
    let condition: @Sendable (LoadGate.Log) -> Bool
    let continuation: CheckedContinuation<Void, Never>
  }

  /// What has happened at the gate.
  public struct Log: Sendable {
    /// The tokens of all loads that began, in order.
    public fileprivate(set) var began: [RowToken<Row>] = []
    /// The tokens of all loads that were told to stop, in order.
    public fileprivate(set) var cancelled: [RowToken<Row>] = []
    /// The tokens of all loads that are at the gate, in the order in which they came.
    public fileprivate(set) var waiting: [RowToken<Row>] = []
  }

  private struct State {
    var log = Log()
    var loads: [RowToken<Row>: Load] = [:]
    var watchers: [Watcher] = []
    /// Grows with each change, so that those who wait miss none.
    var version = 0
  }

  private let state = Lock(State())
  private let heedsCancellation: Bool

  /// Makes a gate.
  ///
  /// - Parameter heedsCancellation: Whether a load that is told to stop does so. If not, it stays at
  ///   the gate until it is opened, as work that never checks does.
  public init(heedsCancellation: Bool = true) {
    self.heedsCancellation = heedsCancellation
  }

  /// What has happened so far.
  public var log: Log { state.withLock { $0.log } }

  /// The update closure: waits at the gate.
  ///
  /// Runs as the stage ``UpdateStage/fetch``.
  public func load(_ context: UpdateContext<Row>) async throws -> Value {
    try await context.stage(.fetch) { try await wait(context.token) }
  }

  private func wait(_ token: RowToken<Row>) async throws -> Value {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        change { state in
          state.log.began.append(token)
          state.log.waiting.append(token)
          state.loads[token] = Load(token: token, continuation: continuation)
        }
        if Task.isCancelled { cancel(token) }
      }
    } onCancel: {
      cancel(token)
    }
  }

  private func cancel(_ token: RowToken<Row>) {
    change { state in
      guard state.loads[token] != nil, !state.log.cancelled.contains(token) else { return }
      state.log.cancelled.append(token)
    }
    if heedsCancellation { resume([token]) { _ in .failure(CancellationError()) } }
  }

  // MARK: Opening

  /// Ends all loads of a row that are at the gate with a value.
  public func open(_ row: Row, with value: Value) {
    resume(tokens { $0.row == row }) { _ in .success(value) }
  }

  /// Ends all loads that are at the gate.
  public func openAll(_ value: (Row) -> Value) {
    resume(tokens { _ in true }) { .success(value($0)) }
  }

  /// Ends all loads of a row that are at the gate with an error.
  public func fail(_ row: Row, with error: any Error) {
    resume(tokens { $0.row == row }) { _ in .failure(error) }
  }

  private func tokens(where condition: (RowToken<Row>) -> Bool) -> [RowToken<Row>] {
    state.withLock { $0.log.waiting.filter(condition) }
  }

  private func resume(
    _ tokens: [RowToken<Row>], with result: (Row) -> Result<Value, any Error>
  ) {
    for token in tokens {
      var load: Load?
      change { state in
        load = state.loads.removeValue(forKey: token)
        state.log.waiting.removeAll { $0 == token }
      }
      load?.continuation.resume(with: result(token.row))
    }
  }

  // MARK: Waiting

  /// Waits until loads of exactly these rows are at the gate.
  public func waitForLoads(_ rows: Set<Row>) async {
    await wait { Set($0.waiting.map(\.row)) == rows }
  }

  /// Waits until something has happened at the gate.
  public func wait(until condition: @escaping @Sendable (Log) -> Bool) async {
    await withCheckedContinuation { continuation in
      change { $0.watchers.append(Watcher(condition: condition, continuation: continuation)) }
    }
  }

  private func change(_ body: (inout State) -> Void) {
    state.withLock { state in
      body(&state)
      state.version += 1
    }
    tellWatchers()
  }

  /// Resumes those whose condition has come true; conditions are asked outside the lock.
  private func tellWatchers() {
    var isUpToDate = false
    while !isUpToDate {
      let (log, version, watchers) = state.withLock { state in
        defer { state.watchers = [] }
        return (state.log, state.version, state.watchers)
      }
      var waiting: [Watcher] = []
      for watcher in watchers {
        if watcher.condition(log) {
          watcher.continuation.resume()
        } else {
          waiting.append(watcher)
        }
      }
      // Who was taken out has not been asked about what others have changed meanwhile.
      isUpToDate = state.withLock { state in
        state.watchers += waiting
        return state.version == version
      }
    }
  }
}
