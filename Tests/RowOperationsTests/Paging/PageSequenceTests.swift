import Testing

@testable import RowOperations

@Suite("When pages load")
struct PageSequenceTests {
  typealias Report = PageSequence.Report

  private static func report(_ shown: Range<Int>, of count: Int) -> Report {
    Report(shown: shown, count: count, screen: shown.count)
  }

  /// Pages of which the first has arrived and another one follows.
  private static func begun(
    at edge: Pagination.Edge = .end, margin: Int? = nil
  ) -> PageSequence {
    var pages = PageSequence(at: edge, margin: margin)
    take(pages.restart(), hasNext: true, of: &pages)
    return pages
  }

  private static func take(
    _ request: PageSequence.Request, hasNext: Bool, of pages: inout PageSequence
  ) {
    let isTaken = pages.arrives(request)
    #expect(isTaken)
    pages.arrived(request, hasNext: hasNext)
  }

  /// The page that loads once the list shows some positions.
  private static func request(
    of pages: inout PageSequence, _ shown: Range<Int>, of count: Int
  ) -> PageSequence.Request? {
    pages.listShows(report(shown, of: count))
    return pages.next()
  }

  @Test("An empty list loads its first page once, and nothing loads before its first layout")
  func first() {
    var pages = PageSequence()
    let early = pages.next()
    #expect(early == nil && pages.state == .idle(isFirst: true))
    let request = Self.request(of: &pages, 0..<0, of: 0)
    let again = Self.request(of: &pages, 0..<0, of: 0)
    #expect(request?.isFirst == true && again == nil)
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

  @Test("A list that begins with rows goes on with its next page")
  func beginsWithRows() {
    var pages = PageSequence(hasRows: true)
    let request = Self.request(of: &pages, 0..<10, of: 10)
    #expect(request?.isFirst == false)
  }

  @Test("A margin counts rows, and is at least one", arguments: [-1, 0, 1, 5])
  func margin(_ margin: Int) {
    for end in 10...50 {
      var pages = Self.begun(margin: margin)
      let request = Self.request(of: &pages, end - 10..<end, of: 50)
      #expect((request != nil) == (50 - end < max(margin, 1)))
    }
  }

  @Test("A list with rows of which none is on screen loads no page")
  func hidden() {
    var pages = Self.begun()
    let request = Self.request(of: &pages, 0..<0, of: 5)
    #expect(request == nil)
  }

  @Test("After a page without rows, the next one waits until the list moves")
  func emptyPage() throws {
    var pages = Self.begun()
    let request = Self.request(of: &pages, 40..<50, of: 50)
    Self.take(try #require(request), hasNext: true, of: &pages)
    let early = pages.next()
    #expect(early == nil, "no layout has followed")
    let unmoved = Self.request(of: &pages, 40..<50, of: 50)
    #expect(unmoved == nil, "nothing has changed")
    let far = Self.request(of: &pages, 0..<10, of: 50)
    #expect(far == nil, "the end is far")
    let next = Self.request(of: &pages, 40..<50, of: 50)
    #expect(next != nil)
  }

  @Test("A list that is as long after a restart as before goes on loading")
  func sameLength() throws {
    var pages = Self.begun()
    let second = Self.request(of: &pages, 0..<5, of: 5)
    Self.take(try #require(second), hasNext: false, of: &pages)
    Self.take(pages.restart(), hasNext: true, of: &pages)
    let early = pages.next()
    #expect(early == nil, "the report is from before the restart")
    let next = Self.request(of: &pages, 0..<5, of: 5)
    #expect(next != nil)
  }

  @Test("Rows that the list lays out while the app takes a page count for the next one")
  func layoutWhileTaking() throws {
    var pages = Self.begun()
    let request = Self.request(of: &pages, 0..<5, of: 5)
    let page = try #require(request)
    let isTaken = pages.arrives(page)
    pages.listShows(Self.report(0..<10, of: 12))
    let early = pages.next()
    #expect(isTaken && early == nil, "the page has not arrived")
    pages.arrived(page, hasNext: true)
    let next = pages.next()
    #expect(next != nil)
  }

  @Test("A restart while the app takes a page wins")
  func restartWhileTaking() {
    var pages = PageSequence()
    let old = pages.restart()
    let isTaken = pages.arrives(old)
    #expect(isTaken)
    let new = pages.restart()
    pages.arrived(old, hasNext: false)
    #expect(pages.state == .loading(new))
  }

  // MARK: All short sequences

  private enum Step: CaseIterable {
    case show, showFar, restart, retry
    case arriveFirst, arriveLast, arriveEmpty, arriveEnd, failFirst, failLast
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
    let steps = Step.allCases
    var digits = Array(repeating: 0, count: 5)
    var failure: String?
    search: while failure == nil {
      var world = World()
      for digit in digits {
        if let complaint = world.take(steps[digit]) ?? world.complaint {
          failure = "\(complaint) after \(digits.map { steps[$0] })"
          break search
        }
      }
      guard let place = digits.lastIndex(where: { $0 < steps.count - 1 }) else { break }
      digits[place] += 1
      for later in digits.indices where later > place { digits[later] = 0 }
    }
    #expect(failure == nil)
  }
}
