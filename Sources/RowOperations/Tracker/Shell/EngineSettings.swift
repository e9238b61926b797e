extension TrackerEngine.Settings {
  @MainActor
  init<Row, Value>(
    _ configuration: TrackerConfiguration<Row, Value>, _ live: LiveUpdates<Row, Value>?,
    batchSize: Int
  ) {
    self.init()
    scrollPolicy = configuration.scrollPolicy.engine
    slots = configuration.slots.count
    laneLimit = configuration.lane == nil ? nil : configuration.slots.laneLimit
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
    if batchSize > 0 {
      self.batchSize = batchSize
      missingFromBatch = FailureCause(TrackerCore.missingFromBatch, isRetryable: false)
    }
    reportsEvents = configuration.onEvent != nil || configuration.onImpression != nil
    reportsCommits = configuration.onCommit != nil
    seed = .random(in: .min ... .max)
  }
}
