extension DisplayTracker {
  /// Makes a tracker of live rows, which a stream updates while they are on screen.
  ///
  /// ```swift
  /// let quotes = DisplayTracker<Stock.ID, Quote>(
  ///   update: { try await api.quote(of: $0.row) }, updates: { socket.quotes(of: $0.row) })
  /// ```
  ///
  /// A displayed row listens to its stream, in no slot: from the start of its load, or when it
  /// comes on screen with a value. The newest element is shown, at most once in
  /// `configuration.liveInterval`. An element that comes before the load has ended takes its place.
  /// Prefetched rows do not listen. See <doc:LiveRows>.
  ///
  /// **Cancellation**: the stream's task is cancelled when the row has been off screen for
  /// `configuration.grace`, when the tracker is suspended, and when the row is removed.
  ///
  /// **Errors**: a stream that fails opens again after 1 to 30 seconds, and the row keeps its value
  /// meanwhile, as ``RowPhase/waiting(previous:error:)``. With ``RetryPolicy/never``, or if
  /// `shouldRetry` refuses the error, the row fails until its next display. A stream that ends
  /// without an error opens again at the row's next display.
  ///
  /// **Threading**: both closures run off the main actor.
  ///
  /// - Parameters:
  ///   - configuration: The settings of the tracker.
  ///   - update: Makes a row's value, in stages.
  ///   - updates: Returns the newer values of a row. Its context is cancelled with the stream; a
  ///     `show` or a progress has no effect.
  @inlinable
  public convenience init<Updates: AsyncSequence & Sendable>(
    configuration: TrackerConfiguration<Row, Value> = .init(),
    update: @escaping @Sendable (UpdateContext<Row, Value>) async throws -> Value,
    updates: @escaping @Sendable (UpdateContext<Row, Value>) async throws -> Updates
  ) where Updates.Element == Value {
    let store = TrackerStore(configuration, live: LiveUpdates(isLoad: false, updates))
    self.init(store) {
      store.makeUpdate(of: $0[0], $1) { UpdateOperation(token: $0, update: update) }
    }
  }

  /// Makes a tracker of live rows whose streams begin with the current value.
  ///
  /// ```swift
  /// let unread = DisplayTracker<Chat.ID, Int>(updates: { database.unread(in: $0.row) })
  /// ```
  ///
  /// The first element of a stream is the load of its row: it needs a slot, and
  /// `configuration.timeout` covers it. A displayed row then goes on listening, in no slot; see
  /// ``init(configuration:update:updates:)``. A prefetched row takes the first element alone.
  ///
  /// A displayed row that waits for its first element gives its slot back after a time: twice the
  /// median load time and at least 100 milliseconds, or half a second while that is unknown.
  ///
  /// **Errors**: a stream that fails before its first element is a failed load. One that ends
  /// before it fails with `OperationError.Code.endedWithoutValue`.
  ///
  /// - Parameters:
  ///   - configuration: The settings of the tracker.
  ///   - updates: Returns the values of a row, the current one first. Runs off the main actor.
  @inlinable
  public convenience init<Updates: AsyncSequence & Sendable>(
    configuration: TrackerConfiguration<Row, Value> = .init(),
    updates: @escaping @Sendable (UpdateContext<Row, Value>) async throws -> Updates
  ) where Updates.Element == Value {
    let live = LiveUpdates(isLoad: true, updates)
    let store = TrackerStore(configuration, live: live)
    self.init(store) {
      store.makeUpdate(of: $0[0], $1) { token in
        UpdateOperation(token: token) { try await live.first($0) }
      }
    }
  }
}
