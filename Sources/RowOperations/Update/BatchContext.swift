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

  /// The rows to load, each once: the most urgent one, then the others in the order of their
  /// claims.
  ///
  /// It does not change while the batch runs. Values of rows that have left meanwhile are kept.
  public var rows: [Row] { context.row }

  /// Why the batch loads at this moment: the strongest claim of its rows.
  ///
  /// It changes while the batch runs. The fetches of the context follow it by themselves.
  ///
  /// **Threading**: any thread. **Cost**: O(1).
  public var claim: RowClaim { context.claim }

  /// Makes a context without an operation, for a test of a closure that loads batches.
  ///
  /// Such a context follows the cancellation of the current task.
  ///
  /// - Parameters:
  ///   - rows: The rows to load.
  ///   - claim: Why they load.
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
    /// Runs one step of the batch, unless the batch was cancelled.
    ///
    /// It checks for cancellation before and after the step.
    ///
    /// **Threading**: `body` runs in the caller's isolation. **Errors**: an error of `body` passes
    /// through untouched.
    ///
    /// - Parameters:
    ///   - stage: The step's name.
    ///   - isolation: The caller's isolation; leave it out.
    ///   - body: The step.
    /// - Throws: `CancellationError` if the batch was cancelled; any error of `body`.
    public func stage<T>(
      _ stage: UpdateStage, isolation: isolated (any Actor)? = #isolation,
      _ body: () async throws -> T
    ) async throws -> T {
      try await context.stage(stage, isolation: isolation, body)
    }
  #endif

  /// Throws `CancellationError` if the batch was cancelled, since its last row has left.
  ///
  /// Call it inside a long step.
  ///
  /// O(1).
  public func checkCancellation() throws { try context.checkCancellation() }

  /// Loads a URL's data over HTTP, as the stage ``UpdateStage/fetch``.
  ///
  /// See the fetch of a `URLRequest` for details.
  ///
  /// - Parameters:
  ///   - url: A URL with `http` or `https`.
  ///   - session: The session that makes the request.
  ///   - limit: The largest size of the decoded body, in bytes.
  /// - Returns: The decoded body.
  public func fetch(
    _ url: URL, from session: URLSession = .shared, limit: Int = URLSession.defaultFetchLimit
  ) async throws -> Data {
    try await context.fetch(url, from: session, limit: limit)
  }

  /// Loads a request's data over HTTP, as the stage ``UpdateStage/fetch``.
  ///
  /// It works as `fetch` of ``UpdateContext``: the priority of the request follows ``claim``, and
  /// while bytes arrive the progress of each of the rows rises.
  ///
  /// **Threading**: any thread; no thread blocks while it waits.
  ///
  /// **Cancellation**: a cancel ends the request and throws `CancellationError` at once.
  ///
  /// **Errors**: an `HTTPStatusError` for a status other than 2xx; an `OperationError` with the
  /// code `tooLarge` for a body over the limit; otherwise the system's `URLError`.
  ///
  /// - Parameters:
  ///   - request: A request with a URL of `http` or `https`.
  ///   - session: The session that makes the request.
  ///   - limit: The largest size of the decoded body, in bytes.
  /// - Returns: The decoded body.
  public func fetch(
    _ request: URLRequest, from session: URLSession = .shared,
    limit: Int = URLSession.defaultFetchLimit
  ) async throws -> Data {
    try await context.fetch(request, from: session, limit: limit)
  }

  /// Loads a request over HTTP, whatever its status, as the stage ``UpdateStage/fetch``.
  ///
  /// It works as `response` of ``UpdateContext``.
  ///
  /// - Parameters:
  ///   - request: A request with a URL of `http` or `https`.
  ///   - session: The session that makes the request.
  ///   - limit: The largest size of the decoded body, in bytes.
  /// - Returns: The decoded body, and the response after redirects.
  public func response(
    for request: URLRequest, from session: URLSession = .shared,
    limit: Int = URLSession.defaultFetchLimit
  ) async throws -> (Data, HTTPURLResponse) {
    try await context.response(for: request, from: session, limit: limit)
  }
}

/// The operation of a batch without the type of its answer, since a batch shows no value before its
/// end.
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
