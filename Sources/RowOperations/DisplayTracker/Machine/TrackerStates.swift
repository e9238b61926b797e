@usableFromInline package typealias RowID = ID<RowState>
@usableFromInline package typealias LoadID = ID<LoadState>
@usableFromInline package typealias CellID = ID<CellState>

/// What a tracker knows of a cell.
@usableFromInline
package struct CellState: Hashable, Sendable {
  /// The row that the cell is bound to.
  package internal(set) var row: RowID?
  /// Being displayed belongs to the cell, whether it is bound or not.
  package internal(set) var isDisplayed = false
  /// Which binding this is; a render for an earlier one comes too late.
  package internal(set) var serial: UInt64 = 0
  /// The neighbours among the cells of the row.
  var previous: CellID?
  var next: CellID?
  /// Whether it is among the cells that are being gathered to be rendered.
  var isGathered = false
}

/// What a tracker knows of a row: its claims.
@usableFromInline
package struct RowState: Hashable, Sendable {
  package let load: LoadID
  /// How many cells are bound to it.
  package internal(set) var bindings: Int32 = 0
  /// How many of them are displayed.
  package internal(set) var displays: Int32 = 0
  /// Whether it was displayed when the last pass ended.
  var wasDisplayed = false
  package internal(set) var isLanding = false
  package internal(set) var isPrefetched = false
  var isTouched = false
  private var firstCellPlace = CompactID<CellState>()
  private var previousPlace = CompactID<RowState>()
  private var nextPlace = CompactID<RowState>()

  init(load: LoadID, next: RowID?) {
    self.load = load
    self.next = next
  }

  var firstCell: CellID? {
    get { firstCellPlace.id }
    set { firstCellPlace.id = newValue }
  }

  // The neighbours among the rows of the load.
  var previous: RowID? {
    get { previousPlace.id }
    set { previousPlace.id = newValue }
  }

  var next: RowID? {
    get { nextPlace.id }
    set { nextPlace.id = newValue }
  }

  package var isClaimed: Bool { displays > 0 || isLanding || isPrefetched }
}

/// What a tracker knows of a load: of one row, or of all rows that share a resource.
@usableFromInline
package struct LoadState: Hashable, Sendable {
  /// What is being done about it.
  package enum Work: Hashable, Sendable {
    /// Nothing. Goes to `waiting`.
    case none
    /// It waits for a slot. Goes to `running`, or to `none` when its last claim goes.
    case waiting
    /// An operation runs. Goes to `none`, or to `backoff` when it fails.
    case running
    /// It waits to be tried again. Goes to `waiting`, or to `none` when its last claim goes.
    case backoff
  }

  /// What is known of the value.
  package enum Knowledge: Hashable, Sendable {
    case unknown
    case value
    /// A value that is to be loaded again.
    case staleValue
    /// There is nothing to load.
    case nothing
  }

  package internal(set) var work: Work = .none
  package internal(set) var knowledge: Knowledge = .unknown
  /// Whether the last attempt failed and no other is due.
  package internal(set) var hasFailed = false
  /// The phase that cells were last told.
  var toldPhase: LoadPhase = .idle

  // How many claims of each kind its rows have.
  package internal(set) var displays: Int32 = 0
  package internal(set) var landings: Int32 = 0
  package internal(set) var prefetches: Int32 = 0
  /// Whether it was displayed when the last pass ended.
  var wasDisplayed = false
  var isTouched = false
  /// Whether it takes one of the slots that prefetching may use.
  var usesPrefetchShare = false
  /// Whether prefetching started it and no cell has displayed it since.
  var isUnseenPrefetch = false
  /// Failed attempts in a row.
  var failures: Int32 = 0

  // Where it stands among waiting loads of each kind.
  package internal(set) var displayPass: UInt64 = 0
  package internal(set) var displayRank: UInt64 = 0
  package internal(set) var landingRank: UInt64 = 0
  package internal(set) var prefetchRank: UInt64 = 0
  /// When it came to be displayed.
  var displayedAt: Int64 = 0

  /// The token of the operation that runs.
  package internal(set) var generation: UInt64 = 0
  package internal(set) var startedAt: Int64 = 0
  /// When its grace is over, or when it is tried again.
  package internal(set) var deadline: Int64 = 0
  var cost = 0
  var rows: Int32 = 0
  private var firstRowPlace = CompactID<RowState>()
  private var waitingRowPlace = CompactID<RowState>()

  init() {}

  var firstRow: RowID? {
    get { firstRowPlace.id }
    set { firstRowPlace.id = newValue }
  }

  /// The row that was told to wait, if anybody wants to know.
  var waitingRow: RowID? {
    get { waitingRowPlace.id }
    set { waitingRowPlace.id = newValue }
  }

  package var hasValue: Bool { knowledge == .value || knowledge == .staleValue }

  package var isClaimed: Bool { displays > 0 || landings > 0 || prefetches > 0 }

  /// Whether a claim is reason enough to load it.
  package var wantsLoad: Bool {
    guard !hasFailed else { return false }
    switch knowledge {
    case .unknown, .staleValue: return true
    case .value, .nothing: return false
    }
  }

  /// Where it belongs among the waiting ones, by its strongest claim.
  package var place: WaitingOrder.Place? {
    if landings > 0 { return .landing(rank: landingRank) }
    if displays > 0 { return .displayed(pass: displayPass, rank: displayRank) }
    if prefetches > 0 { return .prefetched(rank: prefetchRank) }
    return nil
  }

  /// What a cell shows of it.
  package var phase: LoadPhase {
    switch work {
    case .running: return .loading
    case .waiting, .backoff: return .waiting
    case .none: break
    }
    if hasFailed { return .failed }
    switch knowledge {
    case .unknown, .nothing: return .idle
    case .value: return .loaded
    case .staleValue: return .waiting
    }
  }
}

/// A ``RowPhase`` without its values.
@usableFromInline
package enum LoadPhase: Hashable, Sendable {
  case idle
  case waiting
  case loading
  case loaded
  case failed
}
