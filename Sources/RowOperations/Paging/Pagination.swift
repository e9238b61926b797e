import Dispatch

#if canImport(Combine)
  import Combine
#endif

/// Loads further pages of a list.
///
/// ```swift
/// let pages = Pagination { cursor in
///   try await page(after: cursor)
/// } receive: { [weak self] page, isFirst in
///   self?.show(page.rows, replacesAll: isFirst)
///   return page.next
/// }
/// tracking.pages = [pages]
/// ```
///
/// A page loads when fewer than two screens of rows are left before the end of the list, and the
/// first one when it is empty. One page loads at a time, each once and in order. An answer that
/// comes after ``restart()`` is dropped. After a page without rows, the next waits until the list
/// moves. A covered list loads none.
///
/// A page that failed loads again after ``retry()``, when the end comes near anew, and if it is
/// still near, when the network is back (``DisplayTracker/networkDidReturn()``) and after a
/// `Retry-After` of 1 to 60 seconds, twice in a row. A ``restart()`` that failed does so only while
/// the list is empty.
///
/// Set it as `ListTracking.pages`, or with `pagination(_:)` in SwiftUI. A list of your own calls
/// ``shows(_:of:)``. A list that grows at both ends has two of them: pass the cursors beside its
/// first rows as `cursor`.
///
/// **Threading**: main actor; the load runs elsewhere. **Cancellation**: ``restart()`` and the
/// `deinit` cancel the task of a running load. **Errors**: an error of the load becomes
/// ``Phase/failed(_:)``. **Ordering**: it decides in a turn of the main queue, never amid a layout.
/// **Cost**: O(1) for each layout.
@MainActor
public final class Pagination {
  /// An end of a list.
  public enum Edge: Hashable, Sendable {
    /// Pages come before the first row, as in a chat.
    case start
    /// Pages come after the last row.
    case end
  }

  /// The state of an end of the list, for a spinner or a button.
  public enum Phase: Sendable {
    /// There is another page, and nothing loads it.
    case idle
    case loading
    /// The last page could not be loaded.
    case failed(any Error)
    /// There is no other page.
    case atEnd
  }

  /// The state of this end.
  ///
  /// SwiftUI evaluates views that observe the object after each change.
  #if canImport(Combine)
    @Published
  #endif
  public private(set) var phase = Phase.idle {
    didSet { onChange?(phase) }
  }

  /// Called after each change of ``phase``.
  public var onChange: (@MainActor (Phase) -> Void)?

  /// Loads a page, and returns a closure that hands it to the app.
  ///
  /// That closure returns whether another page follows.
  private let load: @MainActor (_ isFirst: Bool) async throws -> @MainActor () -> Bool
  private var sequence: PageSequence
  private var task: Task<Void, Never>?
  /// Of the newest first page; it may have ended.
  private var firstPage: Task<Void, Never>?
  private var isDecisionDue = false
  private let clock: TrackerClock
  var networkWatch = NetworkWatch.shared
  private var isWatchingNetwork = false

  /// Makes the pages of a list.
  ///
  /// - Parameters:
  ///   - edge: Where new pages go.
  ///   - margin: A page loads while fewer rows are between the screen and the edge, at least 1;
  ///     `nil` for two screens.
  ///   - cursor: The cursor of the next page, for a list that begins with rows.
  ///   - clock: For the waits of servers.
  ///   - load: Loads the page of a cursor, off the main actor. The first page has no cursor.
  ///   - receive: Takes a page into your model, and returns the cursor of the next one, if any.
  ///     With `isFirst`, the page replaces all rows. Capture the controller weakly.
  public init<Cursor: Sendable, Page: Sendable>(
    at edge: Edge = .end, margin: Int? = nil, after cursor: Cursor? = nil,
    clock: any Clock<Duration> = ContinuousClock(),
    load: @escaping @Sendable (_ cursor: Cursor?) async throws -> Page,
    receive: @escaping @MainActor (_ page: Page, _ isFirst: Bool) -> Cursor?
  ) {
    sequence = PageSequence(at: edge, margin: margin, hasRows: cursor != nil)
    self.clock = TrackerClock(clock)
    let next = NextPage(cursor)
    self.load = { isFirst in
      let page = try await load(isFirst ? nil : next.cursor)
      return {
        next.cursor = receive(page, isFirst)
        return next.cursor != nil
      }
    }
  }

  deinit { task?.cancel() }

  // MARK: The list

  /// Reports which positions of the list are on screen.
  ///
  /// Call it after each layout of a list of your own.
  ///
  /// - Parameters:
  ///   - positions: The positions on screen; empty if there are none.
  ///   - count: The number of rows in the list.
  public func shows(_ positions: Range<Int>, of count: Int) {
    shows(positions, of: count, onScreen: positions.count)
  }

  /// - Parameter screen: Rows on a screen, without sections that scroll by themselves.
  func shows(_ positions: Range<Int>, of count: Int, onScreen screen: Int) {
    sequence.listShows(PageSequence.Report(shown: positions, count: count, screen: screen))
    isHidden = false
  }

  /// Covered or out of sight.
  package var isHidden = false {
    didSet { decideSoon() }
  }

  private func decideSoon() {
    guard !isDecisionDue else { return }
    isDecisionDue = true
    DispatchQueue.main.async { [weak self] in self?.decide() }
  }

  private func decide() {
    isDecisionDue = false
    if !isHidden, let request = sequence.next() { begin(request) }
  }

  // MARK: Calls of the app

  /// Loads the first page, which replaces all rows.
  public func restart() { begin(sequence.restart()) }

  /// Restarts, and returns when the first page is there or has failed.
  ///
  /// **Cancellation**: none; the page goes on loading.
  public func refresh() async {
    restart()
    // Another restart may follow, which cancels this one.
    while let running = firstPage {
      await running.value
      if firstPage == running { return }
    }
  }

  /// Loads the page that failed, if any.
  public func retry() {
    if let request = sequence.retry() { begin(request) }
  }

  // MARK: Loads

  private func begin(_ request: PageSequence.Request) {
    task?.cancel()
    task = Task { [weak self, load] in
      do {
        let take = try await load(request.isFirst)
        self?.finish(request, take)
      } catch {
        self?.fail(request, error)
      }
    }
    if request.isFirst { firstPage = task }
    phase = .loading
  }

  private func finish(_ request: PageSequence.Request, _ take: @MainActor () -> Bool) {
    guard sequence.arrives(request) else { return }
    sequence.arrived(request, hasNext: take())
    switch sequence.state {
    case .idle: phase = .idle
    case .atEnd: phase = .atEnd
    // The app has restarted the list.
    case .loading, .failed: return
    }
    decide()
  }

  private func fail(_ request: PageSequence.Request, _ error: any Error) {
    let retryAfter = (error as? HTTPStatusError)?.retryAfter
    sequence.failed(request, retryAfter: retryAfter)
    guard case .failed(request, let wait) = sequence.state else { return }
    if wait == .server, let retryAfter { waitForServer(max(retryAfter, .seconds(1)), request) }
    if !isWatchingNetwork {
      isWatchingNetwork = true
      networkWatch.add(self)
    }
    phase = .failed(error)
    decideSoon()
  }

  // MARK: Heals

  private func waitForServer(_ duration: Duration, _ request: PageSequence.Request) {
    let end = clock.now() + duration.nanoseconds
    task = Task { [weak self, clock] in
      try? await clock.sleep(end)
      self?.sequence.serverWaited(for: request)
      self?.decide()
    }
  }

  /// Several trackers may report it.
  func networkReturned() {
    sequence.networkReturned()
    decideSoon()
  }
}

#if canImport(Combine)
  extension Pagination: ObservableObject {}
#endif

/// The cursor of the page after the last one.
@MainActor
private final class NextPage<Cursor> {
  var cursor: Cursor?

  init(_ cursor: Cursor?) { self.cursor = cursor }
}
