import RowOperationsTesting

/// A list's loads in virtual time: nothing happens between the moments that the loader names.
@MainActor
protocol VirtualLoader: AnyObject {
  /// Takes an event of the list, at once.
  func handle(_ event: ListEvent<Int>)
  /// Ends a frame.
  func endFrame()
  /// The next moment in which something is due, in nanoseconds.
  var nextMoment: Int64? { get }
  /// Moves the time on and does everything that is due.
  func advance(to time: Int64)
  func hasValue(_ row: Int) -> Bool
  /// The number of loads of rows that have started.
  var started: Int { get }
  /// The number of requests, each for one row or more.
  var requests: Int { get }
}

/// A way of loading rows, for comparison with others.
enum Loader: Sendable, Hashable {
  case recipe
  /// The tracker, with the order of the list.
  case tracker
  case trackerWithoutOrder
  /// With the order, and requests for up to 50 rows.
  case trackerWithBatches
  /// With the order, and room for 40 kept values instead of 200.
  case trackerWithFewValues

  @MainActor
  func make(_ world: World) -> any VirtualLoader {
    switch self {
    case .recipe: VirtualRecipe(world)
    case .tracker: VirtualTracker(world)
    case .trackerWithoutOrder: VirtualTracker(world, knowsOrder: false)
    case .trackerWithBatches: VirtualTracker(world) { $0.batchSize = 50 }
    case .trackerWithFewValues: VirtualTracker(world) { $0.valueLimit = 40 }
    }
  }
}
