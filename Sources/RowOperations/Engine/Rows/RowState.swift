/// The engine's state of a row; cells that show the same row share its load.
package struct RowState: Hashable, Sendable {
  package enum Work: Hashable, Sendable {
    case none
    case waiting
    /// An operation runs or is about to be made, with its newest step.
    case running(RunID, Step)
    case backoff(until: Int64)
    case failed
    /// The load failed and is retried on request, or by a late display.
    case givenUp
  }

  package enum Step: Hashable, Sendable {
    case none
    case progress
    case value
  }

  package enum Knowledge: Hashable, Sendable {
    case unknown
    case value
    case staleValue
    /// There is nothing to load.
    case nothing
  }

  /// The meaning of a live row's stream for its phase.
  package enum Listening: Hashable, Sendable {
    case none
    case quiet
    /// The stream is open, and the row has an older value.
    case awaiting
    /// The open stream owes the row its first value: it goes on for a load.
    case owed
    /// The stream has failed and opens again.
    case paused
    case failed

    /// `nil` if the value decides.
    // Not inlined, since rows without streams pay for its size (figure B12).
    @inline(never)
    func phase(_ failure: Snapshot.Failure) -> LoadPhase? {
      switch self {
      case .awaiting, .owed: .loading
      case .paused: failure == .none ? nil : .waiting(afterFailure: true)
      case .failed: failure == .none ? nil : .failed
      case .none, .quiet: nil
      }
    }
  }

  /// The rank of a row that no window claims.
  static let noRank: Int32 = -1
  /// For a claimed row while windows claim anew.
  static let formerRank: Int32 = -2

  package internal(set) var work: Work = .none

  // The order of fields leaves no gaps in memory (figure B9). The ranks of the row's claims.
  var displayRank: UInt64 = 0
  var landingRank: UInt64 = 0
  var announcedRank: UInt64 = 0
  var displayedAt: Int64 = 0
  var cost = 0

  /// Cells bound to the row.
  package internal(set) var bindings: Int32 = 0
  /// Those of them that are displayed.
  package internal(set) var displays: Int32 = 0
  /// Those of them in covered lists.
  var covers: Int32 = 0
  /// Cells off screen that may bind the removed row anew.
  var removals: Int32 = 0
  var firstCell: CellID?
  /// Grows with each change that the row's cells must show.
  package internal(set) var change: UInt32 = 1
  /// The change number at the last arrival of a value, or of a step with one.
  private var valueChange: UInt32 = 0
  /// The count of appeared rows at the last prefetch claim.
  var prefetchedAfter: UInt32 = 0
  /// Places in windows that hold the row.
  package internal(set) var places: Int32 = 0
  /// How soon the row comes on screen, by the window that claims it.
  var windowRank = noRank

  package internal(set) var knowledge: Knowledge = .unknown
  package internal(set) var listening: Listening = .none
  /// That of the last attempt, while cells show it.
  package internal(set) var failure: Snapshot.Failure = .none
  /// The phase at the last raise of the change number.
  var lastPhase: LoadPhase = .waiting

  var isLanding = false
  /// By a list or the app.
  var isAnnounced = false
  /// At the end of the last turn.
  var wasDisplayed = false
  var needsEvaluation = false
  /// Its cells are checked for renders at the end of the turn.
  package internal(set) var isChanged = false
  /// At the end of the last turn.
  var isBlank = false
  /// Whether the time to the first value of its display, which goes on under a cover, is known.
  var hasShownValue = false
  /// A value or a failure has arrived in this turn.
  var hasArrived = false
  var hasNewValue = false
  /// A cell was uncovered since the last turn, while none displayed the row.
  var isReturning = false
  /// Prefetching started the load, and no cell has displayed the row since.
  var isUnseenPrefetch = false
  /// It goes, if still unused, once no effect is pending.
  var isForgetting = false

  init() {}
}

// Inlined, since a call would copy the whole state (figure B12).
extension RowState {
  // MARK: Claims

  /// Whether a window claims the row, since it lies around the screen.
  @inline(__always) var isExpected: Bool { windowRank >= 0 }

  @inline(__always) var isPrefetched: Bool { isAnnounced || isExpected }

  /// Also under a cover.
  @inline(__always) var isOnScreen: Bool { displays > 0 || covers > 0 }

  @inline(__always) var isClaimed: Bool {
    displays > 0 || isLanding || isPrefetched || covers > 0
  }

  /// `nil` if nothing may start the load.
  @inline(__always) package var claim: Claim? {
    if displays > 0 { return Claim(kind: .displayed, rank: displayRank) }
    if isLanding { return Claim(kind: .landing, rank: landingRank) }
    if isExpected {
      return Claim(kind: .prefetched, rank: .firstWindowRank + UInt64(windowRank))
    }
    return isAnnounced ? Claim(kind: .prefetched, rank: announcedRank) : nil
  }

  // MARK: Work

  @inline(__always) package var run: RunID? {
    guard case .running(let run, _) = work else { return nil }
    return run
  }

  @inline(__always) package var step: Step {
    guard case .running(_, let step) = work else { return .none }
    return step
  }

  /// Whether the load failed and has no scheduled retry.
  @inline(__always) var hasFailed: Bool { work == .failed || work == .givenUp }

  var isInBackoff: Bool { if case .backoff = work { true } else { false } }

  /// Whether a claim would start the load.
  @inline(__always) var wantsLoad: Bool {
    guard work == .none, listening != .owed else { return false }
    switch knowledge {
    case .unknown, .staleValue: return true
    case .value, .nothing: return false
    }
  }

  // MARK: Values

  @inline(__always) package var hasValue: Bool { knowledge == .value || knowledge == .staleValue }

  @inline(__always) var showsValue: Bool { hasValue || step == .value }

  func showsNewerValue(than change: UInt32) -> Bool {
    // The numbers wrap around.
    showsValue && Int32(bitPattern: valueChange &- change) > 0
  }

  @inline(__always) var isUnused: Bool {
    bindings == 0 && removals == 0 && work == .none && knowledge == .unknown && !isClaimed
      && places == 0 && listening == .none
  }

  /// Only cells from which it was removed know the row.
  var isRemoved: Bool {
    removals > 0 && bindings == 0 && work == .none && knowledge == .unknown && !isClaimed
  }

  // MARK: Content

  /// The phase that cells show.
  ///
  /// An undisplayed failed row waits, since it is retried on its next display.
  @inline(__always) private var phase: LoadPhase {
    switch work {
    case .running(_, let step): return .loading(hasStep: step != .none)
    case .waiting, .backoff: return .waiting(afterFailure: failure != .none)
    case .failed: return wasDisplayed ? .failed : .waiting(afterFailure: true)
    case .givenUp: return .failed
    case .none: break
    }
    if listening != .none, let phase = listening.phase(failure) { return phase }
    switch knowledge {
    case .unknown, .staleValue: return .waiting(afterFailure: failure != .none)
    case .nothing: return .idle
    case .value: return .loaded
    }
  }

  func snapshot(_ id: RowID) -> Snapshot {
    Snapshot(row: id, phase: phase, hasValue: hasValue, failure: failure)
  }
}

// One call for several fields: the table checks its uniqueness once (figure B12).
extension RowState {
  // MARK: Cells

  /// - Returns: The previous head of the list of cells.
  mutating func bind(_ cell: CellID) -> CellID? {
    defer { firstCell = cell }
    bindings += 1
    return firstCell
  }

  mutating func unbind(first: CellID?, ifFirst isFirst: Bool) {
    bindings -= 1
    if isFirst { firstCell = first }
  }

  // MARK: Displays

  /// - Returns: Whether it is the first displayed cell, and whether the row was not marked for
  ///   evaluation.
  mutating func addDisplay() -> (isFirst: Bool, isMarked: Bool) {
    displays += 1
    return (displays == 1, mark())
  }

  /// - Returns: Whether the row was not marked for evaluation.
  mutating func removeDisplay() -> Bool {
    displays -= 1
    return mark()
  }

  /// - Returns: Whether it was not marked for evaluation.
  mutating func mark() -> Bool {
    defer { needsEvaluation = true }
    return !needsEvaluation
  }

  mutating func displayBegan(rank: UInt64, at now: Int64) {
    wasDisplayed = true
    isUnseenPrefetch = false
    hasShownValue = showsValue
    displayRank = rank
    displayedAt = now
  }

  // MARK: Work

  mutating func stepped(_ step: Step) {
    if case .running(let run, _) = work { work = .running(run, step) }
  }

  /// The outcome of the operation no longer counts.
  ///
  /// - Returns: Whether the run had shown a step.
  mutating func runEnded() -> Bool {
    defer { work = .none }
    return step != .none
  }

  // MARK: Content

  /// - Returns: As for ``contentChanged()``.
  mutating func valueArrived(cost: Int, isStale: Bool) -> Bool {
    self.cost = cost
    knowledge = isStale ? .staleValue : .value
    hasArrived = true
    if listening == .awaiting || listening == .owed { listening = .quiet }
    return valueChanged()
  }

  /// - Returns: As for ``contentChanged()``.
  mutating func valueChanged() -> Bool {
    defer { valueChange = change }
    hasNewValue = true
    return contentChanged()
  }

  /// - Returns: As for ``contentChanged()``.
  mutating func valueDropped() -> Bool {
    knowledge = .unknown
    return contentChanged()
  }

  /// - Returns: Whether the row was not marked as changed before.
  mutating func contentChanged() -> Bool {
    defer { isChanged = true }
    lastPhase = phase
    change &+= 1
    return !isChanged
  }

  /// - Returns: Whether the phase has changed, and the row was not marked as changed before.
  mutating func updatePhase() -> Bool { phase != lastPhase && contentChanged() }

  /// - Returns: Whether cells show a newer value than a turn ago, and whether an arrived value or
  ///   failure is still there.
  mutating func takeChange() -> (hasNewValue: Bool, hasArrived: Bool) {
    defer { (isChanged, hasNewValue, hasArrived) = (false, false, false) }
    return (hasNewValue && showsValue, hasArrived && (showsValue || failure != .none))
  }

  /// - Returns: Whether the row shows the first value of its display.
  mutating func takeFirstValue() -> Bool {
    guard showsValue, !hasShownValue else { return false }
    hasShownValue = true
    return true
  }

  /// - Returns: Whether it has changed.
  mutating func updateBlank() -> Bool {
    let isBlank = wasDisplayed && knowledge == .unknown && step != .value
    defer { self.isBlank = isBlank }
    return isBlank != self.isBlank
  }
}
