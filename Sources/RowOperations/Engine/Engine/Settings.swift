extension TrackerEngine {
  enum Retry: Sendable {
    case never
    case onNextDisplay
    /// After a delay, and on the next display once there are no more attempts.
    case backoff(Backoff)
  }

  /// Returns the delay in nanoseconds; `nil` if no retry is left.
  ///
  /// Takes the number of the retry, from 0, a number from 0 to 1 for the jitter, and the server's
  /// least delay.
  typealias Backoff =
    @Sendable (_ retry: Int, _ chance: Double, _ least: Duration?) -> Int64?

  package struct StreamSettings: Hashable, Sendable {
    /// Whether the first element of a stream is the load of its row.
    package var isLoad: Bool
    /// The shortest time between two commits of a row's elements, in nanoseconds.
    package var interval: Int64
    /// The streams that are open at once.
    package var limit: Int
    /// The share of a delay by which it may be shorter.
    var jitter = 0.25

    package init(isLoad: Bool, interval: Int64 = 100_000_000, limit: Int = 100) {
      self.isLoad = isLoad
      self.interval = interval
      self.limit = limit
    }
  }

  package struct Settings: Sendable {
    var scrollPolicy: ScrollGate.Policy = .adaptive
    /// Loads that run at once.
    package var slots = 6
    /// `nil` without lanes.
    var laneLimit: Int?
    var tracker = 0
    /// The time of the slots' clock at zero.
    var slotsAhead: Int64 = 0
    package var grace: Int64 = 150_000_000
    package var quietTime: Int64 = 150_000_000
    package var timeout: Int64?
    package var prefetchWindow = PrefetchWindow()
    /// `nil` for no limit.
    package var valueLimit: Int? = 200
    /// The total cost; `nil` for no limit.
    package var costLimit: Int?
    var failureLimit = 1000
    var retry = Retry.onNextDisplay
    /// Before a display tries a given up row again.
    var restOfGivenUp: Int64 = 30_000_000_000
    /// 0 if each load has one row.
    package var batchSize = 0
    /// The failure of a row that the answer to its batch lacks.
    var missingFromBatch = FailureCause(kind: 3, isRetryable: false)
    var timeOut = FailureCause(kind: 1, isConnectivity: true)
    /// `nil` without live rows.
    package var streams: StreamSettings?
    var emptyStream = FailureCause(kind: 3)
    /// The time over which the loads of a heal are spread, in nanoseconds.
    var healSpread: Int64 = 1_000_000_000
    var reportsEvents = false
    /// Whether the app has an `onCommit`.
    var reportsCommits = false
    /// For the jitter of retry delays.
    var seed: UInt64 = 0

    package init() {}

    /// The number of rows that the slots can take at a time.
    var rowsAtOnce: Int {
      let most = 1 << 20
      return min(slots, most) * min(max(batchSize, 1), most)
    }
  }
}
