import Foundation

/// The body of an update of an app's own types.
@_fixed_layout  // Its inlinable initialiser sets the properties.
@usableFromInline
// Sendable: all mutable state is read and written under the base class's lock.
final class UpdateClosures<Row: Hashable & Sendable, Value: Sendable>: UpdateBody,
  @unchecked Sendable
{
  @frozen
  @usableFromInline
  struct Closures: Sendable {
    @usableFromInline let isCurrent: (@MainActor (RowToken<Row>) -> Bool)?
    @usableFromInline let apply: (@MainActor (RowToken<Row>, Value) -> Void)?
    @usableFromInline let show: (@MainActor (RowToken<Row>, Value) -> Void)?
    @usableFromInline let update: @Sendable (UpdateContext<Row, Value>) async throws -> Value

    var isOfScreen: Bool { isCurrent != nil || apply != nil || show != nil }

    @inlinable
    init(
      isCurrent: (@MainActor (RowToken<Row>) -> Bool)?,
      apply: (@MainActor (RowToken<Row>, Value) -> Void)?,
      show: (@MainActor (RowToken<Row>, Value) -> Void)?,
      update: @escaping @Sendable (UpdateContext<Row, Value>) async throws -> Value
    ) {
      self.isCurrent = isCurrent
      self.apply = apply
      self.show = show
      self.update = update
    }
  }

  @usableFromInline var stored: Closures?
  /// The posted step, if any.
  ///
  /// It is an object, so that the size of the body does not depend on the type of the value (figure
  /// B13).
  private var posted: Posted?
  private var isOver = false

  @inlinable
  init(_ closures: Closures?) {
    stored = closures
    super.init()
  }

  deinit { if stored != nil { releaseClosures() } }

  /// The closures; `nil` without any, and after the end of the update.
  ///
  /// For the main thread alone, since the caller may get the last reference to a screen.
  @MainActor
  var closures: Closures? { withLock { stored } }

  var update: (@Sendable (UpdateContext<Row, Value>) async throws -> Value)? {
    withLock { stored?.update }
  }

  /// Whether the update has closures that belong to the UI.
  var isOfScreen: Bool { withLock { stored?.isOfScreen ?? false } }

  // MARK: Steps

  /// Stores a newer value or progress.
  ///
  /// - Returns: Whether to call the owner, because the previous step was taken.
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

  /// Takes the newest step; `nil` without a new one, and after the end.
  func takeStep() -> UpdateStep<Value>? {
    withLock {
      guard let posted, posted.isNew else { return nil }
      posted.isNew = false
      return posted.step
    }
  }

  /// Takes the newest value; `nil` without a new one, and after the end.
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
    /// Whether the step is newer than the last one taken.
    var isNew = false
    /// Whether its value is newer than the last one taken.
    var hasNewValue = false
  }

  // MARK: The end

  override func releaseClosures() {
    let released = Released()
    // Read first, since a read of the moved closures would retain them on this thread.
    let isOfScreen = isOfScreen
    withLock {
      isOver = true
      swap(&stored, &released.closures)
      swap(&posted, &released.posted)
    }
    // The closures may hold the last reference to a screen, so this thread keeps no reference to
    // them.
    if isOfScreen {
      DispatchQueue.main.async { released.closures = nil }
    }
  }

  /// Closures in transit to the thread that releases them.
  // Sendable: only one thread has it at a time.
  private final class Released: @unchecked Sendable {
    var closures: Closures?
    var posted: Posted?
  }
}

/// The newest value and the newest progress that an update shows before its end.
@usableFromInline
package struct UpdateStep<Value: Sendable>: Sendable {
  @usableFromInline package var value: Value?
  @usableFromInline package var progress: Double?
}
