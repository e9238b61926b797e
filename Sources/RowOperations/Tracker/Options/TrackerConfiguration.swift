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
  /// The slots for loads that run at once.
  ///
  /// Trackers with the same slots share them. With the default, each tracker has six of its own.
  public var slots = UpdateSlots.standard
  /// The quality of service of the operations.
  ///
  /// Where Swift's concurrency library is that of 6.2 (Linux, iOS 26, macOS 26), the task of a
  /// prefetch has at most the priority `utility` until its row is to be displayed.
  public var qualityOfService: QualityOfService = .userInitiated
  /// The rule for the rows that may start while the list moves.
  public var scrollPolicy: ScrollPolicy = .adaptive
  /// The time for which a running load outlives its row's last claim.
  ///
  /// Meanwhile it yields its slot to a row that would be blank for longer by waiting.
  public var grace: Duration = .milliseconds(150)
  /// The time without a report after which a moving list counts as settled.
  public var quietTime: Duration = .milliseconds(150)
  /// The time limit of a load.
  ///
  /// A longer load is cancelled and fails with `OperationError.Code.timedOut`.
  public var timeout: Duration?
  /// The rows around the screen that the tracker prefetches.
  public var prefetchWindow = PrefetchWindow()
  /// The shortest time between two renders of a live row's updates.
  ///
  /// The newest element is shown, at whole multiples of the interval; with zero, in each turn of
  /// the main queue.
  public var liveInterval: Duration = .milliseconds(100)
  /// The largest number of live rows that listen at once.
  ///
  /// Beyond it rows load and do not listen. The first on screen is the next to listen.
  public var liveLimit = 100
  /// The values to keep for unclaimed rows.
  public var retention: Retention<Value> = .automatic
  /// The rule by which failed rows are retried.
  public var retry: RetryPolicy = .onNextDisplay
  /// Whether the tracker may retry a row by itself after an error.
  ///
  /// ```swift
  /// configuration.shouldRetry = { !($0 is DecodingError) }
  /// ```
  ///
  /// With `false`, only `retry(_:)`, `retryFailed()`, `invalidate(_:)` and `refresh(_:)` load the
  /// row again. If it is not set, ``RetryPolicy/backoff(_:)`` calls
  /// `RetryStrategy.isTransient(_:)`, and the other policies take every error.
  ///
  /// Called on the main actor, once for each failure. With a `timeout`, it is also called once when
  /// the tracker is made, and the answer holds for all timeouts.
  public var shouldRetry: (@MainActor (any Error) -> Bool)?
  /// The pause that an error requests.
  ///
  /// ```swift
  /// configuration.retryAfter = { ($0 as NSError).code == 420 ? .seconds(5) : nil }
  /// ```
  ///
  /// It pauses the ``slots``, unless ``retry`` is ``RetryPolicy/never``. By default, it is that of
  /// an `HTTPStatusError`. Called on the main actor, once for each failure but a timeout.
  public var retryAfter: @MainActor (any Error) -> Duration? = {
    ($0 as? HTTPStatusError)?.retryAfter
  }
  /// The lane of a row, such as its host; `nil` for none.
  ///
  /// ```swift
  /// configuration.lane = { id in host(of: id) }
  /// ```
  ///
  /// At most the `laneLimit` of the ``slots`` loads at once. A pause holds its lane alone, and a
  /// batch has one lane.
  ///
  /// Called on the main actor, once for each instance of a row. It may call the tracker; the `==`
  /// and `hash(into:)` of a lane may not.
  public var lane: (@MainActor (Row) -> AnyHashable?)?
  /// A look-up in the app's own cache, when a row without a value is bound, and before its load.
  ///
  /// A found value shows at once. Called on the main actor; must not block.
  public var cached: (@MainActor (Row) -> Value?)?
  /// The clock of all delays.
  ///
  /// Use a manual clock in tests.
  public var clock: any Clock<Duration> = ContinuousClock()
  /// Called with the rows of new values after their render, to resize self-sizing cells.
  ///
  /// A row that was off screen when its value arrived is named after its next display.
  ///
  /// It may call the tracker: a cell bound during the call is rendered before it is measured.
  public var onCommit: (@MainActor ([Row]) -> Void)?
  /// The time on screen without a break after which a row counts as seen.
  ///
  /// With zero, every row on screen counts. Without ``onImpression`` nothing is counted.
  public var impressionTime: Duration = .seconds(1)
  /// The share of a row, from 0 to 1, that has to be in sight for its time on screen to count.
  ///
  /// With 0, any sliver counts. With 0.5, the time begins anew whenever less than half of the row
  /// is in sight, as `visibleShare(of:)` has it. It is read when the tracker is made.
  ///
  /// **Cost**: nothing with 0. Otherwise each layout of a list requests a turn, and each turn reads
  /// the shares of the unseen rows on screen.
  public var impressionShare = 0.0
  /// Called once for each row that was on screen for the ``impressionTime``.
  ///
  /// ```swift
  /// configuration.onImpression = { id in analytics.saw(id) }
  /// ```
  ///
  /// A row that leaves early starts over on its return. A seen row is not reported again until the
  /// app calls `forgetImpressions(of:)`. A row starts over after a suspension of the tracker, after
  /// the background (iOS, tvOS, visionOS), and after the app was hidden (macOS).
  ///
  /// A row counts as on screen with a sliver of one of its cells (see ``impressionShare``), and
  /// even without a value.
  ///
  /// **Ordering**: called at the end of a turn of the main queue, after its renders. Rows come in
  /// the order in which their stays began.
  ///
  /// **Threading**: on the main actor. It may call the tracker.
  ///
  /// **Cost**: the tracker keeps every seen row until `forgetImpressions(of:)`. Each display costs
  /// a look-up, and each turn O(rows on screen).
  public var onImpression: (@MainActor (Row) -> Void)?
  /// Called with the events of displays, claims and operations, in order.
  ///
  /// It may call the tracker; new events follow the pending ones.
  public var onEvent: (@MainActor (TrackerEvent<Row>) -> Void)?

  /// The configuration for most lists.
  public init() {}
}
