/// The row of an update closure, with calls to stop early and to show values on the way.
///
/// Wrap each step in `stage`: a cancelled update stops at the start or the end of a step.
///
/// ```swift
/// let tracker = DisplayTracker<Photo.ID, Thumbnail> { context in
///   let data = try await context.stage(.fetch) { try await download(context.row) }
///   return try await context.stage(.decode) { try decode(data) }
/// }
/// ```
///
/// Pass an earlier value, such as a preview, to ``show(_:)``:
///
/// ```swift
/// let tracker = DisplayTracker<Photo.ID, Thumbnail> { context in
///   context.show(try await preview(of: context.row))
///   return try await thumbnail(of: context.row)
/// }
/// ```
///
/// **Threading**: any thread; stages of one update run one after the other or one inside another.
public struct UpdateContext<Row: Hashable & Sendable, Value: Sendable>: Sendable {
  // The only property, so that unspecialised code looks up no type to copy it (B13).
  let host: any UpdateHost<Row>

  /// The row and the generation of the update.
  public var token: RowToken<Row> { host.token }

  /// The row's identity.
  public var row: Row { host.row }

  /// Why the row loads at this moment.
  ///
  /// It may change while the update runs. The fetches of the context follow it by themselves. An
  /// operation without a tracker is displayed.
  ///
  /// **Threading**: any thread. **Cost**: O(1).
  public var claim: RowClaim { host.tracked.claim }

  /// Makes a context without an operation, for a test of an update closure.
  ///
  /// Such a context follows the cancellation of the current task.
  ///
  /// - Parameters:
  ///   - token: The row and the generation of the update.
  ///   - claim: Why the row loads.
  ///   - shown: Called with each shown value, on the closure's thread.
  ///   - reported: Called with each progress, on the closure's thread.
  public init(
    token: RowToken<Row>, claim: RowClaim = .displayed, shown: (@Sendable (Value) -> Void)? = nil,
    reported: (@Sendable (Double) -> Void)? = nil
  ) {
    self.init(LooseHost(token: token, claim: claim, shown: shown, reported: reported))
  }

  init(_ host: any UpdateHost<Row>) { self.host = host }

  #if canImport(Darwin) && !canImport(_Concurrency, _version: 6.0)
    /// Runs one step, for SDKs older than Swift 6, which cannot name the caller's isolation.
    public func stage<T>(
      _ stage: UpdateStage, _ body: () async throws -> T
    ) async throws -> T {
      try await run(stage, isolation: nil, body)
    }
  #else
    /// Runs one step of the update, unless the update was cancelled.
    ///
    /// It checks for cancellation before and after the step.
    ///
    /// **Threading**: `body` runs in the caller's isolation. **Errors**: an error of `body` passes
    /// through untouched.
    ///
    /// - Parameters:
    ///   - stage: The step's name, for ``UpdateOperation/currentStage`` and
    ///     ``UpdateOperation/cancelledAt``.
    ///   - isolation: The caller's isolation; leave it out.
    ///   - body: The step.
    /// - Throws: `CancellationError` if the update was cancelled; any error of `body`.
    public func stage<T>(
      _ stage: UpdateStage, isolation: isolated (any Actor)? = #isolation,
      _ body: () async throws -> T
    ) async throws -> T {
      try await run(stage, isolation: isolation, body)
    }
  #endif

  private func run<T>(
    _ stage: UpdateStage, isolation: isolated (any Actor)?, _ step: () async throws -> T
  ) async throws -> T {
    try checkCancellation(at: stage)
    let body = host.tracked
    let outer = body.withStages { $0.enter(stage) }
    defer { body.withStages { $0.leave(to: outer) } }
    do {
      let output = try await step()
      try checkCancellation(at: stage)
      return output
    } catch {
      recordIfCancelled(at: stage)
      throw error
    }
  }

  /// Throws `CancellationError` if the update was cancelled; O(1).
  public func checkCancellation() throws {
    try checkCancellation(at: host.tracked.stages.current)
  }

  /// Shows a value before the final one: a preview, a cached copy, a running total.
  ///
  /// The tracker renders it as ``RowPhase/loading(previous:progress:)`` in all cells of the row:
  /// the newest value, at most once per turn of the main queue. After a failure or a cancel, the
  /// row has its earlier value again.
  ///
  /// An operation without a tracker passes it to its `show` closure.
  ///
  /// **Threading**: any thread; returns at once. **Cancellation**: does nothing after the update
  /// was cancelled. **Cost**: O(1).
  public func show(_ value: Value) {
    if !isCancelled { host.post(value: ValueBox(value), progress: nil) }
  }

  /// Reports the loaded share of the row, for ``RowPhase/progress``.
  ///
  /// Rendered at most once per turn of the main queue.
  ///
  /// **Threading**: any thread; returns at once. **Cancellation**: does nothing after the update
  /// was cancelled. **Cost**: O(1).
  ///
  /// - Parameter progress: From 0 to 1. Other numbers are clamped, and NaN is ignored.
  public func report(progress: Double) {
    guard !isCancelled, !progress.isNaN else { return }
    host.post(value: nil, progress: min(max(progress, 0), 1))
  }

  /// Calls `body` on a cancel, on the cancelling thread.
  ///
  /// The task is cancelled a moment later, on another thread.
  package func whenCancelled(_ body: @escaping @Sendable () -> Void) {
    guard let operation = host as? AsyncOperation else { return }
    operation.addObserver(OperationObserver(cancelled: { _ in body() }))
    if operation.isCancelled { body() }
  }

  private var isCancelled: Bool { Task.isCancelled || host.isToStop }

  private func checkCancellation(at stage: UpdateStage?) throws {
    if recordIfCancelled(at: stage) { throw CancellationError() }
  }

  @discardableResult
  private func recordIfCancelled(at stage: UpdateStage?) -> Bool {
    guard isCancelled else { return false }
    host.tracked.withStages { $0.recordCancellation(at: stage) }
    return true
  }
}

/// The operation behind a context.
protocol UpdateHost<Row>: AnyObject, Sendable {
  associatedtype Row: Hashable & Sendable
  var token: RowToken<Row> { get }
  var row: Row { get }
  /// Cancelled, or finished from outside.
  var isToStop: Bool { get }
  var tracked: UpdateBody { get }
  func post(value: AnyValue?, progress: Double?)
}

/// The host of a context without an operation.
private final class LooseHost<Row: Hashable & Sendable, Value: Sendable>: UpdateHost {
  let token: RowToken<Row>
  let tracked: UpdateBody
  private let shown: (@Sendable (Value) -> Void)?
  private let reported: (@Sendable (Double) -> Void)?

  init(
    token: RowToken<Row>, claim: RowClaim, shown: (@Sendable (Value) -> Void)?,
    reported: (@Sendable (Double) -> Void)?
  ) {
    self.token = token
    self.shown = shown
    self.reported = reported
    tracked = UpdateBody(claim: claim)
  }

  var row: Row { token.row }

  var isToStop: Bool { false }

  func post(value: AnyValue?, progress: Double?) {
    if let value = ValueBox<Value>.value(in: value) { shown?(value) }
    if let progress { reported?(progress) }
  }
}
