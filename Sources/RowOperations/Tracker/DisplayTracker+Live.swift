extension DisplayTracker {
  /// Makes a tracker of live rows: a closure loads a row, and a stream updates it while it is on
  /// screen.
  ///
  /// ```swift
  /// let quotes = DisplayTracker<Stock.ID, Quote>(
  ///   update: { try await api.quote(of: $0.row) }, updates: { socket.quotes(of: $0.row) })
  /// ```
  ///
  /// A displayed row listens to its stream, in no slot: from the start of its load, or when it
  /// comes on screen with a value. The newest of its elements is shown, at most once in
  /// `configuration.liveInterval`. An element that comes before the load has ended takes its place.
  /// Prefetched rows are loaded and do not listen. See <doc:LiveRows>.
  ///
  /// **Cancellation**: the stream's task is cancelled once the row is removed or has been off
  /// screen for `configuration.grace`, and when the tracker is suspended. A stream that ignores it
  /// is no longer heard.
  ///
  /// **Errors**: a stream that fails opens again after 1 to 30 seconds, and the row keeps its value
  /// meanwhile, as ``RowPhase/waiting(previous:error:)``. With ``RetryPolicy/never``, or if
  /// `shouldRetry` refuses the error, the row fails until its next display. A stream that ends
  /// without an error opens again at the row's next display.
  ///
  /// **Threading**: both closures run off the main actor.
  ///
  /// - Parameter updates: Returns the newer values of a row. Its context is cancelled with the
  ///   stream, and its `show` and progress have no effect.
  @inlinable
  public convenience init<Updates: AsyncSequence & Sendable>(
    configuration: TrackerConfiguration<Row, Value> = .init(),
    update: @escaping @Sendable (UpdateContext<Row, Value>) async throws -> Value,
    updates: @escaping @Sendable (UpdateContext<Row, Value>) async throws -> Updates
  ) where Updates.Element == Value {
    self.init(
      TrackerStore(configuration, live: LiveUpdates(isLoad: false, updates)) {
        UpdateOperation(token: $0, update: update)
      })
  }

  /// Makes a tracker of live rows whose streams begin with the current value.
  ///
  /// ```swift
  /// let unread = DisplayTracker<Chat.ID, Int>(updates: { database.unread(in: $0.row) })
  /// ```
  ///
  /// The first element of a stream is the load of its row: it needs a slot, ends the load, and
  /// `configuration.timeout` covers it. A displayed row then listens on in no slot; see
  /// ``init(configuration:update:updates:)``. A prefetched row takes the first element alone.
  ///
  /// A first element of a displayed row may take twice the median load time, 100 milliseconds at
  /// least, or half a second while that time is unknown. After that it gives its slot back, and the
  /// row goes on waiting.
  ///
  /// **Errors**: a stream that fails before its first element is a failed load. One that ends
  /// before it fails with `OperationError.Code.endedWithoutValue`.
  ///
  /// - Parameter updates: Called off the main actor.
  @inlinable
  public convenience init<Updates: AsyncSequence & Sendable>(
    configuration: TrackerConfiguration<Row, Value> = .init(),
    updates: @escaping @Sendable (UpdateContext<Row, Value>) async throws -> Updates
  ) where Updates.Element == Value {
    let live = LiveUpdates(isLoad: true, updates)
    self.init(
      TrackerStore(configuration, live: live) { token in
        UpdateOperation(token: token) { try await RowStream.load($0, live.open) }
      })
  }
}
