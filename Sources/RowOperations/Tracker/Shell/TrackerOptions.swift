import Foundation

/// The options that depend on no type of the app.
@usableFromInline
struct TrackerOptions {
  let slots: UpdateSlots
  let clock: any Clock<Duration>
  let qualityOfService: QualityOfService
  let looksUp: Bool
  let settings: TrackerEngine.Settings

  /// - Parameter batchSize: `nil` if each load has one row.
  @MainActor
  @usableFromInline
  init<Row, Value>(
    _ configuration: TrackerConfiguration<Row, Value>, _ live: LiveUpdates<Row, Value>?,
    batchSize: Int? = nil
  ) {
    slots = configuration.slots.forOneTracker
    clock = configuration.clock
    qualityOfService = configuration.qualityOfService
    looksUp = configuration.cached != nil
    var settings = TrackerEngine.Settings(configuration, live)
    if let batchSize {
      settings.batchSize = max(batchSize, 1)
      settings.missingFromBatch = FailureCause(TrackerCore.missingFromBatch, isRetryable: false)
    }
    self.settings = settings
  }
}

extension TrackerEngine.Settings {
  @MainActor
  fileprivate init<Row, Value>(
    _ configuration: TrackerConfiguration<Row, Value>, _ live: LiveUpdates<Row, Value>?
  ) {
    self.init()
    scrollPolicy = configuration.scrollPolicy.engine
    slots = configuration.slots.count
    grace = max(configuration.grace.nanoseconds, 0)
    quietTime = max(configuration.quietTime.nanoseconds, 0)
    timeout = configuration.timeout.map { max($0.nanoseconds, 0) }
    prefetchWindow = configuration.prefetchWindow.clamped
    valueLimit = configuration.retention.countLimit
    costLimit = configuration.retention.costLimit
    retry = configuration.retry.engine
    if timeout != nil {
      timeOut = FailureCause(
        TrackerCore.timeOut, isRetryable: configuration.allowsRetry(after: TrackerCore.timeOut))
    }
    if let live {
      streams = TrackerEngine.StreamSettings(
        isLoad: live.isLoad, interval: max(configuration.liveInterval.nanoseconds, 0),
        limit: max(configuration.liveLimit, 0))
      let error = StreamNews.End.ended.error
      emptyStream = FailureCause(error, isRetryable: configuration.allowsRetry(after: error))
    }
    reportsEvents = configuration.onEvent != nil || configuration.onImpression != nil
    reportsCommits = configuration.onCommit != nil
    seed = .random(in: .min ... .max)
  }
}
