/// The engine's state of a row: its cells, its claims, its work and its value.
///
/// Cells that show the same row share its load.
package struct RowState: Hashable, Sendable {
  /// The work in progress for a row.
  package enum Work: Hashable, Sendable {
    case none
    /// The row waits for a slot.
    case waiting
    /// An operation runs or is about to be made; with the newest step that it has shown.
    case running(RunID, Step)
    /// The load failed and is retried at that time.
    case backoff(until: Int64)
    /// The load failed and is retried on the row's next display.
    case failed
    /// The load failed and is retried only on request.
    case givenUp
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

  /// What the stream of a live row means for its phase.
  package enum Listening: Hashable, Sendable {
    /// The row does not listen, and is not about to.
    case none
    case quiet
    /// The stream is open, and the row has an older value.
    case awaiting
    /// The stream is open, and owes the row its first value: it goes on for a load.
    case owed
    /// The stream has failed and opens again.
    case paused
    case failed

    /// The phase of a row without a load; `nil` if its value decides.
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
  /// The rank of a claimed row while windows claim their rows anew.
  static let formerRank: Int32 = -2

  package internal(set) var work: Work = .none

  // The order of the fields leaves no gaps in memory (figure B9).
  // The ranks of the row's claims.
  package internal(set) var displayRank: UInt64 = 0
  package internal(set) var landingRank: UInt64 = 0
  package internal(set) var announcedRank: UInt64 = 0
  /// The start of its current display.
  package internal(set) var displayedAt: Int64 = 0
  /// The cost of its value.
  var cost = 0

  /// The number of cells bound to the row.
  package internal(set) var bindings: Int32 = 0
  /// The number of those cells that are displayed.
  package internal(set) var displays: Int32 = 0
  /// The number of those cells that are in covered lists.
  package internal(set) var covers: Int32 = 0
  /// The number of cells off screen from which the row was removed, and which may bind it anew.
  package internal(set) var removals: Int32 = 0
  private var firstCellID = CompactID<CellKind>()
  /// The change number: grows with each change that the row's cells must show.
  package internal(set) var change: UInt32 = 1
  /// The change number at the last arrival of a value, or of a step with one.
  private var valueChange: UInt32 = 0
  /// The count of appeared rows at the last making or renewal of the prefetch claim.
  package internal(set) var prefetchedAfter: UInt32 = 0
  /// The place of the row among those that have appeared since the last turn; -1 if it did not.
  var appearance: Int32 = -1
  /// The number of places in windows that hold the row.
  package internal(set) var places: Int32 = 0
  /// How soon the row comes on screen, by the window that claims it.
  package internal(set) var windowRank = noRank

  package internal(set) var knowledge: Knowledge = .unknown
  package internal(set) var listening: Listening = .none
  /// The failure of the last attempt, for as long as cells show it.
  package internal(set) var failure: Snapshot.Failure = .none
  /// The phase at the last raise of the change number.
  var lastPhase: LoadPhase = .waiting

  package internal(set) var isLanding = false
  /// Whether a list or the app prefetches the row.
  package internal(set) var isAnnounced = false
  /// Whether it was displayed at the end of the last turn.
  package internal(set) var wasDisplayed = false
  package internal(set) var needsEvaluation = false
  /// Whether the row's cells are checked for renders at the end of the turn.
  package internal(set) var isChanged = false
  /// Whether it was displayed without a value at the end of the last turn.
  var isBlank = false
  /// Whether the time to the first value of its current display is known.
  ///
  /// A display goes on while a cover hides it.
  package internal(set) var hasShownValue = false
  /// Whether a value or a failure has arrived in this turn.
  package internal(set) var hasArrived = false
  /// Whether cells have a newer value to show since the last turn.
  package internal(set) var hasNewValue = false
  /// Whether the next `onCommit` names the row.
  package internal(set) var isInCommit = false
  /// Whether one of its cells was uncovered since the last turn, while no cell displayed the row.
  package internal(set) var isReturning = false
  /// Whether prefetching started the load and no cell has displayed the row since.
  package internal(set) var isUnseenPrefetch = false
  /// Whether an event has reported that the row waits.
  var isReportedWaiting = false
  /// Whether the row is listed to be forgotten: it goes, if still unused, once no effect is
  /// pending.
  var isForgetting = false

  init() {}

  var firstCell: CellID? {
    get { firstCellID.id }
    set { firstCellID.id = newValue }
  }
}

// Inlined, since each call would otherwise copy the whole state (figure B12).
extension RowState {
  // MARK: Claims

  /// Whether a window claims the row, since it lies around the screen.
  @inline(__always) package var isExpected: Bool { windowRank >= 0 }

  @inline(__always) package var isPrefetched: Bool { isAnnounced || isExpected }

  /// Whether a cell shows the row, also under a cover.
  @inline(__always) var isOnScreen: Bool { displays > 0 || covers > 0 }

  /// Whether anything keeps the row's value and its running operation.
  @inline(__always) package var isClaimed: Bool {
    displays > 0 || isLanding || isPrefetched || covers > 0
  }

  /// Its strongest claim; `nil` if nothing may start the load.
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

  /// The newest step that the running operation has shown.
  @inline(__always) package var step: Step {
    guard case .running(_, let step) = work else { return .none }
    return step
  }

  /// Whether the load failed and has no scheduled retry.
  @inline(__always) var hasFailed: Bool { work == .failed || work == .givenUp }

  /// Whether a claim would start the load.
  @inline(__always) package var wantsLoad: Bool {
    guard work == .none, listening != .owed else { return false }
    switch knowledge {
    case .unknown, .staleValue: return true
    case .value, .nothing: return false
    }
  }

  // MARK: Values

  @inline(__always) package var hasValue: Bool { knowledge == .value || knowledge == .staleValue }

  /// Whether cells show a value.
  @inline(__always) var showsValue: Bool { hasValue || step == .value }

  /// Whether cells show a value that arrived after a change number.
  package func showsNewerValue(than change: UInt32) -> Bool {
    // The numbers wrap around.
    showsValue && Int32(bitPattern: valueChange &- change) > 0
  }

  /// Whether the row has no cell, no value, no work and no claim.
  @inline(__always) var isUnused: Bool {
    bindings == 0 && removals == 0 && work == .none && knowledge == .unknown && !isClaimed
      && places == 0 && listening == .none
  }

  /// Whether only cells know the row, from which it was removed.
  var isRemoved: Bool {
    removals > 0 && bindings == 0 && work == .none && knowledge == .unknown && !isClaimed
  }

  // MARK: Content

  /// The phase that the row's cells show.
  ///
  /// A failed load is retried on the next display of its row, so an undisplayed row waits.
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

  /// The content for the row's cells.
  func snapshot(_ id: RowID) -> Snapshot {
    Snapshot(row: id, phase: phase, hasValue: hasValue, failure: failure)
  }
}

// Each change of several fields is one call, so that the table checks its uniqueness once (figure
// B12).
extension RowState {
  // MARK: Cells

  /// - Returns: The previous head of the list of the row's cells.
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

  /// Counts one more displayed cell.
  ///
  /// - Returns: Whether it is the row's first displayed cell, and whether the row was not marked
  ///   for its evaluation before.
  mutating func addDisplay() -> (isFirst: Bool, isMarked: Bool) {
    displays += 1
    return (displays == 1, mark())
  }

  /// Counts one less displayed cell.
  ///
  /// - Returns: Whether the row was not marked for its evaluation before.
  mutating func removeDisplay() -> Bool {
    displays -= 1
    return mark()
  }

  /// Marks the row for its evaluation.
  ///
  /// - Returns: Whether it was not marked before.
  mutating func mark() -> Bool {
    defer { needsEvaluation = true }
    return !needsEvaluation
  }

  /// Clears the mark of an appearance at the end of a turn.
  ///
  /// - Returns: Whether the row is displayed now and was not at the end of the last turn.
  mutating func takeAppearance() -> Bool {
    appearance = -1
    return !wasDisplayed && displays > 0
  }

  /// Records the display at the end of a turn.
  mutating func displayBegan(rank: UInt64, at now: Int64) {
    wasDisplayed = true
    isUnseenPrefetch = false
    hasShownValue = showsValue
    displayRank = rank
    displayedAt = now
  }

  // MARK: Work

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

  // MARK: Content

  /// Records a value of this moment.
  ///
  /// - Returns: Whether the row was not marked as changed before.
  mutating func valueArrived(cost: Int, isStale: Bool) -> Bool {
    self.cost = cost
    knowledge = isStale ? .staleValue : .value
    hasArrived = true
    if listening == .awaiting || listening == .owed { listening = .quiet }
    return valueChanged()
  }

  /// Raises the change number, since cells have a newer value to show.
  ///
  /// - Returns: Whether the row was not marked as changed before.
  mutating func valueChanged() -> Bool {
    defer { valueChange = change }
    hasNewValue = true
    return contentChanged()
  }

  /// - Returns: Whether the row was not marked as changed before.
  mutating func valueDropped() -> Bool {
    knowledge = .unknown
    return contentChanged()
  }

  /// Raises the change number, since the row's cells have new content.
  ///
  /// - Returns: Whether the row was not marked as changed before.
  mutating func contentChanged() -> Bool {
    defer { isChanged = true }
    lastPhase = phase
    change &+= 1
    return !isChanged
  }

  /// Raises the change number if the phase has changed.
  ///
  /// - Returns: Whether the row is changed now, and was not marked so before.
  mutating func updatePhase() -> Bool { phase != lastPhase && contentChanged() }

  /// Marks the row's cells as checked.
  ///
  /// - Returns: Whether cells show a newer value than at the end of the last turn, and whether a
  ///   value or a failure has arrived in this turn and is still there.
  mutating func takeChange() -> (hasNewValue: Bool, hasArrived: Bool) {
    defer { (isChanged, hasNewValue, hasArrived) = (false, false, false) }
    return (hasNewValue && showsValue, hasArrived && (showsValue || failure != .none))
  }

  /// - Returns: Whether the row shows its first value since its display began.
  mutating func takeFirstValue() -> Bool {
    guard showsValue, !hasShownValue else { return false }
    hasShownValue = true
    return true
  }

  /// Recomputes whether the row is blank, after a possible change of its displays or its value.
  ///
  /// - Returns: Whether that has changed.
  mutating func updateBlank() -> Bool {
    let isBlank = wasDisplayed && knowledge == .unknown && step != .value
    defer { self.isBlank = isBlank }
    return isBlank != self.isBlank
  }
}
