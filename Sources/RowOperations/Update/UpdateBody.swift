import Foundation

/// The parts of an update that other operations lack: its stages, its task, and its owner.
@usableFromInline
class UpdateBody: TaskHook, @unchecked Sendable {
  // Sendable: the lock never changes; the comment of each subclass names the guard of the rest.
  private enum Ending {
    /// The operation has no owner.
    case unreported
    case reportedTo(any UpdateOwner, as: UpdateID)
    case over
  }

  private struct Guarded {
    var stages = StageLog()
    var task = BodyTask.unmade()
    var ending = Ending.unreported
    /// Of the limited stage that the body is in, or waits for.
    var permit: StagePermit?
    /// The quality of service of the body, if the operation has none of its own.
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

  /// Has `owner` called when the operation has news, and when it has finished; at once if it has.
  final func report(
    to owner: any UpdateOwner, as id: UpdateID, qualityOfService: QualityOfService,
    clock: (@Sendable () -> Int64)?
  ) {
    let isOver = guarded.withLock { guarded in
      if case .over = guarded.ending { return true }
      guarded.ending = .reportedTo(owner, as: id)
      guarded.stages.clock = clock
      guarded.qualityOfService = qualityOfService
      return false
    }
    if isOver { owner.updateEnded(id) }
  }

  /// The owner of the operation, until it has finished.
  final var owner: (owner: any UpdateOwner, id: UpdateID)? {
    guarded.withLock { guarded in
      guard case .reportedTo(let owner, let id) = guarded.ending else { return nil }
      return (owner, id)
    }
  }

  // MARK: Permits

  /// Asks for a permit for a stage.
  ///
  /// A limited stage inside another one needs none.
  ///
  /// - Returns: `nil` if the stage has no limit, or none for this update.
  final func requestPermit(
    for stage: UpdateStage, isToStop: () -> Bool
  ) -> (permit: StagePermit, isGranted: Bool)? {
    guard let (owner, id) = owner, let permits = owner.permits, permits.limit(of: stage) != nil
    else { return nil }
    let permit = StagePermit(stage, permits)
    let isFirst = guarded.withLock { guarded in
      guard guarded.permit == nil else { return false }
      guarded.permit = permit
      return true
    }
    guard isFirst else { return nil }
    let isGranted = permit.request(owner, id)
    // A cancel that came before the request has cancelled nothing.
    if isToStop() { permit.cancel() }
    return (permit, isGranted)
  }

  final func returnPermit(_ permit: StagePermit) {
    guarded.withLock { $0.permit = nil }
    permit.leave()
  }

  @usableFromInline
  final func cancelWork(of operation: AsyncOperation) {
    guarded.withLock { $0.permit }?.cancel()
    cancelTask(of: operation)
  }

  // MARK: The end

  @usableFromInline
  final func finished(_ operation: AsyncOperation) {
    cancelWork(of: operation)
    releaseClosures()
    if let (owner, id) = takeReport() { owner.updateEnded(id) }
  }

  /// Releases the app's closures and values outside the lock.
  func releaseClosures() {}

  /// From now on the operation counts as finished.
  final func takeReport() -> (owner: any UpdateOwner, id: UpdateID)? {
    guarded.withLock { guarded in
      defer { guarded.ending = .over }
      guard case .reportedTo(let owner, let id) = guarded.ending else { return nil }
      return (owner, id)
    }
  }
}

/// Runs updates, and is called when they have news.
@usableFromInline
package protocol UpdateOwner: AnyObject, Sendable {
  /// An update has something to show before its end; called from any thread.
  ///
  /// Called again only after the owner has taken it.
  func updateStepped(_ id: UpdateID)
  /// A permit for a stage is free, and several updates wait for it; called from any thread.
  func permitIsFree()
  /// The limits of stages, if there are any.
  var permits: StagePermits? { get }
  /// The time, in nanoseconds of the owner's clock; called from any thread.
  func now() -> Int64
  /// An update has finished; called once, from any thread.
  func updateEnded(_ id: UpdateID)
}

/// The name of an update for its owner.
///
/// Places are used again; generations are not.
@usableFromInline
package struct UpdateID: Sendable {
  let index: Int32
  let generation: UInt64
}
