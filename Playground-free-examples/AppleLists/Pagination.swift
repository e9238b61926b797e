/// The pages of a list that goes on: the next one to load, and the state of the list's end.
///
/// ```swift
/// var pages = Pagination<String>()
/// if let request = pages.rowAppeared(at: path.row, of: ids.count) { load(request) }
/// ```
///
/// One page is loaded at a time. A page that failed is loaded again when the user asks for it, not
/// at each row that appears. An answer that comes after a restart is refused.
///
/// The pages have cursors, as most servers name them; `nil` asks for the first page. The value
/// knows neither rows nor requests, so it is tested without a list.
struct Pagination<Cursor: Hashable & Sendable>: Hashable, Sendable {
  /// A page to load, to be handed back with the answer.
  struct Request: Hashable, Sendable {
    let cursor: Cursor?
    /// No two requests are the same, so that a late answer is known.
    fileprivate let number: Int
  }

  /// The state of the list's end.
  enum State: Hashable, Sendable {
    /// There is another page, and nothing loads it.
    case idle(next: Cursor?)
    case loading(Request)
    case failed(Request)
    /// There is no other page.
    case atEnd
  }

  private(set) var state = State.idle(next: nil)
  /// How many rows before the end the next page is loaded.
  private let margin: Int
  private var requests = 0

  init(margin: Int = 20) { self.margin = margin }

  /// A row came on screen, or is about to.
  ///
  /// - Returns: A page to load, if the row is near the end.
  mutating func rowAppeared(at index: Int, of count: Int) -> Request? {
    switch state {
    case .idle(let next): index >= count - margin ? begin(next) : nil
    case .loading, .failed, .atEnd: nil
    }
  }

  /// The list begins anew: its first appearance, or pull to refresh.
  ///
  /// - Returns: The first page, to load.
  mutating func restart() -> Request { begin(nil) }

  /// The user asks for the page that failed.
  ///
  /// - Returns: The page to load, if one has failed.
  mutating func retry() -> Request? {
    switch state {
    case .failed(let request): begin(request.cursor)
    case .idle, .loading, .atEnd: nil
    }
  }

  /// A page is there.
  ///
  /// - Parameter next: The next page, or `nil` if this is the last one.
  /// - Returns: Whether its rows belong to the list: `false` after a restart, or if they came
  ///   before.
  mutating func arrived(_ request: Request, next: Cursor?) -> Bool {
    guard state == .loading(request) else { return false }
    state = next.map { .idle(next: $0) } ?? .atEnd
    return true
  }

  /// A page could not be loaded.
  mutating func failed(_ request: Request) {
    if state == .loading(request) { state = .failed(request) }
  }

  private mutating func begin(_ cursor: Cursor?) -> Request {
    requests += 1
    let request = Request(cursor: cursor, number: requests)
    state = .loading(request)
    return request
  }
}
