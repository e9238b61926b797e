/// Decides when the next page loads; it knows neither rows nor requests.
///
/// Pages load one at a time, each after the one before.
struct PageSequence: Hashable, Sendable {
  /// Handed back with the answer.
  struct Request: Hashable, Sendable {
    /// The list begins with this page.
    let isFirst: Bool
    /// Identifies a late answer.
    fileprivate let number: Int
  }

  enum State: Hashable, Sendable {
    /// A page is left, and nothing loads it.
    case idle(isFirst: Bool)
    case loading(Request)
    case failed(Request)
    case atEnd
  }

  package struct Report: Hashable, Sendable {
    package let shown: Range<Int>
    package let count: Int
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
  /// A page without rows changes nothing on screen, so the next waits for a move.
  private var followed: Report?
  private var requests = 0

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
  }

  package mutating func next() -> Request? {
    guard case .idle(let isFirst) = state, let newest, followed == nil, isNear(newest) else {
      return nil
    }
    followed = newest
    return begin(isFirst: isFirst)
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
    followed = nil
    return begin(isFirst: true)
  }

  /// The page that failed.
  package mutating func retry() -> Request? {
    guard case .failed(let request) = state else { return nil }
    return begin(isFirst: request.isFirst)
  }

  private mutating func begin(isFirst: Bool) -> Request {
    requests += 1
    let request = Request(isFirst: isFirst, number: requests)
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
    return true
  }

  /// The app has taken the rows, unless it has restarted the list.
  mutating func arrived(_ request: Request, hasNext: Bool) {
    guard state == .loading(request) else { return }
    state = hasNext ? .idle(isFirst: false) : .atEnd
  }

  package mutating func failed(_ request: Request) {
    if state == .loading(request) { state = .failed(request) }
  }
}
