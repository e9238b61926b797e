import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The rows of one request, with calls to stop early.
///
/// ```swift
/// let people = DisplayTracker<Person.ID, Person>(batchesOf: 50) { batch in
///   try await api.people(batch.rows)
/// }
/// ```
///
/// **Threading**: any thread; stages of one batch run one after the other or one inside another.
public struct BatchContext<Row: Hashable & Sendable>: Sendable {
  package let context: UpdateContext<[Row], Never>

  /// The rows to load, each once, the most urgent first.
  ///
  /// The others follow in the order of their claims. The rows do not change while the batch runs.
  /// Values of rows that have left meanwhile are kept.
  public var rows: [Row] { context.row }

  /// Why the batch loads at this moment: the strongest claim of its rows.
  ///
  /// It changes while the batch runs. The fetches of the context follow it by themselves.
  ///
  /// **Threading**: any thread. **Cost**: O(1).
  public var claim: RowClaim { context.claim }

  /// Makes a context without an operation, for a test of a closure that loads batches.
  ///
  /// It follows the cancellation of the current task.
  public init(rows: [Row], claim: RowClaim = .displayed) {
    context = UpdateContext(token: RowToken(row: rows, generation: 0), claim: claim)
  }

  init<Value>(_ context: UpdateContext<[Row], [Row: Value]>) {
    self.context = UpdateContext(BatchHost(context.host))
  }

  #if canImport(Darwin) && !canImport(_Concurrency, _version: 6.0)
    /// Runs one step, for SDKs older than Swift 6, which cannot name the caller's isolation.
    public func stage<T>(
      _ stage: UpdateStage, _ body: () async throws -> T
    ) async throws -> T {
      try await context.stage(stage, body)
    }
  #else
    /// Runs one step of the batch, and checks for cancellation before and after it.
    ///
    /// **Threading**: `body` runs in the caller's isolation. **Errors**: `CancellationError` if the
    /// batch was cancelled; an error of `body`, untouched.
    ///
    /// - Parameter isolation: The caller's isolation; leave it out.
    public func stage<T>(
      _ stage: UpdateStage, isolation: isolated (any Actor)? = #isolation,
      _ body: () async throws -> T
    ) async throws -> T {
      try await context.stage(stage, isolation: isolation, body)
    }
  #endif

  /// Throws `CancellationError` if the batch was cancelled, since its last row has left.
  ///
  /// Call it inside a long step. O(1).
  public func checkCancellation() throws { try context.checkCancellation() }

  /// Loads a URL's data over HTTP, as the stage ``UpdateStage/fetch``.
  ///
  /// See the fetch of a `URLRequest` for details.
  ///
  /// - Parameter limit: The largest size of the decoded body, in bytes.
  public func fetch(
    _ url: URL, from session: URLSession = .shared, limit: Int = URLSession.defaultFetchLimit
  ) async throws -> Data {
    try await context.fetch(url, from: session, limit: limit)
  }

  /// Loads a request's data over HTTP, as the stage ``UpdateStage/fetch``.
  ///
  /// It works as `fetch` of ``UpdateContext``. The priority of the request follows ``claim``, and
  /// the progress of each row rises while bytes arrive.
  ///
  /// Threading, cancellation and errors are the same.
  ///
  /// - Parameter limit: The largest size of the decoded body, in bytes.
  public func fetch(
    _ request: URLRequest, from session: URLSession = .shared,
    limit: Int = URLSession.defaultFetchLimit
  ) async throws -> Data {
    try await context.fetch(request, from: session, limit: limit)
  }

  /// Loads a request over HTTP, as `response` of ``UpdateContext`` does, in the stage
  /// ``UpdateStage/fetch``.
  public func response(
    for request: URLRequest, from session: URLSession = .shared,
    limit: Int = URLSession.defaultFetchLimit
  ) async throws -> (Data, HTTPURLResponse) {
    try await context.response(for: request, from: session, limit: limit)
  }
}

/// A batch without the type of its answer, since it shows no value before its end.
private final class BatchHost<Row: Hashable & Sendable, Answer: Sendable>: UpdateHost {
  private let host: any UpdateHost<[Row], Answer>

  init(_ host: any UpdateHost<[Row], Answer>) { self.host = host }

  var token: RowToken<[Row]> { host.token }

  var isToStop: Bool { host.isToStop }

  var claim: RowClaim { host.claim }

  var operation: AsyncOperation? { host.operation }

  func withStages<Output>(_ body: (inout StageLog) -> Output) -> Output { host.withStages(body) }

  func observeClaim(_ changed: @escaping @Sendable () -> Void) -> Int { host.observeClaim(changed) }

  func endObserving(_ observer: Int) { host.endObserving(observer) }

  func post(value: Never?, progress: Double?) { host.post(value: nil, progress: progress) }
}
