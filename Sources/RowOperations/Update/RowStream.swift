import Foundation

/// A row's stream without the types of its row and its values, for a tracker's core.
@usableFromInline
package protocol LiveStream: AnyObject, Sendable {
  /// Sets the owner to call for elements and for the end, at once if there are any.
  ///
  /// - Parameter owesFirst: Whether the row still lacks the first element, although a load may have
  ///   taken it.
  func report(to owner: any StreamOwner, as id: StreamID, owesFirst: Bool)
  /// Takes what is new: whether there is a newer element, and the end.
  func takeNews() -> StreamNews
  /// Ends the stream; what it has counts no longer.
  func close()
}

/// Receives the news of streams.
@usableFromInline
package protocol StreamOwner: AnyObject, Sendable {
  /// Called from any thread when a stream has a newer element or has ended.
  ///
  /// Not called again before the owner has taken the news.
  func streamHasNews(_ id: StreamID)
}

/// What a stream has had since the last look.
@usableFromInline
package struct StreamNews: Sendable {
  enum End: Sendable {
    case ended
    case failed(any Error)
  }

  var hasElement = false
  var end: End?
}

/// A stream of a row's values, from its opening to its end.
///
/// Its body is an operation in no queue, so that it occupies no slot. Of several elements it keeps
/// the newest.
@usableFromInline
final class RowStream<Row: Hashable & Sendable, Value: Sendable>: LiveStream {
  /// Opens the app's sequence, and passes each element on until its end.
  @usableFromInline typealias Body =
    @Sendable (UpdateContext<Row, Value>, _ take: (Value) -> Void) async throws -> Void

  private struct State {
    var newest: Value?
    var end: StreamNews.End?
    /// Whether the owner has to be called for the next news.
    var isQuiet = true
    var owner: (owner: any StreamOwner, id: StreamID)?
    var isClosed = false
    /// Whether a load waits for the first element.
    var load: FirstElement = .unwanted
    /// The element that a load has taken, until the owner is known.
    var first: Value?

    /// The call for news, unless the owner has yet to take earlier ones.
    mutating func news() -> Step {
      guard isQuiet, let owner else { return .none }
      isQuiet = false
      return .call(owner.owner, owner.id)
    }
  }

  private enum FirstElement {
    case unwanted
    case awaited(CheckedContinuation<Value, any Error>)
    case cancelled
  }

  private let state = Lock(State())
  private let operation: UpdateOperation<Row, Value>

  @usableFromInline
  init(_ token: RowToken<Row>, claim: RowClaim = .displayed, _ body: @escaping Body) {
    let link = Link<Row, Value>()
    operation = UpdateOperation(token: token) { context in
      do {
        try await body(context) { link.stream?.take($0) }
        link.stream?.end(.ended)
      } catch {
        link.stream?.end(.failed(error))
      }
      throw CancellationError()
    }
    operation.claimChanged(to: claim)
    link.stream = self
  }

  deinit { operation.cancel() }

  /// Starts the body, once.
  @usableFromInline
  func open(qualityOfService: QualityOfService) {
    operation.qualityOfService = qualityOfService
    operation.start()
  }

  // MARK: Elements

  func take(_ value: Value) {
    // An older element is released outside the lock.
    var value: Value? = value
    let step = state.withLock { state -> Step in
      guard !state.isClosed else { return .none }
      if case .awaited(let load) = state.load {
        state.load = .unwanted
        state.first = value
        return .load(load)
      }
      swap(&state.newest, &value)
      return state.news()
    }
    switch step {
    case .load(let load): if let value { load.resume(returning: value) }
    case .call(let owner, let id): owner.streamHasNews(id)
    case .none: break
    }
  }

  func end(_ end: StreamNews.End) {
    let step = state.withLock { state -> Step in
      guard !state.isClosed, state.end == nil else { return .none }
      state.end = end
      if case .awaited(let load) = state.load {
        state.load = .unwanted
        return .load(load)
      }
      return state.news()
    }
    switch step {
    case .load(let load): load.resume(throwing: end.error)
    case .call(let owner, let id): owner.streamHasNews(id)
    case .none: break
    }
  }

  private enum Step {
    case none
    case load(CheckedContinuation<Value, any Error>)
    case call(any StreamOwner, StreamID)
  }

  // MARK: A load

  /// Opens a stream for a load, and waits for its first element.
  ///
  /// The operation of the load keeps the stream, for a row that listens afterwards.
  @usableFromInline
  static func load(
    _ context: UpdateContext<Row, Value>, _ body: @escaping Body
  ) async throws -> Value {
    let load = context.host as? UpdateOperation<Row, Value>
    return try await first(of: { load?.body.keep($0) }, in: context, body)
  }

  /// - Parameter keep: Keeps the stream, which ends with its last reference.
  static func first(
    of keep: (RowStream) -> Void, in context: UpdateContext<Row, Value>, _ body: @escaping Body
  ) async throws -> Value {
    let stream = RowStream(context.token, claim: context.claim, body)
    keep(stream)
    let load = context.host as? UpdateOperation<Row, Value>
    stream.open(qualityOfService: load?.body.qualityOfService ?? .default)
    return try await stream.first()
  }

  private func first() async throws -> Value {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { load in
        let result = state.withLock { state -> Result<Value, any Error>? in
          if let value = state.newest {
            (state.newest, state.first) = (nil, value)
            return .success(value)
          }
          if let end = state.end { return .failure(end.error) }
          if case .cancelled = state.load { return .failure(CancellationError()) }
          state.load = .awaited(load)
          return nil
        }
        if let result { load.resume(with: result) }
      }
    } onCancel: {
      let load = state.withLock { state -> CheckedContinuation<Value, any Error>? in
        defer { state.load = .cancelled }
        guard case .awaited(let load) = state.load else { return nil }
        return load
      }
      load?.resume(throwing: CancellationError())
      closeUnlessOwned()
    }
  }

  // MARK: The owner

  @usableFromInline
  func report(to owner: any StreamOwner, as id: StreamID, owesFirst: Bool) {
    operation.claimChanged(to: .displayed)
    let load = state.withLock { state -> (CheckedContinuation<Value, any Error>?, Bool) in
      state.owner = (owner, id)
      // The load was cancelled with the element in its hands.
      if owesFirst, state.newest == nil { state.newest = state.first }
      state.first = nil
      let hasNews = state.newest != nil || state.end != nil
      state.isQuiet = !hasNews
      guard case .awaited(let load) = state.load else { return (nil, hasNews) }
      // The row goes on waiting without its load.
      state.load = .unwanted
      return (load, hasNews)
    }
    load.0?.resume(throwing: CancellationError())
    if load.1 { owner.streamHasNews(id) }
  }

  @usableFromInline
  func takeNews() -> StreamNews {
    state.withLock { state in
      state.isQuiet = true
      return StreamNews(hasElement: state.newest != nil, end: state.end)
    }
  }

  /// Takes the newest element.
  @usableFromInline
  func takeElement() -> Value? {
    state.withLock { state in
      defer { state.newest = nil }
      return state.newest
    }
  }

  @usableFromInline
  func close() {
    let value = state.withLock { state -> Value? in
      defer { (state.newest, state.first) = (nil, nil) }
      (state.isClosed, state.owner) = (true, nil)
      return state.newest ?? state.first
    }
    withExtendedLifetime(value) { operation.cancel() }
  }

  /// Ends a stream to which no row listens.
  private func closeUnlessOwned() {
    if state.withLock({ $0.owner == nil }) { close() }
  }
}

extension StreamNews.End {
  /// The error of a load whose stream has no element.
  var error: any Error {
    switch self {
    case .ended:
      OperationError(
        code: .endedWithoutValue,
        description: """
          The row's stream of updates ended before its first element. Return a sequence with at \
          least one element, or pass an update closure for the first value.
          """)
    case .failed(let error): error
    }
  }
}

/// Refers to a stream from its own body.
// Sendable: the reference is set before the body starts.
private final class Link<Row: Hashable & Sendable, Value: Sendable>: @unchecked Sendable {
  weak var stream: RowStream<Row, Value>?
}
