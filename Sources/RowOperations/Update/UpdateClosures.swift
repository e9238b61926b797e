import Foundation

/// The closures of an update, with those shared by other updates.
@usableFromInline
// Sendable: the closures are read and written under the base class's lock.
final class UpdateClosures<Row: Hashable & Sendable, Value: Sendable>: UpdateBody,
  @unchecked Sendable
{
  typealias Update = @Sendable (UpdateContext<Row, Value>) async throws -> Value

  private var storedUpdate: Update?
  private var storedScreen: ScreenClosures<Row, Value>?
  let isOfScreen: Bool

  @usableFromInline
  init(
    screen: ScreenClosures<Row, Value>?,
    update: (@Sendable (UpdateContext<Row, Value>) async throws -> Value)?
  ) {
    storedUpdate = update
    storedScreen = screen
    isOfScreen = screen != nil
    super.init()
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

  override func releaseClosures() {
    // These variables outlive the lock.
    var update: Update?
    var screen: ScreenClosures<Row, Value>?
    withLock {
      (update, screen) = (storedUpdate, storedScreen)
      (storedUpdate, storedScreen) = (nil, nil)
    }
    _ = update
    screen?.releaseLater()
  }
}

/// The closures of an update that belong to a screen.
///
/// They may hold the last reference to it, so the main thread releases them; this object may end
/// elsewhere.
@MainActor
@usableFromInline
final class ScreenClosures<Row: Hashable & Sendable, Value: Sendable> {
  private(set) var isCurrent: (@MainActor (RowToken<Row>) -> Bool)?
  private(set) var apply: (@MainActor (RowToken<Row>, Value) -> Void)?
  private(set) var show: (@MainActor (RowToken<Row>, Value) -> Void)?

  @usableFromInline
  nonisolated init(
    isCurrent: (@MainActor (RowToken<Row>) -> Bool)?,
    apply: (@MainActor (RowToken<Row>, Value) -> Void)?,
    show: (@MainActor (RowToken<Row>, Value) -> Void)?
  ) {
    self.isCurrent = isCurrent
    self.apply = apply
    self.show = show
  }

  nonisolated func releaseLater() {
    DispatchQueue.main.async { (self.isCurrent, self.apply, self.show) = (nil, nil, nil) }
  }
}
