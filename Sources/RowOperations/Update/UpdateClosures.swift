import Foundation

/// The body of an update of an app's own types.
///
/// Unspecialised code looks up the type of each generic value that it copies, compares with `nil`
/// or passes on. References and closures need no look-up (figure B13).
@usableFromInline
// Sendable: all mutable state is read and written under the base class's lock.
final class UpdateClosures<Row: Hashable & Sendable, Value: Sendable>: UpdateBody,
  @unchecked Sendable
{
  @usableFromInline typealias Update = @Sendable (UpdateContext<Row, Value>) async throws -> Value

  @usableFromInline var storedUpdate: Update?
  @usableFromInline var storedScreen: ScreenClosures<Row, Value>?
  private var posted: Posted?
  private var isOver = false

  @inlinable
  init(screen: ScreenClosures<Row, Value>?, update: Update?) {
    storedUpdate = update
    storedScreen = screen
    super.init(isOfScreen: screen != nil)
  }

  deinit { storedScreen?.releaseLater() }

  /// `nil` after the end of the update.
  var update: Update? {
    // Unspecialised code would look up the type of an output.
    var update: Update?
    withLock { update = storedUpdate }
    return update
  }

  /// `nil` after the end of the update.
  var screen: ScreenClosures<Row, Value>? { withLock { storedScreen } }

  // MARK: Steps

  /// - Returns: Whether to call the owner, as the last step was taken.
  func post(value: Value?, progress: Double?) -> Bool {
    // The previous value is released outside the lock.
    var value = value
    return withLock {
      guard !isOver else { return false }
      let posted = posted ?? Posted()
      self.posted = posted
      if value != nil {
        swap(&posted.step.value, &value)
        posted.hasNewValue = true
      }
      if let progress { posted.step.progress = progress }
      defer { posted.isNew = true }
      return !posted.isNew
    }
  }

  func takeStep() -> UpdateStep<Value>? {
    withLock {
      guard let posted, posted.isNew else { return nil }
      posted.isNew = false
      return posted.step
    }
  }

  func takeNewValue() -> Value? {
    withLock {
      guard let posted else { return nil }
      defer { (posted.isNew, posted.hasNewValue) = (false, false) }
      return posted.hasNewValue ? posted.step.value : nil
    }
  }

  // Sendable: read and written under the lock of the body.
  @usableFromInline
  final class Posted: @unchecked Sendable {
    var step = UpdateStep<Value>()
    var isNew = false
    var hasNewValue = false
  }

  // MARK: The end

  override func releaseClosures() {
    // These variables outlive the lock.
    var update: Update?
    var screen: ScreenClosures<Row, Value>?
    var step: Posted?
    withLock {
      isOver = true
      (update, screen, step) = (storedUpdate, storedScreen, posted)
      (storedUpdate, storedScreen, posted) = (nil, nil, nil)
    }
    _ = (update, step)
    screen?.releaseLater()
  }
}

/// The closures of an update that belong to a screen.
///
/// They may hold the last reference to it, so the main thread releases them; this object may end
/// elsewhere, empty.
@MainActor
@usableFromInline
final class ScreenClosures<Row: Hashable & Sendable, Value: Sendable> {
  @usableFromInline var isCurrent: (@MainActor (RowToken<Row>) -> Bool)?
  @usableFromInline var apply: (@MainActor (RowToken<Row>, Value) -> Void)?
  @usableFromInline var show: (@MainActor (RowToken<Row>, Value) -> Void)?

  @inlinable
  nonisolated init(
    isCurrent: (@MainActor (RowToken<Row>) -> Bool)?,
    apply: (@MainActor (RowToken<Row>, Value) -> Void)?,
    show: (@MainActor (RowToken<Row>, Value) -> Void)?
  ) {
    self.isCurrent = isCurrent
    self.apply = apply
    self.show = show
  }

  /// - Returns: `nil` without any closure.
  // Not an initialiser, which would allocate an object before it returns `nil` (figure B13).
  @inlinable
  nonisolated static func ifAny(
    isCurrent: (@MainActor (RowToken<Row>) -> Bool)?,
    apply: (@MainActor (RowToken<Row>, Value) -> Void)?,
    show: (@MainActor (RowToken<Row>, Value) -> Void)?
  ) -> ScreenClosures? {
    if isCurrent == nil, apply == nil, show == nil { return nil }
    return ScreenClosures(isCurrent: isCurrent, apply: apply, show: show)
  }

  nonisolated func releaseLater() {
    DispatchQueue.main.async { (self.isCurrent, self.apply, self.show) = (nil, nil, nil) }
  }
}

@usableFromInline
struct UpdateStep<Value: Sendable>: Sendable {
  @usableFromInline package var value: Value?
  @usableFromInline var progress: Double?
}
