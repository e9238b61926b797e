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

  /// The rows to load, each once: the most urgent one, then others in the order of claims.
  ///
  /// It does not change while the batch runs. Values of rows that have left meanwhile are kept.
  public var rows: [Row] { context.row }

  /// Why the batch loads at this moment: the strongest claim of its rows.
  ///
  /// As ``UpdateContext/claim``, it may change while the batch runs.
  public var claim: RowClaim { context.claim }

  /// Makes a context without an operation, for a test of a closure that loads batches.
  ///
  /// Such a context follows the cancellation of the current task.
  public init(rows: [Row], claim: RowClaim = .displayed) {
    context = UpdateContext(token: RowToken(row: rows, generation: 0), claim: claim)
  }

  /// A batch shows no value before its end.
  init<Value>(_ context: UpdateContext<[Row], [Row: Value]>) {
    self.context = UpdateContext(context.host)
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
    /// As `stage` of ``UpdateContext``.
    public func stage<T>(
      _ stage: UpdateStage, isolation: isolated (any Actor)? = #isolation,
      _ body: () async throws -> T
    ) async throws -> T {
      try await context.stage(stage, isolation: isolation, body)
    }
  #endif

  /// Throws `CancellationError` if the batch was cancelled; O(1).
  public func checkCancellation() throws { try context.checkCancellation() }

  /// Loads a URL's data over HTTP, as the stage ``UpdateStage/fetch``.
  ///
  /// It works as `fetch` of ``UpdateContext``.
  public func fetch(
    _ url: URL, from session: URLSession = .shared, limit: Int = URLSession.defaultFetchLimit
  ) async throws -> Data {
    try await context.fetch(url, from: session, limit: limit)
  }

  /// Loads a request's data over HTTP, as the stage ``UpdateStage/fetch``.
  ///
  /// It works as `fetch` of ``UpdateContext``, with the same errors. The progress of each of the
  /// rows rises while bytes arrive.
  public func fetch(
    _ request: URLRequest, from session: URLSession = .shared,
    limit: Int = URLSession.defaultFetchLimit
  ) async throws -> Data {
    try await context.fetch(request, from: session, limit: limit)
  }

  /// Loads a request over HTTP, whatever its status, as the stage ``UpdateStage/fetch``.
  ///
  /// It works as `response` of ``UpdateContext``.
  public func response(
    for request: URLRequest, from session: URLSession = .shared,
    limit: Int = URLSession.defaultFetchLimit
  ) async throws -> (Data, HTTPURLResponse) {
    try await context.response(for: request, from: session, limit: limit)
  }
}
