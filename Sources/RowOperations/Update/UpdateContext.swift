/// What an update closure is given: the row, and the means to stop early.
///
/// Wrap each step in ``stage(_:isolation:_:)``, so that an update whose row has left stops at the
/// next step's border, and so that one can see later which step that was.
///
/// ```swift
/// let tracker = DisplayTracker<Photo.ID, UIImage> { context in
///   let data = try await context.stage(.fetch) { try await download(context.row) }
///   return try await context.stage(.decode) { try decode(data) }
/// }
/// ```
///
/// **Threading**: any thread; stages of one update run one after the other or one inside another.
public struct UpdateContext<Row: Hashable & Sendable>: Sendable {
  /// Which row, and which of its updates.
  public let token: RowToken<Row>
  private let host: (any UpdateHost & Sendable)?

  /// The row's identity.
  public var row: Row { token.row }

  /// Makes a context outside any operation, so that an update closure can be tested by itself.
  ///
  /// Such a context follows the cancellation of the task that it is used in.
  public init(token: RowToken<Row>) {
    self.init(token: token, host: nil)
  }

  init(token: RowToken<Row>, host: (any UpdateHost & Sendable)?) {
    self.token = token
    self.host = host
  }

  #if canImport(Darwin) && !canImport(_Concurrency, _version: 6.0)
    /// The same for SDKs older than Swift 6, which cannot name the caller's isolation.
    public func stage<T>(
      _ stage: UpdateStage, _ body: () async throws -> T
    ) async throws -> T {
      try await run(stage, isolation: nil, body)
    }
  #else
    /// Runs one step of the update, unless the update was cancelled.
    ///
    /// Checks for cancellation before the step and after it. A step that is not reached costs
    /// nothing.
    ///
    /// **Threading**: `body` runs in the caller's isolation. **Errors**: what `body` throws passes
    /// through untouched.
    ///
    /// - Parameters:
    ///   - stage: The step's name, for ``UpdateOperation/currentStage`` and
    ///     ``UpdateOperation/cancelledAt``.
    ///   - isolation: The caller's isolation; leave it out.
    ///   - body: The step.
    /// - Throws: `CancellationError` if the update was cancelled; whatever `body` throws.
    public func stage<T>(
      _ stage: UpdateStage, isolation: isolated (any Actor)? = #isolation,
      _ body: () async throws -> T
    ) async throws -> T {
      try await run(stage, isolation: isolation, body)
    }
  #endif

  private func run<T>(
    _ stage: UpdateStage, isolation: isolated (any Actor)?, _ body: () async throws -> T
  ) async throws -> T {
    try checkCancellation(at: stage)
    let outer = host?.withStages { $0.enter(stage) }
    defer { host?.withStages { $0.leave(to: outer ?? nil) } }
    do {
      let output = try await body()
      try checkCancellation(at: stage)
      return output
    } catch {
      noteIfCancelled(at: stage)
      throw error
    }
  }

  /// Throws `CancellationError` if the update was cancelled; for use inside a long step.
  ///
  /// O(1).
  public func checkCancellation() throws {
    try checkCancellation(at: host?.withStages { $0.current })
  }

  /// Calls `body` when the operation is cancelled, on the thread that cancels.
  ///
  /// The operation's task is cancelled a moment later, on another thread.
  package func whenCancelled(_ body: @escaping @Sendable () -> Void) {
    guard let operation = host as? AsyncOperation else { return }
    operation.addObserver(OperationObserver(cancelled: { _ in body() }))
    if operation.isCancelled { body() }
  }

  private var isCancelled: Bool { Task.isCancelled || host?.isToStop ?? false }

  private func checkCancellation(at stage: UpdateStage?) throws {
    guard isCancelled else { return }
    host?.withStages { $0.noteCancelled(at: stage) }
    throw CancellationError()
  }

  private func noteIfCancelled(at stage: UpdateStage) {
    guard isCancelled else { return }
    host?.withStages { $0.noteCancelled(at: stage) }
  }
}

/// The operation behind a context.
package protocol UpdateHost: AnyObject {
  /// Whether the operation was cancelled or has been finished by somebody else.
  var isToStop: Bool { get }
  func withStages<Output>(_ body: (inout StageLog) -> Output) -> Output
}
