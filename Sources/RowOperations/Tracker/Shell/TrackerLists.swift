/// The lists that show rows of a tracker.
///
/// A tracker is suspended while all its lists are covered: a carousel that leaves the screen must
/// not suspend the list around it.
@MainActor
struct TrackerLists {
  struct List {
    var isCovered = false
    /// Whether the tracker must not prefetch by the order of the list.
    var isHeld = false
    let onBind: (@MainActor () -> Void)?
  }

  /// What the tracker is to do.
  enum Change: Hashable {
    case none
    case suspend
    case resume
  }

  private(set) var lists: [Int: List] = [:]
  private(set) var isSuspended = false

  /// A list begins to show rows.
  ///
  /// - Parameter onBind: Called for each cell that is bound to a row of the tracker, if it is
  ///   given.
  /// - Returns: The number of the list; 0 is the tracker's own order.
  mutating func add(onBind: (@MainActor () -> Void)?) -> (list: Int, change: Change) {
    var list = 1
    while lists[list] != nil { list += 1 }
    lists[list] = List(onBind: onBind)
    return (list, updateSuspension())
  }

  /// A list is gone.
  mutating func remove(_ list: Int) -> Change {
    lists[list] = nil
    return updateSuspension()
  }

  /// A list is covered.
  mutating func cover(_ list: Int) -> Change {
    lists[list]?.isCovered = true
    return updateSuspension()
  }

  /// A list can be seen again.
  ///
  /// A tracker that was not suspended goes on: a carousel that comes on screen is no reason to try
  /// failed rows again.
  mutating func uncover(_ list: Int) -> Change {
    lists[list]?.isCovered = false
    return updateSuspension()
  }

  private mutating func updateSuspension() -> Change {
    let wasSuspended = isSuspended
    isSuspended = !lists.isEmpty && lists.values.allSatisfy(\.isCovered)
    return isSuspended == wasSuspended ? .none : isSuspended ? .suspend : .resume
  }

  // MARK: Prefetching

  mutating func hold(_ isHeld: Bool, _ list: Int) { lists[list]?.isHeld = isHeld }

  func isHeld(_ list: Int) -> Bool { lists[list]?.isHeld ?? false }

  // MARK: Binding

  /// What to call for each cell that is bound.
  var bindHooks: [@MainActor () -> Void] { lists.values.compactMap(\.onBind) }
}
