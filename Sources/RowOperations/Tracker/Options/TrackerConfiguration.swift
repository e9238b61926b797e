import Foundation

/// How a ``DisplayTracker`` goes about its work.
///
/// ```swift
/// var configuration = TrackerConfiguration<Photo.ID, Thumbnail>()
/// configuration.slots = UpdateSlots(8, stageLimits: [.decode: 2])
/// configuration.timeout = .seconds(10)
/// configuration.retention = .cost(limit: 64 << 20) { $0.byteCount }
/// ```
public struct TrackerConfiguration<Row: Hashable & Sendable, Value: Sendable> {
  /// How many loads run at once.
  ///
  /// Trackers that are given the same slots share them. Those that keep the default, six, have
  /// slots of their own, also if they are made with one configuration.
  public var slots = UpdateSlots.standard
  /// The quality of service of the operations.
  public var qualityOfService: QualityOfService = .userInitiated
  /// What may start while the list moves.
  public var scrollPolicy: ScrollPolicy = .adaptive
  /// How long a running load outlives its row's last claim, so that a row that comes right back
  /// finds it.
  ///
  /// It gives way at once when a displayed or landing row waits for its slot. It does not give way
  /// to a prefetched row.
  public var grace: Duration = .milliseconds(150)
  /// How long nothing is heard of a moving list until it counts as settled.
  public var quietTime: Duration = .milliseconds(150)
  /// How long a load may take.
  ///
  /// One that takes longer is cancelled and has failed, with `RowOperationsError.Code.timedOut`.
  public var timeout: Duration?
  /// How many rows can be claimed by prefetching at once.
  ///
  /// The oldest claims go first. A claim also ends when so many other rows have come on screen
  /// since.
  public var prefetchLimit = 32
  /// Which values are kept for rows without a claim.
  public var retention: Retention<Value> = .automatic
  /// When a failed row is loaded again without being asked to.
  public var retry: RetryPolicy = .onNextDisplay
  /// Whether a row whose load failed with an error may be loaded again without being asked to.
  ///
  /// ```swift
  /// configuration.shouldRetry = { !($0 is DecodingError) }
  /// ```
  ///
  /// With `false` the row is loaded again when the app asks for it: by `retry(_:)`,
  /// `retryFailed()`, `invalidate(_:)` or `refresh(_:)`.
  ///
  /// Called on the main actor, once for each failure. If there is a `timeout`, it is called once
  /// when the tracker is made, and the answer holds for all loads that take too long.
  public var shouldRetry: @MainActor (any Error) -> Bool = { _ in true }
  /// What a row's value is loaded from.
  ///
  /// Rows with one resource share one load, one generation and one kept value. `nil`: each row has
  /// its own.
  ///
  /// Must answer the same for the same row each time. Called on the main actor.
  public var resource: ((Row) -> AnyHashable)?
  /// The app's own cache, asked when a cell is bound to a row whose value is not there, and again
  /// before the row is loaded.
  ///
  /// What it answers shows at once. It must not block: it is called on the main actor.
  public var cached: (@MainActor (Row) -> Value?)?
  /// The clock of all delays; a manual one in tests.
  public var clock: any Clock<Duration> = ContinuousClock()
  /// Called after values were rendered that came in a turn of the main queue, with their rows: the
  /// moment to let self-sizing cells grow.
  ///
  /// A row that was off screen when its value came is named after its next display.
  ///
  /// It may call the tracker: a cell that is bound meanwhile is rendered before it is measured.
  public var onCommit: (@MainActor ([Row]) -> Void)?
  /// How long a row has to be on screen without a break to count as seen.
  ///
  /// Zero: every row that comes on screen counts. Without ``onImpression`` nothing is counted.
  public var impressionTime: Duration = .seconds(1)
  /// Called once for each row that has been on screen for the ``impressionTime``: its impression.
  ///
  /// ```swift
  /// configuration.onImpression = { id in analytics.saw(id) }
  /// ```
  ///
  /// A row that leaves before its time begins anew when it comes back. A row that was seen is not
  /// reported again, however often it comes back and in whichever cells, until the app calls
  /// `forgetImpressions(of:)`. A row in several cells counts once. Time for which the tracker is
  /// suspended does not count. Time in the background does not count on iOS, tvOS and visionOS, nor
  /// on macOS time for which the app is hidden. A row has to stay for the whole time afterwards.
  ///
  /// A row counts as on screen while a cell that shows it does, however little of
  /// the cell the user sees, and whether or not its value is there; `phase(of:)` answers that.
  ///
  /// **Ordering**: called at the end of a turn of the main queue, after what the turn renders. A
  /// turn is taken when a row's time is up. Rows come in the order in which their stays began.
  ///
  /// **Threading**: on the main actor. It may call the tracker.
  ///
  /// **Cost**: nothing without it. With it, the tracker keeps every row that was seen, until the
  /// app has it forgotten; each display costs a look-up, O(1).
  public var onImpression: (@MainActor (Row) -> Void)?
  /// Called for what happens to cells on screen, claims and operations, in order.
  ///
  /// It may call the tracker. A call takes effect before it returns; further events follow those
  /// that are pending.
  public var onEvent: (@MainActor (TrackerEvent<Row>) -> Void)?

  /// The configuration that suits most lists.
  public init() {}
}
