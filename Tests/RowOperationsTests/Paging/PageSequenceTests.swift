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
