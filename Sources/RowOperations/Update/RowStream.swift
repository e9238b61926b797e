import Foundation

/// The stream of a row, without types, so that no call for an element is generic.
///
/// Its body is an operation in no queue, so it occupies no slot. It keeps the newest element.
final class RowStream: Sendable {
  private typealias Load = CheckedContinuation<AnyValue, any Error>

  private enum FirstElement {
    case unwanted
    case awaited(Load)
    case cancelled
  }

  private typealias Owner = (owner: any UpdateOwner, id: StreamID)

  // No change of it releases an element.
  private struct Guarded {
    /// Set before anything else.
    var operation: (any TrackedUpdate)?
    /// The newest element, until the owner takes it.
    var newest: AnyValue?
    /// The element that a load has taken, until the owner is known.
    var first: AnyValue?
    var load = FirstElement.unwanted
    var end: StreamNews.End?
    /// Whether the next news calls the owner.
    var isQuiet = true
    var owner: Owner?
    var isClosed = false

    mutating func takeLoad() -> Load? {
      guard case .awaited(let waiting) = load else { return nil }
      load = .unwanted
      return waiting
    }

    /// `nil` while the owner has yet to take earlier news.
    mutating func ownerToCall() -> Owner? {
      guard isQuiet, let owner else { return nil }
      isQuiet = false
      return owner
    }
  }

  private let guarded = Lock(Guarded())

  init<Row: Hashable & Sendable, Value: Sendable>(
    _ token: RowToken<Row>, claim: RowClaim = .displayed,
    _ body: @escaping LiveUpdates<Row, Value>.Body
  ) {
    let operation = UpdateOperation<Row, Value>(token: token) { [weak self] context in
      do {
        try await body(context) { self?.take(ValueBox($0)) }
        self?.end(.ended)
      } catch {
        self?.end(.failed(error))
      }
      throw CancellationError()
    }
    operation.tracked.claimChanged(to: claim, of: operation)
    guarded.withLock { $0.operation = operation }
  }

  deinit { operation?.cancel() }

  private var operation: (any TrackedUpdate)? { guarded.withLock { $0.operation } }

  func open(qualityOfService: QualityOfService) {
    operation?.qualityOfService = qualityOfService
    operation?.start()
  }

  // MARK: Elements

  func take(_ value: AnyValue) {
    // An older element is released outside the lock.
    var older: AnyValue? = value
    let (load, owner) = guarded.withLock { guarded -> (Load?, Owner?) in
      guard !guarded.isClosed else { return (nil, nil) }
      if let load = guarded.takeLoad() {
        guarded.first = value
        return (load, nil)
      }
      swap(&guarded.newest, &older)
      return (nil, guarded.ownerToCall())
    }
    load?.resume(returning: value)
    if let owner { owner.owner.receive(.stream(owner.id)) }
  }

  func end(_ end: StreamNews.End) {
    let (load, owner) = guarded.withLock { guarded -> (Load?, Owner?) in
      guard !guarded.isClosed, guarded.end == nil else { return (nil, nil) }
      guarded.end = end
      if let load = guarded.takeLoad() { return (load, nil) }
      return (nil, guarded.ownerToCall())
    }
    load?.resume(throwing: end.error)
    if let owner { owner.owner.receive(.stream(owner.id)) }
  }

  func takeNews() -> StreamNews {
    guarded.withLock { guarded in
      guarded.isQuiet = true
      return StreamNews(hasElement: guarded.newest != nil, end: guarded.end)
    }
  }

  func takeElement() -> AnyValue? {
    guarded.withLock { guarded in
      defer { guarded.newest = nil }
      return guarded.newest
    }
  }

  // MARK: A load

  /// Opens a stream for a load, which waits for its first element.
  ///
  /// The operation keeps the stream, for a row that listens afterwards.
  static func load<Row, Value>(
    _ context: UpdateContext<Row, Value>, _ body: @escaping LiveUpdates<Row, Value>.Body
  ) async throws -> Value {
    try await first(of: { context.host.tracked.keep($0) }, in: context, body)
  }

  /// - Parameter keep: Keeps the stream, which ends with its last reference.
  static func first<Row, Value>(
    of keep: (RowStream) -> Void, in context: UpdateContext<Row, Value>,
    _ body: @escaping LiveUpdates<Row, Value>.Body
  ) async throws -> Value {
    let stream = RowStream(context.token, claim: context.claim, body)
    keep(stream)
    stream.open(qualityOfService: context.host.tracked.qualityOfService)
    guard let value = ValueBox<Value>.value(in: try await stream.firstElement()) else {
      preconditionFailure("The elements of a row's stream are its values.")
    }
    return value
  }

  private func firstElement() async throws -> AnyValue {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { waiting in
        let result = guarded.withLock { guarded -> Result<AnyValue, any Error>? in
          // The row has taken the stream over with its elements.
          if guarded.owner != nil { return .failure(CancellationError()) }
          if let value = guarded.newest {
            (guarded.newest, guarded.first) = (nil, value)
            return .success(value)
          }
          if let end = guarded.end { return .failure(end.error) }
          if case .cancelled = guarded.load { return .failure(CancellationError()) }
          guarded.load = .awaited(waiting)
          return nil
        }
        if let result { waiting.resume(with: result) }
      }
    } onCancel: {
      let (waiting, hasOwner) = guarded.withLock { guarded in
        defer { guarded.load = .cancelled }
        return (guarded.takeLoad(), guarded.owner != nil)
      }
      waiting?.resume(throwing: CancellationError())
      // A row that listens keeps the stream.
      if !hasOwner { close() }
    }
  }

  // MARK: The owner

  /// Calls the owner for elements and for the end, at once if there are any.
  ///
  /// - Parameter owesFirst: Whether the row lacks the first element, which a load may have taken.
  func report(to owner: any UpdateOwner, as id: StreamID, owesFirst: Bool) {
    if let operation { operation.tracked.claimChanged(to: .displayed, of: operation) }
    // Released outside the lock.
    var first: AnyValue?
    let (waiting, hasNews) = guarded.withLock { guarded in
      guarded.owner = (owner, id)
      swap(&first, &guarded.first)
      // The load was cancelled with the element in its hands.
      if owesFirst, guarded.newest == nil { guarded.newest = first }
      let hasNews = guarded.newest != nil || guarded.end != nil
      guarded.isQuiet = !hasNews
      // The row goes on waiting without its load.
      return (guarded.takeLoad(), hasNews)
    }
    waiting?.resume(throwing: CancellationError())
    if hasNews { owner.receive(.stream(id)) }
  }

  func close() {
    // Elements are released outside the lock.
    var released: (newest: AnyValue?, first: AnyValue?)
    let operation = guarded.withLock { guarded in
      (guarded.isClosed, guarded.owner) = (true, nil)
      swap(&guarded.newest, &released.newest)
      swap(&guarded.first, &released.first)
      return guarded.operation
    }
    withExtendedLifetime(released) { operation?.cancel() }
  }
}

struct StreamNews: Sendable {
  enum End: Sendable {
    case ended
    case failed(any Error)

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

  var hasElement = false
  var end: End?
}
