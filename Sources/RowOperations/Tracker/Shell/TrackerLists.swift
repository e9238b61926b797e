/// The lists that show rows of a tracker.
///
/// A tracker is suspended while all its lists are covered: a carousel that leaves the screen must
/// not suspend the list around it.
@MainActor
struct TrackerLists {
  /// Receives the bound view, or the host that it is bound in.
  typealias BindHook = @MainActor (AnyObject) -> Void

  struct List {
    var isCovered = false
    let onBind: BindHook?
  }

  /// The change of the tracker that follows.
  enum Change: Hashable {
    case none
    case suspend
    case resume
  }

  private(set) var lists: [Int: List] = [:] {
    didSet { bindHooks = lists.values.compactMap(\.onBind) }
  }
  private(set) var isSuspended = false

  /// Adds a list that shows rows of the tracker.
  ///
  /// - Parameter onBind: Called for each cell that is bound to a row of the tracker.
  /// - Returns: The number of the list; 0 is the tracker's own order.
  mutating func add(onBind: BindHook?) -> (list: Int, change: Change) {
    var list = 1
    while lists[list] != nil { list += 1 }
    lists[list] = List(onBind: onBind)
    return (list, updateSuspension())
  }

  mutating func remove(_ list: Int) -> Change {
    lists[list] = nil
    return updateSuspension()
  }

  /// Marks a list as covered.
  mutating func cover(_ list: Int) -> Change {
    lists[list]?.isCovered = true
    return updateSuspension()
  }

  /// Marks a list as visible.
  ///
  /// A tracker that was not suspended does not resume: a carousel that comes on screen is no reason
  /// to retry failed rows.
  mutating func uncover(_ list: Int) -> Change {
    lists[list]?.isCovered = false
    return updateSuspension()
  }

  private mutating func updateSuspension() -> Change {
    let wasSuspended = isSuspended
    isSuspended = !lists.isEmpty && lists.values.allSatisfy(\.isCovered)
    return isSuspended == wasSuspended ? .none : isSuspended ? .suspend : .resume
  }

  // MARK: Binding

  /// The closures to call for each binding.
  private(set) var bindHooks: [BindHook] = []
}
