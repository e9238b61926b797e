import Foundation

/// Updates one row in stages, and stops at the next stage after a cancel.
///
/// It runs its update closure (or a subclass's ``update(_:)``), and checks for cancellation before
/// the first stage, around each stage, and on the main actor immediately before it applies the
/// value.
///
/// ```swift
/// let operation = UpdateOperation(
///   token: RowToken(row: photo.id, generation: 1),
///   isCurrent: { [weak cell] in cell?.photoID == $0.row },
///   apply: { [weak cell] _, image in cell?.show(image) }
/// ) { context in
///   let data = try await context.stage(.fetch) { try await download(context.row) }
///   return try await context.stage(.decode) { try decode(data) }
/// }
/// queue.enqueue(operation)
/// ```
///
/// A ``DisplayTracker`` makes such operations by itself. To schedule updates yourself, use them in
/// any `OperationQueue`, with any dependencies.
///
/// **Threading**: `update` runs in a task of its own. `isCurrent` and `apply` run on the main
/// actor, with no suspension after the last check, and are released there.
///
/// **Cancellation**: once `cancel()` has returned on the main actor, `apply` never runs. A cancel
/// or a timeout during `apply` does nothing. A cancelled update ends with `CancellationError` or
/// with the error of its closure.
///
/// **Errors**: an error of the closure becomes the result, untouched.
// Sendable: no property changes; the contents of `body` change under its lock.
open class UpdateOperation<Row: Hashable & Sendable, Value: Sendable>:
  ResultOperation<Value>, UpdateHost, TrackedUpdate, @unchecked Sendable
{
  @usableFromInline package final let row: Row
  @usableFromInline let generation: UInt64
  @usableFromInline let body: UpdateClosures<Row, Value>

  /// Makes an update of closures.
  ///
  /// - Parameters:
  ///   - token: Which row, and which of its updates.
  ///   - isCurrent: Called on the main actor immediately before `apply`. With `false`, the
  ///     operation ends with `CancellationError`.
  ///   - apply: Shows the value, on the main actor.
  ///   - show: Shows a value from ``UpdateContext/show(_:)``, on the main actor, after the same
  ///     checks: the newest in a turn of the main queue.
  ///   - update: Makes the value, in stages.
  @inlinable
  public init(
    token: RowToken<Row>,
    isCurrent: (@MainActor (RowToken<Row>) -> Bool)? = nil,
    apply: (@MainActor (RowToken<Row>, Value) -> Void)? = nil,
    show: (@MainActor (RowToken<Row>, Value) -> Void)? = nil,
    update: @escaping @Sendable (UpdateContext<Row, Value>) async throws -> Value
  ) {
    (row, generation) = (token.row, token.generation)
    let isOfScreen = isCurrent != nil || apply != nil || show != nil
    body = UpdateClosures(
      screen: isOfScreen
        ? ScreenClosures(isCurrent: isCurrent, apply: apply, show: show) : nil,
      update: update)
    super.init(hook: body)
  }

  /// Makes an update for a subclass that overrides ``update(_:)``.
  @inlinable
  public init(token: RowToken<Row>) {
    (row, generation) = (token.row, token.generation)
    body = UpdateClosures(screen: nil, update: nil)
    super.init(hook: body)
  }

  /// The row and the generation of the update.
  @inlinable
  public final var token: RowToken<Row> { RowToken(row: row, generation: generation) }

  /// The stage of the update; `nil` outside of stages.
  public final var currentStage: UpdateStage? { body.stages.current }

  /// The stage in which the cancelled update stopped.
  ///
  /// `nil` outside of stages; `apply` if the value was made and not applied.
  public final var cancelledAt: UpdateStage? { body.stages.cancelledAt }

  /// Makes the row's value.
  ///
  /// It runs at most once, in a task of its own. The default runs the operation's closure.
  open func update(_ context: UpdateContext<Row, Value>) async throws -> Value {
    guard let update = body.update else {
      throw OperationError(
        code: .missingUpdate,
        description: "This update has no body. Pass it an update closure, or override update(_:).")
    }
    return try await update(context)
  }

  /// Runs the update; only `start()` calls it.
  public final override func main() {
    // By its base class, which has no generic type to look up.
    let body: UpdateBody = body
    body.run(self, priority: body.firstPriority(of: self)) { [self] in try await run() }
  }

  private func run() async throws -> Value {
    let value = try await update(UpdateContext<Row, Value>(self))
    // An update that has ended waits for no main thread.
    try checkBeforeApply()
    if body.isOfScreen {
      try await applyIfCurrent(value)
      // Nothing is left to cancel.
      body.taskReturned(of: self)
      bodyReturned()
    }
    return value
  }

  /// Checks, decides the end and applies the value, without suspension in between.
  ///
  /// The end comes first, so that no applied row counts as cancelled or timed out.
  @MainActor
  private func applyIfCurrent(_ value: Value) throws {
    try checkBeforeApply()
    let screen = body.screen
    guard screen?.isCurrent?(token) ?? true else {
      throw cancellation()
    }
    // The app's `isCurrent` may have cancelled the operation.
    guard finishByBody(with: value) else { throw cancellation() }
    _ = body.withStages { $0.enter(.apply) }
    defer { body.withStages { $0.leave(to: nil) } }
    screen?.apply?(token, value)
  }

  private func checkBeforeApply() throws {
    if isToStop { throw cancellation() }
  }

  private func cancellation() -> CancellationError {
    body.withStages { $0.recordCancellation(at: .apply) }
    return CancellationError()
  }

  // MARK: Steps

  final func post(value: AnyValue?, progress: Double?) {
    guard body.post(value: value, progress: progress), body.isOfScreen else { return }
    let operation: any StepShowing = self
    DispatchQueue.main.async { operation.showStep() }
  }

  /// Checks and shows a value, without suspension in between.
  @MainActor
  fileprivate func showStep() {
    guard let value = ValueBox<Value>.value(in: body.takeNewValue()), let screen = body.screen,
      let show = screen.show
    else { return }
    guard !isToStop, screen.isCurrent?(token) ?? true else { return }
    // The app's `isCurrent` may have cancelled the operation.
    if !isToStop { show(token, value) }
  }

  // MARK: For a tracker

  @usableFromInline
  final var tracked: UpdateBody { body }

  @usableFromInline
  final func failedReplacement() -> any TrackedUpdate {
    let replacement = UpdateOperation(token: token)
    replacement.finish(
      with: .failure(
        OperationError(
          code: .unusableOperation,
          description: """
            The tracker received an operation with another token, or one that was already started or \
            enqueued. Make a new operation with the token that the closure receives.
            """)))
    return replacement
  }
}

/// With older SDKs, an operation cannot be sent to the main actor under its own type.
private protocol StepShowing: Sendable {
  @MainActor func showStep()
}

extension UpdateOperation: StepShowing {}

/// An update without its types, for a tracker's core.
@usableFromInline
protocol TrackedUpdate: AsyncOperation {
  var tracked: UpdateBody { get }
  /// Makes a failed update with the same token, in place of this unusable one.
  func failedReplacement() -> any TrackedUpdate
}
