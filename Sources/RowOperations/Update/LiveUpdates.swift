@frozen
@usableFromInline
struct LiveUpdates<Row: Hashable & Sendable, Value: Sendable>: Sendable {
  /// Whether the first element of a stream is the load of its row.
  @usableFromInline let isLoad: Bool
  @usableFromInline let open: RowStream<Row, Value>.Body

  @inlinable
  init<Updates: AsyncSequence & Sendable>(
    isLoad: Bool,
    _ updates: @escaping @Sendable (UpdateContext<Row, Value>) async throws -> Updates
  ) where Updates.Element == Value {
    self.isLoad = isLoad
    open = { context, take in
      try await Self.pass(try await updates(context), to: take)
    }
  }

  @inlinable
  static func pass<Updates: AsyncSequence & Sendable>(
    _ updates: Updates, to take: (Value) -> Void
  ) async throws where Updates.Element == Value {
    for try await value in updates { take(value) }
  }
}
