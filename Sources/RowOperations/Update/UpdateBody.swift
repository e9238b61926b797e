import Foundation

/// What an update has beside what every operation has: its stages and its task.
@usableFromInline
class UpdateBody: TaskHook, @unchecked Sendable {
  // Sendable: the lock never changes; a subclass says what guards the rest.
  private enum Ending {
    /// Nobody needs to know of the end.
    case unreported
    case reportedTo(any UpdateOwner, UpdateEnd)
    case over
  }

  private struct Guarded {
    var stages = StageLog()
    var task = BodyTask.unmade()
    var ending = Ending.unreported
    /// What the body runs with if the operation has no quality of service of its own.
    var qualityOfService = QualityOfService.default
  }

  private let guarded = Lock(Guarded())

  @usableFromInline
  init() {}

  final func withLock<Output>(_ body: () -> Output) -> Output { guarded.withLock { _ in body() } }

  final var qualityOfService: QualityOfService { guarded.withLock { $0.qualityOfService } }

  final func withStages<Output>(_ body: (inout StageLog) -> Output) -> Output {
    guarded.withLock { body(&$0.stages) }
  }

  @usableFromInline
  final func withBodyTask<Output>(_ body: (inout BodyTask) -> Output) -> Output {
    guarded.withLock { body(&$0.task) }
  }

  /// Has `owner` called when the operation has finished; at once if it has.
  final func reportEnd(
    to owner: any UpdateOwner, as end: UpdateEnd, qualityOfService: QualityOfService,
    clock: (@Sendable () -> Int64)?
  ) {
    let isOver = guarded.withLock { guarded in
      if case .over = guarded.ending { return true }
      guarded.ending = .reportedTo(owner, end)
      guarded.stages.clock = clock
      guarded.qualityOfService = qualityOfService
      return false
    }
    if isOver { owner.updateEnded(end) }
  }

  @usableFromInline
  final func finished(_ operation: AsyncOperation) {
    cancelWork(of: operation)
    releaseClosures()
    if let (owner, end) = takeReport() { owner.updateEnded(end) }
  }

  /// Releases the app's closures outside the lock.
  func releaseClosures() {}

  /// From now on the operation counts as finished.
  final func takeReport() -> (owner: any UpdateOwner, end: UpdateEnd)? {
    guarded.withLock { guarded in
      defer { guarded.ending = .over }
      guard case .reportedTo(let owner, let end) = guarded.ending else { return nil }
      return (owner, end)
    }
  }
}

/// The body of an update of an app's own types.
@usableFromInline
// Sendable: what changes is read and written under the base class's lock.
final class UpdateClosures<Row: Hashable & Sendable, Value: Sendable>: UpdateBody,
  @unchecked Sendable
{
  @usableFromInline
  struct Closures: Sendable {
    @usableFromInline let isCurrent: (@MainActor (RowToken<Row>) -> Bool)?
    @usableFromInline let apply: (@MainActor (RowToken<Row>, Value) -> Void)?
    @usableFromInline let update: @Sendable (UpdateContext<Row>) async throws -> Value

    var isOfScreen: Bool { isCurrent != nil || apply != nil }

    @inlinable
    init(
      _ isCurrent: (@MainActor (RowToken<Row>) -> Bool)?,
      _ apply: (@MainActor (RowToken<Row>, Value) -> Void)?,
      _ update: @escaping @Sendable (UpdateContext<Row>) async throws -> Value
    ) {
      self.isCurrent = isCurrent
      self.apply = apply
      self.update = update
    }
  }

  @usableFromInline var stored: Closures?

  @inlinable
  init(_ closures: Closures?) {
    stored = closures
    super.init()
  }

  deinit { if stored != nil { releaseClosures() } }

  /// `nil` when the update has finished, or has none.
  ///
  /// For the main thread alone, as the caller may come to hold the last reference to a screen.
  @MainActor
  var closures: Closures? { withLock { stored } }

  var update: (@Sendable (UpdateContext<Row>) async throws -> Value)? {
    withLock { stored?.update }
  }

  /// Whether it has closures that belong to the UI.
  var isOfScreen: Bool { withLock { stored?.isOfScreen ?? false } }

  override func releaseClosures() {
    let released = Released()
    withLock { swap(&stored, &released.closures) }
    // They may hold the last reference to a screen, so this thread keeps none to them.
    if released.closures?.isOfScreen ?? false {
      DispatchQueue.main.async { released.closures = nil }
    }
  }

  /// Closures on their way to the thread that releases them.
  private final class Released: @unchecked Sendable {
    // Sendable: one thread has it at a time.
    var closures: Closures?
  }
}

/// Runs updates, and is called when they have finished.
@usableFromInline
package protocol UpdateOwner: AnyObject, Sendable {
  /// Called once for an update, from any thread.
  func updateEnded(_ end: UpdateEnd)
}

/// What an owner knows an update by.
///
/// Places are used again; generations are not.
@usableFromInline
package struct UpdateEnd: Sendable {
  let place: Int32
  let generation: UInt64
}
