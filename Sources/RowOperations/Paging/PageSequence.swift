/// Decides when the next page of a list loads, as a value.
///
/// One page loads at a time, and each follows the one before. It knows neither rows nor requests.
struct PageSequence: Hashable, Sendable {
  /// A page to load, to be handed back with the answer.
  struct Request: Hashable, Sendable {
    /// Whether the list begins with this page.
    let isFirst: Bool
    /// Tells this request from all others, so that a late answer is known.
    fileprivate let number: Int
  }

  enum State: Hashable, Sendable {
    /// There is another page, and nothing loads it.
    case idle(isFirst: Bool)
    case loading(Request)
    case failed(Request)
    /// There is no other page.
    case atEnd
  }

  /// The part of a list that is on screen.
  package struct Report: Hashable, Sendable {
    package let shown: Range<Int>
    package let count: Int
    /// The number of rows on a screen.
    let screen: Int

    init(shown: Range<Int>, count: Int, screen: Int) {
      (self.shown, self.count, self.screen) = (shown, count, screen)
    }
  }

  private(set) var state: State
  private let edge: Pagination.Edge
  private let margin: Int?
  /// The newest report, unless a page has arrived since.
  private var newest: Report?
  /// The report that the last page followed, until the list moves.
  ///
  /// A page without rows changes nothing on screen. The next one waits until the list moves.
  private var followed: Report?
  private var requests = 0

  /// - Parameters:
  ///   - margin: A page loads while fewer rows are between the screen and the edge, at least 1;
  ///     `nil` for two screens.
  ///   - hasRows: Whether the list begins with rows, which the next page follows.
  init(at edge: Pagination.Edge = .end, margin: Int? = nil, hasRows: Bool = false) {
    state = .idle(isFirst: !hasRows)
    (self.edge, self.margin) = (edge, margin.map { max($0, 1) })
  }

  // MARK: The list

  mutating func listShows(_ report: Report) {
    newest = report
    if report != followed { followed = nil }
  }

  /// Returns the page to load now, if there is one.
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

  /// Begins anew with the first page.
  mutating func restart() -> Request {
    followed = nil
    return begin(isFirst: true)
  }

  /// Returns the page that failed, to load it again.
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

  /// A page is there, and the app is about to take its rows.
  ///
  /// - Returns: Whether the page belongs to the list: `false` after a restart, and for a repeat.
  mutating func arrives(_ request: Request) -> Bool {
    guard state == .loading(request) else { return false }
    // The report is from before these rows.
    newest = nil
    return true
  }

  /// The app has taken the rows of a page, unless it has restarted the list meanwhile.
  mutating func arrived(_ request: Request, hasNext: Bool) {
    guard state == .loading(request) else { return }
    state = hasNext ? .idle(isFirst: false) : .atEnd
  }

  package mutating func failed(_ request: Request) {
    if state == .loading(request) { state = .failed(request) }
  }
}
