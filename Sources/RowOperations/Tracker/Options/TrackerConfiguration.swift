import Foundation

/// The settings of a ``DisplayTracker``.
///
/// ```swift
/// var configuration = TrackerConfiguration<Photo.ID, Thumbnail>()
/// configuration.slots = UpdateSlots(8)
/// configuration.timeout = .seconds(10)
/// configuration.retention = .cost(limit: 64 << 20) { $0.byteCount }
/// ```
public struct TrackerConfiguration<Row: Hashable & Sendable, Value: Sendable> {
  /// The slots for loads that run at once, shared by trackers with the same object.
  ///
  /// By default each tracker has six of its own, even with the same configuration.
  public var slots = UpdateSlots.standard
  /// The quality of service of the operations.
  ///
  /// With Swift's concurrency library of 6.2 (Linux, iOS 26, macOS 26), a prefetch runs at
  /// `utility` at most until its row is to be displayed.
  public var qualityOfService: QualityOfService = .userInitiated
  /// The rule for the rows that may start while the list moves.
  public var scrollPolicy: ScrollPolicy = .adaptive
  /// The time for which a running load outlives its row's last claim.
  ///
  /// Meanwhile it yields its slot to a row that would be blank for longer by waiting.
  public var grace: Duration = .milliseconds(150)
  /// The time without a report after which a moving list counts as settled.
  public var quietTime: Duration = .milliseconds(150)
  /// The time limit of a load, after which it is cancelled and fails with
  /// `OperationError.Code.timedOut`.
  public var timeout: Duration?
  /// The rows around the screen that the tracker prefetches.
  public var prefetchWindow = PrefetchWindow()
  /// The shortest time between two renders of a live row's updates, of which the newest is shown.
  ///
  /// Rows are rendered together, at whole multiples of the interval. With zero, each turn shows
  /// what has arrived; with a very long one, a row shows the first element of each stream alone.
  public var liveInterval: Duration = .milliseconds(100)
  /// The largest number of live rows that listen at once.
  ///
  /// Beyond it rows load only; the row that came on screen first is the next to listen.
  public var liveLimit = 100
  /// The values to keep for unclaimed rows.
  public var retention: Retention<Value> = .automatic
  /// When failed rows are retried.
  public var retry: RetryPolicy = .onNextDisplay
  /// Whether the tracker may retry a row by itself after an error.
  ///
  /// ```swift
  /// configuration.shouldRetry = { !($0 is DecodingError) }
  /// ```
  ///
  /// With `false`, only `retry(_:)`, `retryFailed()`, `invalidate(_:)` and `refresh(_:)` load the
  /// row again. If it is not set, ``RetryPolicy/backoff(_:)`` calls
  /// `RetryStrategy.isTransient(_:)`, and other policies take every error.
  ///
  /// Called on the main actor, once for each failure. With a `timeout`, it is also called when the
  /// tracker is made, and that answer holds for all timeouts.
  public var shouldRetry: (@MainActor (any Error) -> Bool)?
  /// A look-up in the app's own cache, called when a cell is bound to a row without a value, and
  /// again before a load.
  ///
  /// A found value shows at once. Called on the main actor, where it must not block.
  public var cached: (@MainActor (Row) -> Value?)?
  /// The clock of all delays; use a manual clock in tests.
  public var clock: any Clock<Duration> = ContinuousClock()
  /// Called with the rows of new values after their renders, such as to resize self-sizing cells.
  ///
  /// A row whose value arrived off screen is named after its next display.
  ///
  /// It may call the tracker: a cell bound during the call is rendered before it is measured.
  public var onCommit: (@MainActor ([Row]) -> Void)?
  /// The time on screen without a break after which a row counts as seen; with zero, at once.
  ///
  /// Without ``onImpression`` nothing is counted.
  public var impressionTime: Duration = .seconds(1)
  /// The share of a row, from 0 to 1, that has to be in sight for its time to count; with 0, any
  /// sliver.
  ///
  /// The time begins anew whenever less is in sight, as `visibleShare(of:)` has it. The share is
  /// read when the tracker is made.
  ///
  /// **Cost**: nothing with 0. Otherwise each layout requests a turn, and each turn reads the
  /// shares of the unseen rows on screen.
  public var impressionShare = 0.0
  /// Called once for each row that has been on screen for the ``impressionTime``: its impression.
  ///
  /// ```swift
  /// configuration.onImpression = { id in analytics.saw(id) }
  /// ```
  ///
  /// A row that leaves early starts over. A seen row is not reported again, in any cell, until
  /// `forgetImpressions(of:)`. Time suspended, in the background (iOS, tvOS, visionOS) or hidden
  /// (macOS) does not count, and the row starts over.
  ///
  /// A sliver of one cell is enough, even without a value; see ``impressionShare`` and
  /// `phase(of:)`.
  ///
  /// **Ordering**: at the end of a turn, after its renders; rows come in the order in which their
  /// stays began.
  ///
  /// **Threading**: on the main actor; it may call the tracker.
  ///
  /// **Cost**: nothing without it. With it, seen rows are kept until `forgetImpressions(of:)`, and
  /// each display costs a look-up, O(1).
  public var onImpression: (@MainActor (Row) -> Void)?
  /// Called with the events of displays, claims and operations, in order.
  ///
  /// It may call the tracker: a call takes effect before it returns, and its events follow the
  /// pending ones.
  public var onEvent: (@MainActor (TrackerEvent<Row>) -> Void)?

  /// The configuration that suits most lists.
  public init() {}
}
