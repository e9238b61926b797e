/// The lists that show rows of a tracker.
///
/// The tracker is suspended while all are covered: a carousel that leaves must not suspend the list
/// around it.
@MainActor
struct TrackerLists {
  /// Receives the bound view, or its host.
  typealias BindHook = @MainActor (AnyObject) -> Void

  struct List {
    var isCovered = false
    let onBind: BindHook?
    /// The share in sight; `nil` for an unknown view.
    let share: (@MainActor (AnyObject) -> Double?)?
  }

  private(set) var lists: [Int: List] = [:]
  private var covered = 0
  private var highestNumber = 0
  /// The free numbers up to the highest one.
  private var freeNumbers: [Int] = []
  private(set) var bindHooks: [BindHook] = []

  var isSuspended: Bool { !lists.isEmpty && covered == lists.count }

  /// - Returns: The number of the list; 0 is the tracker's own order.
  mutating func add(
    onBind: BindHook?, share: (@MainActor (AnyObject) -> Double?)? = nil
  ) -> Int {
    let list = freeNumbers.popLast() ?? highestNumber + 1
    highestNumber = max(highestNumber, list)
    lists[list] = List(onBind: onBind, share: share)
    if let onBind { bindHooks.append(onBind) }
    return list
  }

  mutating func remove(_ list: Int) {
    guard let removed = lists.removeValue(forKey: list) else { return }
    if removed.isCovered { covered -= 1 }
    if removed.onBind != nil { bindHooks = lists.values.compactMap(\.onBind) }
    freeNumbers.append(list)
  }

  mutating func setCovered(_ list: Int, _ isCovered: Bool) {
    guard let known = lists[list], known.isCovered != isCovered else { return }
    lists[list]?.isCovered = isCovered
    covered += isCovered ? 1 : -1
  }
}
