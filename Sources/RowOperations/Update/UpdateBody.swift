import Foundation

/// The parts of an update beyond other operations, without the types of its row and value.
@usableFromInline
class UpdateBody: TaskHook, @unchecked Sendable {
  // Sendable: the lock never changes; a subclass reads and writes its closures under it.
  private typealias Report = (owner: any UpdateOwner, id: UpdateID)

  private struct Guarded {
    var stages = StageLog()
    var task = BodyTask()
    /// Who receives the steps and the end.
    var report: Report?
    var isOver = false
    /// If the operation has none of its own.
    var qualityOfService = QualityOfService.default
    var claim = RowClaim.displayed
    var isLow = false
    var claimObservers: [(id: Int, changed: @Sendable () -> Void)] = []
    var lastObserver = 0
    var step = UpdateStep()
    var hasNewStep = false
    var hasNewValue = false
    /// For a row that goes on listening.
    var stream: RowStream?
  }

  private let guarded: Lock<Guarded>

  init(claim: RowClaim = .displayed) { guarded = Lock(Guarded(claim: claim)) }

  @inline(__always)
  final func withLock<Output>(_ body: () -> Output) -> Output { guarded.withLock { _ in body() } }

  final var qualityOfService: QualityOfService { guarded.withLock { $0.qualityOfService } }

  final var stages: StageLog { guarded.withLock { $0.stages } }

  final func withStages<Output>(_ body: (inout StageLog) -> Output) -> Output {
    guarded.withLock { body(&$0.stages) }
  }

  @usableFromInline
  final func withBodyTask<Output>(_ body: (inout BodyTask) -> Output) -> Output {
    guarded.withLock { body(&$0.task) }
  }

  /// Calls the owner for steps and for the end, at once if it has come.
  ///
  /// - Parameters:
  ///   - qualityOfService: The body's, if the operation has none of its own.
  ///   - clock: For the times of stages, if the owner needs them.
  final func report(
    to owner: any UpdateOwner, as id: UpdateID, claim: RowClaim,
    qualityOfService: QualityOfService, clock: (@Sendable () -> Int64)?
  ) {
    let isOver = guarded.withLock { guarded in
      if guarded.isOver { return true }
      guarded.report = (owner, id)
      guarded.stages.clock = clock
      guarded.qualityOfService = qualityOfService
      guarded.claim = claim
      return false
    }
    if isOver { owner.receive(.ended(id)) }
  }

  // MARK: Claims

  final var claim: RowClaim { guarded.withLock { $0.claim } }

  /// The task of a prefetch, which has begun low, rises with the claim.
  final func claimChanged(to claim: RowClaim, of operation: AsyncOperation) {
    let (observers, rises) = guarded.withLock { guarded in
      guarded.claim = claim
      let rises = guarded.isLow && claim != .prefetched
      if rises { guarded.isLow = false }
      return (guarded.claimObservers, rises)
    }
    for observer in observers { observer.changed() }
    if rises { awaited(at: priority(of: operation) ?? .medium) }
  }

  /// The priority with which the task begins.
  final func firstPriority(of operation: AsyncOperation) -> TaskPriority? {
    let priority = priority(of: operation)
    // Where it can be raised later, unless the app has chosen another one.
    guard ConcurrencyLibrary.raises, operation.qualityOfService == .default else { return priority }
    let isLow = guarded.withLock { guarded in
      guarded.isLow = guarded.claim == .prefetched
      return guarded.isLow
    }
    return isLow ? min(priority ?? .medium, .utility) : priority
  }

  /// The priority of a row on screen.
  private func priority(of operation: AsyncOperation) -> TaskPriority? {
    let own = operation.effectiveQualityOfService
    return TaskPriority(own == .default ? qualityOfService : own)
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

  final func keep(_ stream: RowStream) { guarded.withLock { $0.stream = stream } }

  /// The stream that the update has opened.
  final var stream: RowStream? { guarded.withLock { $0.stream } }

  // MARK: Steps

  /// Calls the owner if the last step was taken.
  ///
  /// - Returns: Whether there is no owner to call.
  final func post(value: AnyValue?, progress: Double?) -> Bool {
    // The previous value is released outside the lock.
    var value = value
    let (isFirst, report) = guarded.withLock { guarded -> (Bool, Report?) in
      guard !guarded.isOver else { return (false, nil) }
      if value != nil {
        swap(&guarded.step.value, &value)
        guarded.hasNewValue = true
      }
      if let progress { guarded.step.progress = progress }
      defer { guarded.hasNewStep = true }
      return (!guarded.hasNewStep, guarded.report)
    }
    guard isFirst else { return false }
    if let report { report.owner.receive(.stepped(report.id)) }
    return report == nil
  }

  final func takeStep() -> UpdateStep? {
    guarded.withLock { guarded in
      guard guarded.hasNewStep else { return nil }
      guarded.hasNewStep = false
      return guarded.step
    }
  }

  final func takeNewValue() -> AnyValue? {
    guarded.withLock { guarded in
      defer { (guarded.hasNewStep, guarded.hasNewValue) = (false, false) }
      return guarded.hasNewValue ? guarded.step.value : nil
    }
  }

  // MARK: The end

  @usableFromInline
  final func finished(_ operation: AsyncOperation) {
    cancelWork(of: operation)
    releaseClosures()
    reportEnd()
  }

  /// Releases the app's closures outside the lock.
  func releaseClosures() {}

  /// - Returns: Whether an owner waited for the end.
  @discardableResult
  final func reportEnd() -> Bool {
    // The last step is released outside the lock.
    var step = UpdateStep()
    let report = guarded.withLock { guarded in
      defer { (guarded.isOver, guarded.hasNewStep, guarded.report) = (true, false, nil) }
      swap(&step, &guarded.step)
      return guarded.report
    }
    if let report { report.owner.receive(.ended(report.id)) }
    return report != nil
  }
}

/// A step of an update that has not ended.
struct UpdateStep: Sendable {
  var value: AnyValue?
  var progress: Double?
}

/// Indices are used again; generations are not.
struct UpdateID: Sendable {
  let index: Int32
  let generation: UInt64
}

/// What updates and streams report to their tracker.
enum UpdateNews: Sendable {
  /// There is a step to show; comes again once that is taken.
  case stepped(UpdateID)
  /// Comes once.
  case ended(UpdateID)
  /// A stream has an element or an end; comes again once that is taken.
  case stream(StreamID)

  var ended: UpdateID? {
    guard case .ended(let id) = self else { return nil }
    return id
  }
}

protocol UpdateOwner: AnyObject, Sendable {
  /// On any thread.
  func receive(_ news: UpdateNews)
}
