@usableFromInline package typealias RowID = ID<RowState>
@usableFromInline package typealias LoadID = ID<LoadState>
@usableFromInline package typealias CellID = ID<CellState>
@usableFromInline package typealias RunID = ID<RunState>

/// What the engine knows of a cell, or of a view inside a cell.
@usableFromInline
package struct CellState: Hashable, Sendable {
  /// What the list last reported of the cell itself.
  package enum Report: Hashable, Sendable {
    case none
    case displayed
    case ended
  }

  /// What the cell is inside of.
  package enum Host: Hashable, Sendable {
    case none
    case cell(CellID)
    /// The host was deallocated.
    case gone
  }

  /// The row that the cell is bound to.
  package internal(set) var row: RowID?
  package internal(set) var report = Report.none
  package internal(set) var host = Host.none
  /// Whether the cell is on screen: follows from its report and its host.
  package internal(set) var isDisplayed = false
  /// Whether it was on screen at any time since it was last bound.
  package internal(set) var wasDisplayed = false
  /// Which binding this is.
  ///
  /// Grows with each `bind` and `unbind`.
  package internal(set) var serial: UInt64 = 0
  /// The load's change number that the cell was last rendered with.
  package internal(set) var shownChange: UInt32 = 0
  /// Whether it is forgotten if it is unused when no effect is pending.
  var isForgetting = false
  // The neighbours among the cells of the row.
  var previous: CellID?
  var next: CellID?
  // The views inside it, and the neighbours among the views of its host.
  var firstView: CellID?
  var previousView: CellID?
  var nextView: CellID?

  // Each change of several fields is one call, so that the table checks once that nobody shares it
  // (figure B12).

  mutating func bindingBegan(_ serial: UInt64) {
    self.serial = serial
    wasDisplayed = isDisplayed
  }

  mutating func display(_ isDisplayed: Bool) {
    self.isDisplayed = isDisplayed
    if isDisplayed, row != nil { wasDisplayed = true }
  }

  mutating func link(to row: RowID, before next: CellID?) {
    self.row = row
    self.next = next
  }

  /// - Returns: Its former neighbours.
  mutating func unlink() -> (previous: CellID?, next: CellID?) {
    defer {
      row = nil
      previous = nil
      next = nil
    }
    return (previous, next)
  }
}

/// What the engine knows of a row: its claims.
@usableFromInline
package struct RowState: Hashable, Sendable {
  package let load: LoadID
  /// How many cells are bound to it.
  package internal(set) var bindings: Int32 = 0
  /// How many of them are displayed.
  package internal(set) var displays: Int32 = 0
  /// Whether it was displayed when the last turn ended.
  package internal(set) var wasDisplayed = false
  package internal(set) var isLanding = false
  package internal(set) var isPrefetched = false
  // The fields are in an order that leaves no gaps (figure B9).
  /// Which list the row is in.
  package internal(set) var list: TrackerEngine.ListNumber = 0
  /// How many rows had come on screen when its prefetch claim was made or renewed.
  package internal(set) var prefetchedAfter: UInt32 = 0
  /// Where in the order of its list the row is; -1 if in none.
  package internal(set) var orderIndex: Int32 = -1
  package internal(set) var needsEvaluation = false
  /// Whether it is among the rows that came to be displayed since the last turn.
  var hasAppeared = false
  /// As for cells.
  var isForgetting = false
  private var firstCellID = CompactID<CellState>()
  private var previousID = CompactID<RowState>()
  private var nextID = CompactID<RowState>()

  init(load: LoadID, next: RowID?) {
    self.load = load
    self.next = next
  }

  var firstCell: CellID? {
    get { firstCellID.id }
    set { firstCellID.id = newValue }
  }

  // The neighbours among the rows of the load.
  var previous: RowID? {
    get { previousID.id }
    set { previousID.id = newValue }
  }

  var next: RowID? {
    get { nextID.id }
    set { nextID.id = newValue }
  }

  package var isClaimed: Bool { displays > 0 || isLanding || isPrefetched }

  /// - Returns: The cell that was the first one of those bound to it.
  mutating func bind(_ cell: CellID) -> CellID? {
    defer { firstCell = cell }
    bindings += 1
    return firstCell
  }

  mutating func unbind(first: CellID?, ifFirst isFirst: Bool) {
    bindings -= 1
    if isFirst { firstCell = first }
  }

  /// One more of its cells is displayed.
  ///
  /// - Returns: Whether it is the first one.
  mutating func displayBegan() -> Bool {
    displays += 1
    guard displays == 1 else { return false }
    hasAppeared = true
    return true
  }

  /// The turn ends.
  ///
  /// - Returns: Whether it is displayed, and was not when the last turn ended.
  mutating func takeAppearance() -> Bool {
    hasAppeared = false
    guard !wasDisplayed, displays > 0 else { return false }
    wasDisplayed = true
    return true
  }
}

/// What the engine knows of a load: of one row, or of all rows that share a resource.
@usableFromInline
package struct LoadState: Hashable, Sendable {
  /// What is being done about it.
  package enum Work: Hashable, Sendable {
    /// Nothing.
    case none
    /// It waits for a slot.
    case waiting
    /// An operation runs, or is about to be made; what it has brought so far.
    case running(RunID, Step)
    /// It failed and is tried again at that time.
    case backoff(until: Int64)
    /// It failed and is tried again on its next display.
    case failed
    /// It failed and is not tried again without being asked to.
    case givenUp
    /// It was only prefetched, and gave its slot to a row on screen. It waits until it is on screen
    /// itself.
    case setAside
  }

  /// What an operation has brought before its end.
  package enum Step: Hashable, Sendable {
    case none
    case progress
    case value
  }

  /// What is known of the value.
  package enum Knowledge: Hashable, Sendable {
    case unknown
    case value
    /// A value that is out of date.
    case staleValue
    /// There is nothing to load.
    case nothing
  }

  /// Why the last attempt failed, for as long as cells show it.
  @usableFromInline
  package enum Failure: Hashable, Sendable {
    case none
    case error
    case timeOut
  }

  package internal(set) var work: Work = .none
  package internal(set) var knowledge: Knowledge = .unknown
  package internal(set) var failure: Failure = .none
  /// The phase when the change number was last raised.
  package internal(set) var lastPhase: LoadPhase = .waiting(afterFailure: false)
  /// Grows with everything that a cell of it has to show anew.
  package internal(set) var change: UInt32 = 1

  // How many claims of each kind its rows have.
  package internal(set) var displays: Int32 = 0
  package internal(set) var landings: Int32 = 0
  package internal(set) var prefetches: Int32 = 0
  /// Whether it was displayed when the last turn ended.
  package internal(set) var wasDisplayed = false
  package internal(set) var needsEvaluation = false
  /// Whether its cells are to be looked at when the turn ends.
  package internal(set) var isChanged = false
  /// Whether it was displayed without a value when the last turn ended.
  package internal(set) var isBlank = false
  /// Whether a value or a failure came in this turn.
  package internal(set) var hasArrived = false
  var isForgetting = false
  /// Whether it takes one of the slots that prefetching may use.
  package internal(set) var usesPrefetchShare = false
  /// Whether prefetching started it and no cell has displayed it since.
  package internal(set) var isUnseenPrefetch = false

  // Where it stands among the waiting loads of each kind.
  package internal(set) var displayPass: UInt64 = 0
  package internal(set) var displayRank: UInt64 = 0
  package internal(set) var landingRank: UInt64 = 0
  package internal(set) var prefetchRank: UInt64 = 0
  /// When it came to be displayed.
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

  /// The row that was reported to wait, if events are reported.
  var waitingRow: RowID? {
    get { waitingRowID.id }
    set { waitingRowID.id = newValue }
  }

  // MARK: Phases

  /// What its cells have to show.
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

  /// What the cells of one of its rows have to show.
  ///
  /// The next display of a row whose load has failed tries it again, so until then it waits.
  func snapshot(_ id: LoadID, isDisplayed: Bool) -> Snapshot {
    var phase = phase
    if work == .failed, !isDisplayed { phase = .waiting(afterFailure: true) }
    return Snapshot(load: id, phase: phase, hasValue: hasValue, failure: failure)
  }

  /// - Returns: Whether the phase is another one now.
  mutating func updatePhase() -> Bool {
    let phase = phase
    guard phase != lastPhase else { return false }
    lastPhase = phase
    return true
  }

  /// Its cells have been looked at.
  ///
  /// - Returns: Whether a value or a failure came in this turn.
  mutating func changeTaken() -> Bool {
    defer { hasArrived = false }
    isChanged = false
    return hasArrived
  }

  /// Its displays or its value may have changed.
  ///
  /// - Returns: Whether it is blank now and was not, or the reverse.
  mutating func updateBlank() -> Bool {
    let isBlank = wasDisplayed && knowledge == .unknown && step != .value
    defer { self.isBlank = isBlank }
    return isBlank != self.isBlank
  }

  /// The first of its displays begins.
  mutating func displayBegan(in pass: UInt64, rank: UInt64, at now: Int64) {
    wasDisplayed = true
    isUnseenPrefetch = false
    displayPass = pass
    displayRank = rank
    displayedAt = now
  }

  // MARK: Claims

  // Inlined, since each call would copy the whole state (figure B12).
  @inline(__always) package var run: RunID? {
    guard case .running(let run, _) = work else { return nil }
    return run
  }

  /// What its operation has brought so far.
  @inline(__always) package var step: Step {
    guard case .running(_, let step) = work else { return .none }
    return step
  }

  /// Whether cells show a value.
  @inline(__always) var showsValue: Bool { hasValue || step == .value }

  /// Its operation has brought a value or a progress.
  mutating func stepped(_ step: Step) {
    if case .running(let run, _) = work { work = .running(run, step) }
  }

  /// Its operation no longer counts.
  ///
  /// - Returns: Whether that has brought anything.
  mutating func runEnded() -> Bool {
    defer { work = .none }
    return step != .none
  }

  /// Whether it failed and waits for no further attempt.
  @inline(__always) var hasFailed: Bool { work == .failed || work == .givenUp }

  @inline(__always) package var hasValue: Bool { knowledge == .value || knowledge == .staleValue }

  @inline(__always) package var isClaimed: Bool { displays > 0 || landings > 0 || prefetches > 0 }

  /// Whether nothing is known of it, and nothing is to be done.
  @inline(__always) var isUnused: Bool { work == .none && knowledge == .unknown && !isClaimed }

  /// Whether a claim is reason enough to load it.
  @inline(__always) package var wantsLoad: Bool {
    guard work == .none else { return false }
    switch knowledge {
    case .unknown, .staleValue: return true
    case .value, .nothing: return false
    }
  }

  /// Whether a prefetch claim is of use: a load runs or may run.
  @inline(__always) var isToBePrefetched: Bool {
    switch work {
    case .none: wantsLoad
    case .waiting, .running, .backoff, .setAside: true
    case .failed, .givenUp: false
    }
  }

  /// Its strongest claim.
  @inline(__always) package var priority: Priority? {
    if landings > 0 { return Priority(kind: .landing, rank: landingRank) }
    if displays > 0 { return Priority(kind: .displayed, rank: displayRank) }
    if prefetches > 0 { return Priority(kind: .prefetched, rank: prefetchRank) }
    return nil
  }
}

/// How strong a claim is.
///
/// The smallest goes first.
package struct Priority: Hashable, Comparable, Sendable {
  package enum Kind: UInt8, Comparable, Sendable {
    /// Displayed, and for much longer than a load takes: only the answer of an admission.
    case staying
    case landing
    case displayed
    case prefetched

    package static func < (a: Kind, b: Kind) -> Bool { a.rawValue < b.rawValue }
  }

  package let kind: Kind
  /// Grows with the time at which the row came on screen or the landing was reported.
  ///
  /// Of prefetched rows, those that come on screen next have the smallest, or the newest.
  package let rank: UInt64

  package static func < (a: Priority, b: Priority) -> Bool {
    (a.kind, a.rank) < (b.kind, b.rank)
  }
}

/// How strong the claim of a load is that waits for a stage.
///
/// The smallest goes first.
package struct StageClaim: Hashable, Comparable, Sendable {
  package let kind: Priority.Kind
  /// Small for rows of the newest turn while the list moves; 0 at rest.
  package let pass: UInt64
  package let rank: UInt64

  package static func < (a: StageClaim, b: StageClaim) -> Bool {
    (a.kind, a.pass, a.rank) < (b.kind, b.pass, b.rank)
  }
}

/// What the engine knows of an operation, from its admission to its end.
@usableFromInline
package struct RunState: Hashable, Sendable {
  package enum Stage: Hashable, Sendable {
    /// A slot is reserved; the app's closure has yet to make the operation.
    case admitted
    /// The load waits for it.
    case current
    /// The tracker cancelled it and no longer waits for it; it holds its body's place until it
    /// ends.
    case cancelled
    /// The same, after its time ran out and it was counted as failed.
    case timedOut
    case ended
  }

  package let load: LoadID
  /// The row in whose name it runs.
  package let row: RowID
  package let generation: UInt64
  package let startedAt: Int64
  package internal(set) var stage = Stage.admitted
  /// Whether its value is out of date when it comes: the load was invalidated while it ran.
  package internal(set) var isOutdated = false
  /// Whether it was only prefetched and has run for much longer than loads take.
  package internal(set) var isHung = false
  /// When it is cancelled, if no row claims it.
  package var graceEnd: Int64?
}

/// A ``RowPhase`` without its values.
@usableFromInline
package enum LoadPhase: Hashable, Sendable {
  case idle
  case waiting(afterFailure: Bool)
  /// It has brought a value or a progress, or nothing so far.
  case loading(hasStep: Bool)
  case loaded
  case failed

  /// Loading, with nothing to show so far.
  package static let loading = LoadPhase.loading(hasStep: false)
  /// Waiting for the first attempt.
  package static let waiting = LoadPhase.waiting(afterFailure: false)
}

/// What a cell has to show.
@usableFromInline
package struct Snapshot: Hashable, Sendable {
  @usableFromInline package let load: LoadID
  @usableFromInline package let phase: LoadPhase
  @usableFromInline package let hasValue: Bool
  @usableFromInline package let failure: LoadState.Failure
}
