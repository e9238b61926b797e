/// The behavior of a simulated list where real ones differ.
///
/// Start with the kind of list that you use, and flip single switches.
public struct ListBehavior: Hashable, Sendable {
  /// How many rows `prefetch` announces ahead.
  public var prefetchDepth = 10
  /// Whether a `prefetch` follows the first layout, instead of the first scroll.
  public var prefetchesAtFirstLayout = true
  /// The highest speed with announcements, in points per millisecond.
  public var prefetchSpeedLimit = 8.0
  /// Whether `cancelPrefetch` is sent for rows that leave the window.
  public var sendsCancelPrefetch = true
  /// How many rows ahead get cells early.
  public var preparedAhead = 0
  /// How many cells off screen are kept for their rows.
  ///
  /// A row that returns to a kept cell is displayed without `cellFor`.
  public var keptCells = 0
  /// Whether a reload removes old cells before it shows new ones.
  ///
  /// GTK lists always do.
  public var reloadEndsFirst = true
  /// Whether the end of a reloaded cell's display is reported twice.
  public var endsReloadedCellsTwice = false
  /// Whether a moved row gets another cell.
  public var movedRowsChangeCells = false
  /// Whether the list reports that it rests after a finger has stopped a fling.
  public var reportsStoppedFlings = true
  /// The estimated height of rows before their layout, in points; `nil` if heights are known.
  public var estimatedHeight: Double?
  /// The rows bound beyond each end of the screen, for lists that bind and unbind.
  public var boundMargin: Int?

  /// Makes the plainest list.
  public init() {}

  private init(_ change: (inout ListBehavior) -> Void) { change(&self) }

  /// `UITableView`.
  public static let tableView = ListBehavior {
    $0.preparedAhead = 1
    $0.keptCells = 1
    $0.endsReloadedCellsTwice = true
  }

  /// `UICollectionView`, which prepares cells ahead and keeps recently hidden ones.
  public static let collectionView = ListBehavior {
    $0.preparedAhead = 2
    $0.keptCells = 2
    $0.movedRowsChangeCells = true
  }

  /// `GtkListView` of GTK 4.
  ///
  /// It binds some 200 rows around the visible ones, and at first displays all of them for a
  /// moment. It unbinds and binds all items when one row is inserted.
  public static let gtkListView = ListBehavior {
    $0.boundMargin = 100
    $0.prefetchDepth = 0
  }
}
