/// Decides when the next page loads; it knows neither rows nor requests.
///
/// Pages load one at a time, each after the one before.
struct PageSequence: Hashable, Sendable {
  /// Handed back with the answer.
  struct Request: Hashable, Sendable {
    /// The list begins with this page.
    let isFirst: Bool
    /// The page replaces all rows.
    let isRestart: Bool
    /// Identifies a late answer.
    fileprivate let number: Int
  }

  enum State: Hashable, Sendable {
    /// A page is left, and nothing loads it.
    case idle(isFirst: Bool)
    case loading(Request)
    case failed(Request, Wait)
    case atEnd
  }

  /// What a failed page waits for before it loads.
  enum Wait: Hashable, Sendable {
    case none
    /// The network returns, or the list leaves its end.
    case change
    /// The list leaves its end.
    case leaving
    /// The server's wait ends.
    case server
  }

  private static let (longestWait, mostRefusals) = (Duration.seconds(60), 3)

  struct Report: Hashable, Sendable {
    let shown: Range<Int>
    let count: Int
    /// The number of rows on it.
    let screen: Int
  }

  private(set) var state: State
  private let edge: Pagination.Edge
  private let margin: Int?
  /// `nil` once a page has arrived since.
  private var newest: Report?
  /// The report that the last page followed, until the list moves.
  ///
  /// After a page without rows, the next waits for a move.
  private var followed: Report?
  private var requests = 0
  /// In a row.
  private var refusals = 0
  /// The network has returned since this request.
  private var outdated: Request?

  /// - Parameters:
  ///   - margin: As in ``Pagination``.
  ///   - hasRows: Whether the list begins with rows.
  init(at edge: Pagination.Edge = .end, margin: Int? = nil, hasRows: Bool = false) {
    state = .idle(isFirst: !hasRows)
    (self.edge, self.margin) = (edge, margin.map { max($0, 1) })
  }

  // MARK: The list

  mutating func listShows(_ report: Report) {
    newest = report
    if report != followed { followed = nil }
    guard !isNear(report), case .failed(let request, let wait) = state else { return }
    switch wait {
    case .change, .leaving: (state, refusals) = (.failed(request, .none), 0)
    case .none, .server: break
    }
  }

  mutating func next() -> Request? {
    switch state {
    case .idle(let isFirst):
      guard let newest, followed == nil, isNear(newest) else { return nil }
      followed = newest
      return begin(isFirst: isFirst)
    case .failed(let request, .none):
      guard isDue(request) else { return nil }
      followed = newest
      return begin(isFirst: request.isFirst, isRestart: request.isRestart)
    case .loading, .failed, .atEnd: return nil
    }
  }

  /// A failed restart replaces no rows that the user sees.
  private func isDue(_ failed: Request) -> Bool {
    if failed.isRestart { return newest?.count ?? 0 == 0 }
    return newest.map(isNear) ?? false
  }

  private func isNear(_ report: Report) -> Bool {
    guard report.count > 0 else { return true }
    guard !report.shown.isEmpty else { return false }
    let distance =
      switch edge {
      case .start: report.shown.lowerBound
      case .end: report.count - report.shown.upperBound
      }
    return distance < margin ?? 2 * report.screen
  }

  // MARK: Calls of the app

  mutating func restart() -> Request {
    (followed, refusals) = (nil, 0)
    return begin(isFirst: true, isRestart: true)
  }

  /// The page that failed.
  mutating func retry() -> Request? {
    guard case .failed(let request, _) = state else { return nil }
    refusals = 0
    return begin(isFirst: request.isFirst, isRestart: request.isRestart)
  }

  private mutating func begin(isFirst: Bool, isRestart: Bool = false) -> Request {
    requests += 1
    let request = Request(isFirst: isFirst, isRestart: isRestart, number: requests)
    state = .loading(request)
    return request
  }

  // MARK: Answers

  /// The app is about to take the rows of a page.
  ///
  /// - Returns: `false` for a repeat, and after a restart.
  mutating func arrives(_ request: Request) -> Bool {
    guard state == .loading(request) else { return false }
    // From before these rows.
    newest = nil
    refusals = 0
    return true
  }

  /// The app has taken the rows, unless it has restarted the list.
  mutating func arrived(_ request: Request, hasNext: Bool) {
    guard state == .loading(request) else { return }
    state = hasNext ? .idle(isFirst: false) : .atEnd
  }

  mutating func failed(_ request: Request, retryAfter: Duration? = nil) {
    guard state == .loading(request) else { return }
    if let retryAfter {
      refusals += 1
      let waits = retryAfter <= Self.longestWait && refusals < Self.mostRefusals
      state = .failed(request, waits ? .server : .leaving)
    } else {
      refusals = 0
      state = .failed(request, outdated == request ? .none : .change)
    }
  }

  // MARK: Heals

  mutating func networkReturned() {
    switch state {
    case .failed(let request, .change): state = .failed(request, .none)
    case .loading(let request): outdated = request
    case .idle, .failed, .atEnd: break
    }
  }

  mutating func serverWaited(for request: Request) {
    if state == .failed(request, .server) { state = .failed(request, .none) }
  }
}
