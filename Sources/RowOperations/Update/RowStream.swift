import Foundation

/// A row's stream without its types, for a tracker's core.
///
/// Nothing that the core calls for each element is generic.
@usableFromInline
// Sendable: all mutable state is read and written under the lock.
class LiveStream: @unchecked Sendable {
  struct Guarded {
    var hasElement = false
    var end: StreamNews.End?
    /// Whether the next news calls the owner.
    var isQuiet = true
    var owner: (owner: any StreamOwner, id: StreamID)?
    var isClosed = false

    /// `nil` while the owner has yet to take earlier news.
    mutating func news() -> (owner: any StreamOwner, id: StreamID)? {
      guard isQuiet, let owner else { return nil }
      isQuiet = false
      return owner
    }
  }

  private let guarded = Lock(Guarded())

  @usableFromInline
  init() {}

  final func withLock<Output>(_ body: (inout Guarded) -> Output) -> Output {
    guarded.withLock(body)
  }

  @usableFromInline
  final func takeElement(_ body: () -> Void) {
    guarded.withLock { guarded in
      guarded.hasElement = false
      body()
    }
  }

  final func takeNews() -> StreamNews {
    guarded.withLock { guarded in
      guarded.isQuiet = true
      return StreamNews(hasElement: guarded.hasElement, end: guarded.end)
    }
  }

  /// Calls the owner for elements and for the end, at once if there are any.
  ///
  /// - Parameter owesFirst: Whether the row lacks the first element, which a load may have taken.
  func report(to owner: any StreamOwner, as id: StreamID, owesFirst: Bool) {}

  func close() {}
}

@usableFromInline
protocol StreamOwner: AnyObject, Sendable {
  /// On any thread, and not again before the owner has taken the news.
  func streamHasNews(_ id: StreamID)
}

struct StreamNews: Sendable {
  enum End: Sendable {
    case ended
    case failed(any Error)
  }

  var hasElement = false
  var end: End?
}

/// Its body is an operation in no queue, so it occupies no slot.
///
/// It keeps the newest element.
@usableFromInline
// Sendable: all mutable state is read and written under the lock of the base class.
final class RowStream<Row: Hashable & Sendable, Value: Sendable>: LiveStream, @unchecked Sendable {
  @usableFromInline typealias Body =
    @Sendable (UpdateContext<Row, Value>, _ take: (Value) -> Void) async throws -> Void

  private enum FirstElement {
    case unwanted
    case awaited(CheckedContinuation<Value, any Error>)
    case cancelled
  }

  // Changed under the lock alone, and no change releases an element.
  @usableFromInline var newest: Value?
  /// The element that a load has taken, until the owner is known.
  private var first: Value?
  private var load = FirstElement.unwanted
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
    super.init()
    operation.claimChanged(to: claim)
    link.stream = self
  }

  deinit { operation.cancel() }

  @usableFromInline
  func open(qualityOfService: QualityOfService) {
    operation.qualityOfService = qualityOfService
    operation.start()
  }

  // MARK: Elements

  private enum Step {
    case none
    case load(CheckedContinuation<Value, any Error>)
    case call(any StreamOwner, StreamID)

    init(_ call: (owner: any StreamOwner, id: StreamID)?) {
      if let call { self = .call(call.owner, call.id) } else { self = .none }
    }
  }

  private func takeLoad() -> CheckedContinuation<Value, any Error>? {
    guard case .awaited(let waiting) = load else { return nil }
    load = .unwanted
    return waiting
  }

  func take(_ value: Value) {
    // An older element is released outside the lock.
    var older: Value? = value
    let step = withLock { guarded -> Step in
      guard !guarded.isClosed else { return .none }
      if let load = takeLoad() {
        first = value
        return .load(load)
      }
      swap(&newest, &older)
      guarded.hasElement = true
      return Step(guarded.news())
    }
    switch step {
    case .load(let load): load.resume(returning: value)
    case .call(let owner, let id): owner.streamHasNews(id)
    case .none: break
    }
  }

  func end(_ end: StreamNews.End) {
    let step = withLock { guarded -> Step in
      guard !guarded.isClosed, guarded.end == nil else { return .none }
      guarded.end = end
      if let load = takeLoad() { return .load(load) }
      return Step(guarded.news())
    }
    switch step {
    case .load(let load): load.resume(throwing: end.error)
    case .call(let owner, let id): owner.streamHasNews(id)
    case .none: break
    }
  }

  @inlinable
  func takeElement() -> Value? {
    var taken: Value?
    takeElement { swap(&newest, &taken) }
    return taken
  }

  // MARK: A load

  /// Opens a stream for a load, which waits for its first element.
  ///
  /// The operation keeps the stream, for a row that listens afterwards.
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
    return try await stream.firstElement()
  }

  private func firstElement() async throws -> Value {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { waiting in
        let result = withLock { guarded -> Result<Value, any Error>? in
          // The row has taken the stream over with its elements.
          if guarded.owner != nil { return .failure(CancellationError()) }
          if let value = newest {
            (newest, first, guarded.hasElement) = (nil, value, false)
            return .success(value)
          }
          if let end = guarded.end { return .failure(end.error) }
          if case .cancelled = load { return .failure(CancellationError()) }
          load = .awaited(waiting)
          return nil
        }
        if let result { waiting.resume(with: result) }
      }
    } onCancel: {
      let waiting = withLock { _ in
        defer { load = .cancelled }
        return takeLoad()
      }
      waiting?.resume(throwing: CancellationError())
      // A row that listens keeps the stream.
      if withLock({ $0.owner == nil }) { close() }
    }
  }

  // MARK: The owner

  override func report(to owner: any StreamOwner, as id: StreamID, owesFirst: Bool) {
    operation.claimChanged(to: .displayed)
    let (waiting, hasNews) = withLock { guarded in
      guarded.owner = (owner, id)
      // The load was cancelled with the element in its hands.
      if owesFirst, newest == nil, first != nil { (newest, guarded.hasElement) = (first, true) }
      first = nil
      let hasNews = guarded.hasElement || guarded.end != nil
      guarded.isQuiet = !hasNews
      // The row goes on waiting without its load.
      return (takeLoad(), hasNews)
    }
    waiting?.resume(throwing: CancellationError())
    if hasNews { owner.streamHasNews(id) }
  }

  override func close() {
    // Elements are released outside the lock.
    var released: (newest: Value?, first: Value?)
    withLock { guarded in
      (guarded.isClosed, guarded.owner, guarded.hasElement) = (true, nil, false)
      swap(&newest, &released.newest)
      swap(&first, &released.first)
    }
    withExtendedLifetime(released) { operation.cancel() }
  }
}

extension StreamNews.End {
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

// Sendable: the reference is set before the body starts.
private final class Link<Row: Hashable & Sendable, Value: Sendable>: @unchecked Sendable {
  weak var stream: RowStream<Row, Value>?
}
