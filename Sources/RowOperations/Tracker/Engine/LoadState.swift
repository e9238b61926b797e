/// The engine's state of a load, which serves one row or all rows that share a resource.
@usableFromInline
package struct LoadState: Hashable, Sendable {
  /// The work in progress for a load.
  package enum Work: Hashable, Sendable {
    case none
    /// The load waits for a slot.
    case waiting
    /// An operation runs or is about to be made; with the newest step that it has shown.
    case running(RunID, Step)
    /// The load failed and is retried at that time.
    case backoff(until: Int64)
    /// The load failed and is retried on its next display.
    case failed
    /// The load failed and is retried only on request.
    case givenUp
    /// The load was only prefetched and gave its slot to a displayed row.
    ///
    /// It waits for its own display.
    case setAside
  }

  /// A step that an operation shows before its end.
  package enum Step: Hashable, Sendable {
    case none
    case progress
    case value
  }

  /// The engine's knowledge of the value.
  package enum Knowledge: Hashable, Sendable {
    case unknown
    case value
    case staleValue
    /// The app has nothing to load for the row.
    case nothing
  }

  /// The failure of the last attempt, for as long as cells show it.
  @usableFromInline
  package enum Failure: Hashable, Sendable {
    case none
    case error
    case timeOut
  }

  package internal(set) var work: Work = .none
  package internal(set) var knowledge: Knowledge = .unknown
  package internal(set) var failure: Failure = .none
  /// The phase at the last raise of the change number.
  package internal(set) var lastPhase: LoadPhase = .waiting(afterFailure: false)
  /// The change number: grows with each change that the load's cells must show.
  package internal(set) var change: UInt32 = 1

  // The number of claims of each kind, over all rows of the load.
  package internal(set) var displays: Int32 = 0
  package internal(set) var landings: Int32 = 0
  package internal(set) var prefetches: Int32 = 0
  /// The number of bound cells in covered lists.
  package internal(set) var covers: Int32 = 0
  /// Whether it was displayed at the end of the last turn.
  package internal(set) var wasDisplayed = false
  package internal(set) var needsEvaluation = false
  /// Whether the load's cells are checked for renders at the end of the turn.
  package internal(set) var isChanged = false
  /// Whether the load was displayed without a value at the end of the last turn.
  package internal(set) var isBlank = false
  /// Whether a value or a failure has arrived in this turn.
  package internal(set) var hasArrived = false
  var isForgetting = false
  /// Whether a cell of the load was uncovered since the last turn, and no cell displayed it.
  package internal(set) var isReturning = false
  /// Whether the load occupies one of the slots that prefetching may use.
  package internal(set) var usesPrefetchShare = false
  /// Whether prefetching started the load and no cell has displayed it since.
  package internal(set) var isUnseenPrefetch = false

  // The load's ranks among the waiting loads of each kind.
  package internal(set) var displayPass: UInt64 = 0
  package internal(set) var displayRank: UInt64 = 0
  package internal(set) var landingRank: UInt64 = 0
  package internal(set) var prefetchRank: UInt64 = 0
  /// The start of its current display.
  package internal(set) var displayedAt: Int64 = 0
  var cost = 0
  var rows: Int32 = 0
  private var firstRowID = CompactID<RowState>()
  private var waitingRowID = CompactID<RowState>()

  init() {}

  var firstRow: RowID? {
    get { firstRowID.id }
    set { firstRowID.id = newValue }
  }

  /// The row with a reported waiting event, if events are reported.
  var waitingRow: RowID? {
    get { waitingRowID.id }
    set { waitingRowID.id = newValue }
  }

  // MARK: Phases

  /// The phase that the load's cells show.
  private var phase: LoadPhase {
    switch work {
    case .running(_, let step): return .loading(hasStep: step != .none)
    case .waiting, .backoff, .setAside: return .waiting(afterFailure: failure != .none)
    case .failed: return wasDisplayed ? .failed : .waiting(afterFailure: true)
    case .givenUp: return .failed
    case .none: break
    }
    switch knowledge {
    case .unknown, .staleValue: return .waiting(afterFailure: failure != .none)
    case .nothing: return .idle
    case .value: return .loaded
    }
  }

  /// The content for the cells of one of the load's rows.
  ///
  /// A failed load is retried on the next display of its row, so an undisplayed row shows
  /// `.waiting`.
  func snapshot(_ id: LoadID, isDisplayed: Bool) -> Snapshot {
    var phase = phase
    if work == .failed, !isDisplayed { phase = .waiting(afterFailure: true) }
    return Snapshot(load: id, phase: phase, hasValue: hasValue, failure: failure)
  }

  /// - Returns: Whether the phase has changed.
  mutating func updatePhase() -> Bool {
    let phase = phase
    guard phase != lastPhase else { return false }
    lastPhase = phase
    return true
  }

  /// Marks the load's cells as checked.
  ///
  /// - Returns: Whether a value or a failure has arrived in this turn.
  mutating func changeTaken() -> Bool {
    defer { hasArrived = false }
    isChanged = false
    return hasArrived
  }

  /// Recomputes whether the load is blank, after a possible change of its displays or its value.
  ///
  /// - Returns: Whether that has changed.
  mutating func updateBlank() -> Bool {
    let isBlank = wasDisplayed && knowledge == .unknown && step != .value
    defer { self.isBlank = isBlank }
    return isBlank != self.isBlank
  }

  /// Records the first display of the load.
  mutating func displayBegan(in pass: UInt64, rank: UInt64, at now: Int64) {
    wasDisplayed = true
    isUnseenPrefetch = false
    displayPass = pass
    displayRank = rank
    displayedAt = now
  }

  // MARK: Claims

  // Inlined, since each call would otherwise copy the whole state (figure B12).
  @inline(__always) package var run: RunID? {
    guard case .running(let run, _) = work else { return nil }
    return run
  }

  /// The newest step that the load's operation has shown.
  @inline(__always) package var step: Step {
    guard case .running(_, let step) = work else { return .none }
    return step
  }

  /// Whether cells show a value.
  @inline(__always) var showsValue: Bool { hasValue || step == .value }

  /// Records a value or a progress shown by the running operation.
  mutating func stepped(_ step: Step) {
    if case .running(let run, _) = work { work = .running(run, step) }
  }

  /// Ends the run: the outcome of its operation no longer counts.
  ///
  /// - Returns: Whether the run had shown a step.
  mutating func runEnded() -> Bool {
    defer { work = .none }
    return step != .none
  }

  /// Whether the load failed and has no scheduled retry.
  @inline(__always) var hasFailed: Bool { work == .failed || work == .givenUp }

  @inline(__always) package var hasValue: Bool { knowledge == .value || knowledge == .staleValue }

  /// Whether anything keeps the load's value and its running operation.
  @inline(__always) package var isClaimed: Bool {
    displays > 0 || landings > 0 || prefetches > 0 || covers > 0
  }

  /// Whether the load has no value, no work and no claim.
  @inline(__always) var isUnused: Bool { work == .none && knowledge == .unknown && !isClaimed }

  /// Whether a claim would start the load.
  @inline(__always) package var wantsLoad: Bool {
    guard work == .none else { return false }
    switch knowledge {
    case .unknown, .staleValue: return true
    case .value, .nothing: return false
    }
  }

  /// Whether a prefetch claim has any use: the load runs or may run.
  @inline(__always) var isToBePrefetched: Bool {
    switch work {
    case .none: wantsLoad
    case .waiting, .running, .backoff, .setAside: true
    case .failed, .givenUp: false
    }
  }

  /// Its strongest claim; `nil` if nothing may start the load.
  @inline(__always) package var priority: Priority? {
    if landings > 0 { return Priority(kind: .landing, rank: landingRank) }
    if displays > 0 { return Priority(kind: .displayed, rank: displayRank) }
    if prefetches > 0 { return Priority(kind: .prefetched, rank: prefetchRank) }
    return nil
  }
}

/// The strength of a claim.
///
/// The smallest goes first.
package struct Priority: Hashable, Comparable, Sendable {
  package enum Kind: UInt8, Comparable, Sendable {
    /// Displayed for much longer than a load takes.
    ///
    /// Only admissions use this kind.
    case staying
    case landing
    case displayed
    case prefetched

    package static func < (a: Kind, b: Kind) -> Bool { a.rawValue < b.rawValue }
  }

  package let kind: Kind
  /// Grows with the time of the row's display or of the landing.
  ///
  /// Among prefetched rows, the next to come on screen or the newest has the smallest rank.
  package let rank: UInt64

  package static func < (a: Priority, b: Priority) -> Bool {
    (a.kind, a.rank) < (b.kind, b.rank)
  }
}

/// The strength of the claim of a load that waits for a stage.
///
/// The smallest goes first.
package struct StageClaim: Hashable, Comparable, Sendable {
  package let kind: Priority.Kind
  /// Small for rows of the newest turn while the list moves, and 0 at rest.
  package let pass: UInt64
  package let rank: UInt64

  package static func < (a: StageClaim, b: StageClaim) -> Bool {
    (a.kind, a.pass, a.rank) < (b.kind, b.pass, b.rank)
  }
}

/// The engine's state of an operation, from its admission to its end.
@usableFromInline
package struct RunState: Hashable, Sendable {
  package enum Stage: Hashable, Sendable {
    /// The slot is reserved, and the app's closure has not yet made the operation.
    case admitted
    /// The load waits for this operation.
    case current
    /// The tracker cancelled the operation and no longer waits for it.
    ///
    /// The body counts as lingering until it ends.
    case cancelled
    /// As `cancelled`, after a timeout that counts as a failure.
    case timedOut
    case ended
  }

  package let load: LoadID
  /// The row that the operation runs for.
  package let row: RowID
  package let generation: UInt64
  package let startedAt: Int64
  package internal(set) var stage = Stage.admitted
  /// Whether the load was invalidated during the run, so that its value is stale on arrival.
  package internal(set) var isOutdated = false
  /// Whether the run is only a prefetch and has taken much longer than loads take.
  package internal(set) var isHung = false
  /// The time at which the run is cancelled unless a row claims it.
  package var graceEnd: Int64?
}

/// A ``RowPhase`` without its values.
@usableFromInline
package enum LoadPhase: Hashable, Sendable {
  case idle
  case waiting(afterFailure: Bool)
  /// The operation runs; with whether it has shown a value or a progress.
  case loading(hasStep: Bool)
  case loaded
  case failed

  /// Loading without a step so far.
  package static let loading = LoadPhase.loading(hasStep: false)
  /// Waiting for the first attempt.
  package static let waiting = LoadPhase.waiting(afterFailure: false)
}

/// The content of a cell at one moment.
@usableFromInline
package struct Snapshot: Hashable, Sendable {
  @usableFromInline package let load: LoadID
  @usableFromInline package let phase: LoadPhase
  @usableFromInline package let hasValue: Bool
  @usableFromInline package let failure: LoadState.Failure
  /// Whether the cell is rendered since it left the screen.
  @usableFromInline package var isLeaving = false
}
