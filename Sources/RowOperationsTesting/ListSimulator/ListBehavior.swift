/// How a simulated list behaves where real ones differ, or where nobody knows for sure.
///
/// Start with a list of the kind that you use, and flip single switches to see whether your code
/// depends on them.
public struct ListBehavior: Hashable, Sendable {
  /// How many rows are announced by `prefetch` ahead of the visible ones.
  public var prefetchDepth: Int
  /// Whether the first layout is followed by a `prefetch`, or only the first scroll.
  public var prefetchesAtFirstLayout: Bool
  /// Above this speed nothing is announced, in points per millisecond.
  public var prefetchSpeedLimit: Double
  /// Whether rows that fall out of the window are taken back by `cancelPrefetch`.
  public var sendsCancelPrefetch: Bool
  /// How many rows ahead get their cells before they come on screen.
  public var preparedAhead: Int
  /// How many cells that have left the screen are kept for their rows, so that a row that comes right
  /// back is displayed without being asked for.
  public var keptCells: Int

  /// `UITableView`.
  public static let tableView = ListBehavior(
    prefetchDepth: 10, prefetchesAtFirstLayout: true, prefetchSpeedLimit: 8,
    sendsCancelPrefetch: true, preparedAhead: 0, keptCells: 0)
  /// `UICollectionView`, which prepares cells ahead and keeps those that have just left.
  public static let collectionView = ListBehavior(
    prefetchDepth: 10, prefetchesAtFirstLayout: true, prefetchSpeedLimit: 8,
    sendsCancelPrefetch: true, preparedAhead: 2, keptCells: 2)
}
