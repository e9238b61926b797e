/// How a tracker opens the streams of live rows.
@usableFromInline
struct LiveUpdates<Row: Hashable & Sendable, Value: Sendable>: Sendable {
  typealias Body =
    @Sendable (UpdateContext<Row, Value>, _ take: (Value) -> Void) async throws -> Void

  let isLoad: Bool
  let open: Body

  @usableFromInline
  init<Updates: AsyncSequence & Sendable>(
    isLoad: Bool,
    _ updates: @escaping @Sendable (UpdateContext<Row, Value>) async throws -> Updates
  ) where Updates.Element == Value {
    self.isLoad = isLoad
    open = { context, take in
      for try await value in try await updates(context) { take(value) }
    }
  }

  /// Loads the first element of a stream.
  @usableFromInline
  func first(_ context: UpdateContext<Row, Value>) async throws -> Value {
    try await RowStream.load(context, open)
  }
}
