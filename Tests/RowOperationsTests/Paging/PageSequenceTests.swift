import Testing

@testable import RowOperations

@Suite("When pages load")
struct PageSequenceTests {
  typealias Report = PageSequence.Report

  /// Pages of which the first has arrived and another one follows.
  private static func begun(at edge: Pagination.Edge = .end, margin: Int? = nil) -> PageSequence {
    var pages = PageSequence(at: edge, margin: margin)
    let first = pages.restart()
    let isTaken = pages.arrives(first)
    #expect(isTaken)
    pages.arrived(first, hasNext: true)
    return pages
  }

  /// The page that loads once the list shows some positions.
  private static func request(
    of pages: inout PageSequence, _ shown: Range<Int>, of count: Int
  ) -> PageSequence.Request? {
    pages.listShows(Report(shown: shown, count: count, screen: shown.count))
    return pages.next()
  }

  @Test("The next page loads while fewer than two screens are left", arguments: 0...40)
  func twoScreens(first: Int) {
    var pages = Self.begun()
    let request = Self.request(of: &pages, first..<first + 10, of: 50)
    #expect((request != nil) == (first > 20))
    #expect(request?.isFirst != true)
  }

  @Test("At the start of a list, pages load before its first rows come on screen")
  func start() {
    for first in 0...40 {
      var pages = Self.begun(at: .start)
      let request = Self.request(of: &pages, first..<first + 10, of: 50)
      #expect((request != nil) == (first < 20))
    }
  }

  @Test("A section that scrolls by itself does not lengthen the screen")
  func innerSection() {
    var pages = Self.begun()
    pages.listShows(Report(shown: 0..<205, count: 500, screen: 10))
    let far = pages.next()
    pages.listShows(Report(shown: 400..<481, count: 500, screen: 10))
    let near = pages.next()
    #expect(far == nil && near != nil)
  }

  @Test("A margin counts rows, and is at least one", arguments: [-1, 0, 1, 5])
  func margin(_ margin: Int) {
    for end in 10...50 {
      var pages = Self.begun(margin: margin)
      let request = Self.request(of: &pages, end - 10..<end, of: 50)
      #expect((request != nil) == (50 - end < max(margin, 1)))
    }
  }

  // MARK: Failures

  /// Pages of which the second has failed near the end of 50 rows.
  private static func failed(retryAfter: Duration? = nil) -> PageSequence {
    var pages = begun()
    fail(request(of: &pages, 40..<50, of: 50), in: &pages, retryAfter: retryAfter)
    return pages
  }

  private static func fail(
    _ request: PageSequence.Request?, in pages: inout PageSequence, retryAfter: Duration? = nil
  ) {
    #expect(request != nil)
    if let request { pages.failed(request, retryAfter: retryAfter) }
  }

  private static func expectNone(_ pages: inout PageSequence, _ note: Comment? = nil) {
    let request = pages.next()
    #expect(request == nil, note)
  }

  private static func wait(of pages: PageSequence) -> PageSequence.Wait? {
    guard case .failed(_, let wait) = pages.state else { return nil }
    return wait
  }

  @Test("A page that failed loads when the end comes near anew, once for each time")
  func nearAnew() {
    var pages = Self.failed()
    for first in 21...40 {
      let near = Self.request(of: &pages, first..<first + 10, of: 50)
      #expect(near == nil, "the end has not left")
    }
    let far = Self.request(of: &pages, 20..<30, of: 50)
    #expect(far == nil && Self.wait(of: pages) == PageSequence.Wait.none)
    let second = Self.request(of: &pages, 21..<31, of: 50)
    #expect(second?.isFirst == false)
    Self.fail(second, in: &pages)
    let third = Self.request(of: &pages, 22..<32, of: 50)
    #expect(third == nil)
  }

  @Test("A returned network gives one attempt to a page that failed, near the end")
  func network() {
    var pages = Self.failed()
    pages.networkReturned()
    pages.networkReturned()
    let second = pages.next()
    Self.fail(second, in: &pages)
    Self.expectNone(&pages)
    _ = Self.request(of: &pages, 0..<10, of: 50)
    pages.networkReturned()
    Self.expectNone(&pages, "the end is far")
    let third = Self.request(of: &pages, 40..<50, of: 50)
    #expect(third != nil)
  }

  @Test("A page without rows is followed after a move, also if it had failed before")
  func emptyAfterAFailure() {
    var pages = Self.failed()
    pages.networkReturned()
    guard let again = pages.next() else { return }
    let isTaken = pages.arrives(again)
    pages.arrived(again, hasNext: true)
    let unmoved = Self.request(of: &pages, 40..<50, of: 50)
    let moved = Self.request(of: &pages, 39..<49, of: 50)
    #expect(isTaken && unmoved == nil && moved != nil)
  }

  @Test("A page that was loading when the network returned gets another attempt, once")
  func networkAmidALoad() {
    var pages = Self.begun()
    let first = Self.request(of: &pages, 40..<50, of: 50)
    pages.networkReturned()
    Self.expectNone(&pages)
    Self.fail(first, in: &pages)
    let second = pages.next()
    Self.fail(second, in: &pages)
    Self.expectNone(&pages)
    #expect(Self.wait(of: pages) == .change)
  }

  @Test("A returned network changes nothing before the first page and after the last")
  func networkOfNoUse() {
    var idle = Self.begun()
    idle.networkReturned()
    #expect(idle == Self.begun())
    var pages = PageSequence()
    let only = pages.restart()
    let isTaken = pages.arrives(only)
    pages.arrived(only, hasNext: false)
    pages.networkReturned()
    #expect(isTaken && pages.state == .atEnd)
  }

  @Test("A server's wait goes before the end and the network, and gives one attempt")
  func serverWait() {
    var pages = Self.failed(retryAfter: .seconds(60))
    pages.networkReturned()
    _ = Self.request(of: &pages, 0..<10, of: 50)
    let early = Self.request(of: &pages, 40..<50, of: 50)
    #expect(early == nil && Self.wait(of: pages) == .server)
    guard case .failed(let refused, _) = pages.state else { return }
    pages.serverWaited(for: refused)
    let second = pages.next()
    Self.fail(second, in: &pages, retryAfter: .zero)
    pages.serverWaited(for: refused)
    Self.expectNone(&pages, "another wait goes on")
  }

  @Test("A wait of more than a minute is none: only the end that comes near anew loads the page")
  func longWait() {
    var pages = Self.failed(retryAfter: .seconds(60) + .nanoseconds(1))
    pages.networkReturned()
    if case .failed(let refused, _) = pages.state { pages.serverWaited(for: refused) }
    Self.expectNone(&pages)
    #expect(Self.wait(of: pages) == .leaving)
    _ = Self.request(of: &pages, 0..<10, of: 50)
    let anew = Self.request(of: &pages, 40..<50, of: 50)
    #expect(anew != nil)
  }

  /// What makes a page count its refusals anew.
  enum Relief: CaseIterable, Sendable {
    case leaving, retry, restart, otherFailure, success
  }

  @Test("A page that a server refuses three times waits for the end to come near anew")
  func refusals() {
    var pages = Self.failed(retryAfter: .seconds(1))
    Self.refuseTwice(&pages)
    pages.networkReturned()
    Self.expectNone(&pages)
    #expect(Self.wait(of: pages) == .leaving)
  }

  /// The second refusal and the third.
  private static func refuseTwice(_ pages: inout PageSequence) {
    for _ in 0..<2 {
      #expect(wait(of: pages) == .server)
      guard case .failed(let refused, _) = pages.state else { return }
      pages.serverWaited(for: refused)
      fail(pages.next(), in: &pages, retryAfter: .seconds(1))
    }
  }

  @Test("Refusals count anew after other news", arguments: Relief.allCases)
  func relief(_ relief: Relief) {
    var pages = Self.failed(retryAfter: .seconds(1))
    Self.refuseTwice(&pages)
    var next: PageSequence.Request?
    switch relief {
    case .leaving:
      _ = Self.request(of: &pages, 0..<10, of: 50)
      next = Self.request(of: &pages, 40..<50, of: 50)
    case .retry: next = pages.retry()
    case .restart:
      pages.listShows(Report(shown: 0..<0, count: 0, screen: 0))
      next = pages.restart()
    case .otherFailure:
      Self.fail(pages.retry(), in: &pages, retryAfter: .seconds(1))
      guard case .failed(let refused, _) = pages.state else { return }
      pages.serverWaited(for: refused)
      Self.fail(pages.next(), in: &pages)
      pages.networkReturned()
      next = pages.next()
    case .success:
      Self.fail(pages.retry(), in: &pages, retryAfter: .seconds(1))
      guard case .failed(let refused, _) = pages.state else { return }
      pages.serverWaited(for: refused)
      guard let again = pages.next() else { return }
      let isTaken = pages.arrives(again)
      #expect(isTaken)
      pages.arrived(again, hasNext: true)
      next = Self.request(of: &pages, 41..<51, of: 51)
    }
    Self.fail(next, in: &pages, retryAfter: .seconds(1))
    Self.refuseTwice(&pages)
    #expect(Self.wait(of: pages) == .leaving)
  }

  @Test("A restart that failed loads again by itself in an empty list alone", arguments: [0, 50])
  func failedRestart(count: Int) {
    var pages = Self.begun()
    pages.listShows(Report(shown: 0..<min(count, 10), count: count, screen: 10))
    Self.fail(pages.restart(), in: &pages)
    for _ in 0..<2 {
      pages.networkReturned()
      let request = pages.next()
      #expect((request != nil) == (count == 0) && request?.isFirst != false)
      if let request { pages.failed(request) }
    }
    let near = Self.request(of: &pages, 40..<50, of: 50)
    let retried = pages.retry()
    #expect(near == nil && retried?.isFirst == true, "rows are not replaced by themselves")
  }

  @Test("A restart of a list that has never been laid out loads again")
  func failedRestartBeforeTheLayout() {
    var pages = PageSequence()
    Self.fail(pages.restart(), in: &pages)
    pages.networkReturned()
    let again = pages.next()
    #expect(again != nil)
  }

  // MARK: All short sequences

  private enum Step: CaseIterable {
    case show, showFar, restart, retry
    case arriveFirst, arriveLast, arriveEmpty, arriveEnd, failFirst, failLast, network
  }

  /// A list and its server, with every page that the list has requested.
  private struct World {
    var pages = PageSequence(margin: 1)
    /// The requested pages, and whether each has a result.
    var requests: [(request: PageSequence.Request, isAnswered: Bool)] = []
    /// The number of requests from before the last restart.
    var stale = 0
    /// The pages that the list has taken since its last restart, by the numbers of their requests.
    var taken: [Int] = []
    var count = 0
    var isAtEnd = false
    /// Whether the last page had no rows, and the list has not moved since.
    var isStuck = false

    var pending: Int { requests[stale...].count { !$0.isAnswered } }

    mutating func take(_ step: Step) -> String? {
      switch step {
      case .show:
        pages.listShows(Report(shown: 0..<count, count: count, screen: count))
        let request = pages.next()
        if request != nil, isStuck { return "a page follows one without rows" }
        ask(request)
      case .showFar:
        pages.listShows(Report(shown: 0..<1, count: count + 5, screen: 1))
        if pages.next() != nil { return "a page loads far from the end" }
        isStuck = false
      case .restart:
        stale = requests.count
        (taken, count, isAtEnd, isStuck) = ([], 0, false, false)
        ask(pages.restart())
      case .retry: ask(pages.retry())
      case .arriveFirst: return arrive(0, rows: 1, hasNext: true)
      case .arriveLast: return arrive(requests.count - 1, rows: 1, hasNext: true)
      case .arriveEmpty: return arrive(requests.count - 1, rows: 0, hasNext: true)
      case .arriveEnd: return arrive(requests.count - 1, rows: 1, hasNext: false)
      case .failFirst: fail(0)
      case .failLast: fail(requests.count - 1)
      case .network: pages.networkReturned()
      }
      return nil
    }

    private mutating func ask(_ request: PageSequence.Request?) {
      if let request { requests.append((request, false)) }
    }

    private mutating func arrive(_ index: Int, rows: Int, hasNext: Bool) -> String? {
      guard requests.indices.contains(index) else { return nil }
      let isWanted = index >= stale && !requests[index].isAnswered
      let isTaken = pages.arrives(requests[index].request)
      requests[index].isAnswered = true
      if isTaken {
        if requests[index].request.isFirst != taken.isEmpty { return "page \(index) is misplaced" }
        let isFirst = taken.isEmpty
        taken.append(index)
        count += rows
        isStuck = rows == 0 && !isFirst
        pages.arrived(requests[index].request, hasNext: hasNext)
        isAtEnd = !hasNext
        if pages.next() != nil { return "a page loads before the layout" }
      }
      return isTaken == isWanted ? nil : "page \(index) is taken: \(isTaken)"
    }

    private mutating func fail(_ index: Int) {
      guard requests.indices.contains(index) else { return }
      pages.failed(requests[index].request)
      requests[index].isAnswered = true
    }

    var complaint: String? {
      if pending > 1 { return "\(pending) pages load at once" }
      if (pending == 1) != isLoading { return "the state is \(pages.state) with \(pending) pages" }
      if taken != taken.sorted() || Set(taken).count != taken.count { return "taken: \(taken)" }
      if isAtEnd != (pages.state == .atEnd) { return "the state is \(pages.state) at the end" }
      return nil
    }

    private var isLoading: Bool { if case .loading = pages.state { true } else { false } }
  }

  @Test("After every short sequence pages come in order, each once, one at a time")
  func all() {
    let failure = ModelTrial.allSequences(of: Step.allCases, length: 5) { steps in
      var world = World()
      for step in steps {
        if let complaint = world.take(step) ?? world.complaint { return complaint }
      }
      return nil
    }
    #expect(failure == nil)
  }
}
