/// How a simulated list behaves where real ones differ, or where nobody knows for sure.
///
/// Start with a list of the kind that you use, and flip single switches to see whether your code
/// depends on them.
public struct ListBehavior: Hashable, Sendable {
  /// How many rows are announced by `prefetch` ahead of the visible ones.
  public var prefetchDepth = 10
  /// Whether the first layout is followed by a `prefetch`, or only the first scroll.
  public var prefetchesAtFirstLayout = true
  /// Above this speed nothing is announced, in points per millisecond.
  public var prefetchSpeedLimit = 8.0
  /// Whether rows that fall out of the window are taken back by `cancelPrefetch`.
  public var sendsCancelPrefetch = true
  /// How many rows ahead get their cells before they come on screen.
  public var preparedAhead = 0
  /// How many cells that have left the screen are kept for their rows, so that a row that comes
  /// right back is displayed without being asked for.
  public var keptCells = 0
  /// Whether, when everything is reloaded, old cells leave before new ones come; those of a GTK
  /// list always do.
  public var reloadEndsFirst = true
  /// Whether a cell whose row was reloaded is told twice to have left the screen.
  public var endsReloadedCellsTwice = false
  /// Whether a row that was moved gets another cell.
  public var movedRowsChangeCells = false
  /// Whether a fling that a finger stops is told to have come to rest.
  public var reportsStoppedFlings = true
  /// The height that rows are thought to have until they are laid out, in points; `nil` if the
  /// right one is known.
  public var estimatedHeight: Double?
  /// For lists that bind and unbind: how many rows are bound beyond each end of the visible ones.
  public var boundMargin: Int?

  /// A list that does the least.
  public init() {}

  /// `UITableView`.
  public static let tableView: ListBehavior = {
    var behavior = ListBehavior()
    behavior.preparedAhead = 1
    behavior.keptCells = 1
    behavior.endsReloadedCellsTwice = true
    return behavior
  }()

  /// `UICollectionView`, which prepares cells ahead and keeps those that have just left.
  public static let collectionView: ListBehavior = {
    var behavior = ListBehavior()
    behavior.preparedAhead = 2
    behavior.keptCells = 2
    behavior.movedRowsChangeCells = true
    return behavior
  }()

  /// `GtkListView` of GTK 4: binds some 200 rows around the visible ones, shows all of them for a
  /// moment at first, binds items anew back to back, and all of them when one row is inserted.
  public static let gtkListView: ListBehavior = {
    var behavior = ListBehavior()
    behavior.boundMargin = 100
    behavior.prefetchDepth = 0
    return behavior
  }()

  /// The former name of ``reportsStoppedFlings``.
  @available(*, deprecated, renamed: "reportsStoppedFlings")
  public var tellsStoppedFlings: Bool {
    get { reportsStoppedFlings }
    set { reportsStoppedFlings = newValue }
  }
}
