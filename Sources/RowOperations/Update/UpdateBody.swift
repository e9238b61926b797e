import Foundation

/// What an update has beyond other operations.
@usableFromInline
class UpdateBody: TaskHook, @unchecked Sendable {
  // Sendable: the lock never changes; the comment of each subclass names the guard of the rest.
  private enum Ending {
    case unreported
    case reportedTo(any UpdateOwner, as: UpdateID)
    case over
  }

  private struct Guarded {
    var stages = StageLog()
    var task = BodyTask()
    var ending = Ending.unreported
    /// If the operation has none of its own.
    var qualityOfService = QualityOfService.default
    var claim = RowClaim.displayed
    var isLow = false
    var claimObservers: [(id: Int, changed: @Sendable () -> Void)] = []
    var lastObserver = 0
    /// For a row that goes on listening.
    var stream: LiveStream?
  }

  private let guarded = Lock(Guarded())
  final let isOfScreen: Bool

  @usableFromInline
  init(isOfScreen: Bool) { self.isOfScreen = isOfScreen }

  @inline(__always)
  final func withLock<Output>(_ body: () -> Output) -> Output { guarded.withLock { _ in body() } }

  final var qualityOfService: QualityOfService { guarded.withLock { $0.qualityOfService } }

  final func withStages<Output>(_ body: (inout StageLog) -> Output) -> Output {
    guarded.withLock { body(&$0.stages) }
  }

  @usableFromInline
  final func withBodyTask<Output>(_ body: (inout BodyTask) -> Output) -> Output {
    guarded.withLock { body(&$0.task) }
  }

  /// Calls the owner at once if the operation has finished.
  final func report(
    to owner: any UpdateOwner, as id: UpdateID, claim: RowClaim,
    qualityOfService: QualityOfService, clock: (@Sendable () -> Int64)?
  ) {
    let isOver = guarded.withLock { guarded in
      if case .over = guarded.ending { return true }
      guarded.ending = .reportedTo(owner, as: id)
      guarded.stages.clock = clock
      guarded.qualityOfService = qualityOfService
      guarded.claim = claim
      return false
    }
    if isOver { owner.updateEnded(id) }
  }

  final var owner: (owner: any UpdateOwner, id: UpdateID)? {
    guarded.withLock { guarded in
      guard case .reportedTo(let owner, let id) = guarded.ending else { return nil }
      return (owner, id)
    }
  }

  // MARK: Claims

  final var claim: RowClaim { guarded.withLock { $0.claim } }

  /// - Returns: Whether to raise the task, which has begun low.
  final func claimChanged(to claim: RowClaim) -> Bool {
    let (observers, rises) = guarded.withLock { guarded in
      guarded.claim = claim
      let rises = guarded.isLow && claim != .prefetched
      if rises { guarded.isLow = false }
      return (guarded.claimObservers, rises)
    }
    for observer in observers { observer.changed() }
    return rises
  }

  /// - Returns: Whether the task begins with the priority of a prefetch.
  final func beginsLow() -> Bool {
    guarded.withLock { guarded in
      guarded.isLow = guarded.claim == .prefetched
      return guarded.isLow
    }
  }

  /// The closure is called on the main actor.
  ///
  /// - Returns: The number of the observer.
  final func observeClaim(_ changed: @escaping @Sendable () -> Void) -> Int {
    guarded.withLock { guarded in
      guarded.lastObserver += 1
      guarded.claimObservers.append((guarded.lastObserver, changed))
      return guarded.lastObserver
    }
  }

  final func endObserving(_ observer: Int) {
    guarded.withLock { $0.claimObservers.removeAll { $0.id == observer } }
  }

  // MARK: Streams

  final func keep(_ stream: LiveStream) { guarded.withLock { $0.stream = stream } }

  final var stream: LiveStream? { guarded.withLock { $0.stream } }

  // MARK: The end

  @usableFromInline
  final func finished(_ operation: AsyncOperation) {
    cancelWork(of: operation)
    releaseClosures()
    if let (owner, id) = takeReport() { owner.updateEnded(id) }
  }

  /// Releases the app's closures and values outside the lock.
  func releaseClosures() {}

  final func takeReport() -> (owner: any UpdateOwner, id: UpdateID)? {
    guarded.withLock { guarded in
      defer { guarded.ending = .over }
      guard case .reportedTo(let owner, let id) = guarded.ending else { return nil }
      return (owner, id)
    }
  }
}

@usableFromInline
package protocol UpdateOwner: AnyObject, Sendable {
  /// Among the owners that share its slots.
  var number: Int { get }
  /// On any thread, for a step to show, and not again before the owner takes it.
  func updateStepped(_ id: UpdateID)
  /// Once, on any thread, when an update has finished.
  func updateEnded(_ id: UpdateID)
}

/// Indices are used again; generations are not.
@usableFromInline
package struct UpdateID: Sendable {
  let index: Int32
  let generation: UInt64
}
