import Testing

@testable import AppleLists

@Suite("Pagination")
struct PaginationTests {
  typealias Pages = Pagination<Int>

  /// Pages of which the first has arrived and another one follows.
  private static func begun() -> Pages {
    var pages = Pages()
    let request = pages.restart()
    _ = pages.arrived(request, next: 1)
    return pages
  }

  /// Pages that load the next one.
  private static func loading() throws -> (pages: Pages, request: Pages.Request) {
    var pages = begun()
    let request = pages.rowAppeared(at: 49, of: 50)
    return (pages, try #require(request))
  }

  @Test("A list loads its first page once when it appears")
  func first() {
    var pages = Pages()
    #expect(pages.state == .idle(next: nil))
    let (request, again) = (pages.rowAppeared(at: 0, of: 0), pages.rowAppeared(at: 0, of: 0))
    #expect(request != nil && request?.cursor == nil)
    #expect(again == nil)
  }

  @Test("The next page is loaded when a row near the end appears, not before", arguments: 0..<50)
  func margin(row: Int) {
    var pages = Self.begun()
    let request = pages.rowAppeared(at: row, of: 50)
    #expect(request?.cursor == (row < 30 ? nil : 1))
    #expect(pages.state == request.map { .loading($0) } ?? .idle(next: 1))
  }

  @Test("No page loads after the last page, until the list begins again")
  func end() throws {
    var (pages, last) = try Self.loading()
    let isTaken = pages.arrived(last, next: nil)
    #expect(isTaken && pages.state == .atEnd)
    let (next, retried) = (pages.rowAppeared(at: 99, of: 100), pages.retry())
    #expect(next == nil && retried == nil)
    let first = pages.restart()
    #expect(first.cursor == nil)
  }

  @Test("A failed page loads again on request, not when rows appear")
  func failure() throws {
    var (pages, request) = try Self.loading()
    pages.failed(request)
    #expect(pages.state == .failed(request))
    let (next, retried, again) = (
      pages.rowAppeared(at: 49, of: 50), pages.retry(), pages.retry()
    )
    #expect(next == nil && again == nil)
    #expect(retried?.cursor == 1 && retried != request)
  }

  @Test("The result of a page from before a restart of the list is refused")
  func overtaken() {
    var pages = Pages()
    let (old, new) = (pages.restart(), pages.restart())
    let isOldTaken = pages.arrived(old, next: 1)
    pages.failed(old)
    #expect(!isOldTaken && pages.state == .loading(new))
    let isNewTaken = pages.arrived(new, next: 1)
    let isRepeatTaken = pages.arrived(new, next: 2)
    #expect(isNewTaken && !isRepeatTaken && pages.state == .idle(next: 1))
  }

  // MARK: All short sequences

  private enum Step: CaseIterable {
    case appear, appearFar, restart, retry
    case arriveFirst, arriveLast, arriveEnd, failFirst, failLast
  }

  /// A list and its server, with every page that the list has requested.
  private struct World {
    var pages = Pages(margin: 1)
    /// The requested pages, and whether each has a result.
    var requests: [(request: Pages.Request, isAnswered: Bool)] = []
    /// The number of requests from earlier runs.
    var stale = 0
    /// The cursors of the pages in the list.
    var rows: [Int?] = []
    var isAtEnd = false

    var pending: Int {
      requests[stale...].reduce(0) { $0 + ($1.isAnswered ? 0 : 1) }
    }

    mutating func take(_ step: Step) -> String? {
      switch step {
      case .appear: ask(pages.rowAppeared(at: rows.count - 1, of: rows.count))
      case .appearFar:
        if pages.rowAppeared(at: -5, of: rows.count + 5) != nil { return "a far row loads" }
      case .restart:
        stale = requests.count
        (rows, isAtEnd) = ([], false)
        ask(pages.restart())
      case .retry: ask(pages.retry())
      case .arriveFirst: return arrive(0, next: rows.count + 1)
      case .arriveLast: return arrive(requests.count - 1, next: rows.count + 1)
      case .arriveEnd: return arrive(requests.count - 1, next: nil)
      case .failFirst: fail(0)
      case .failLast: fail(requests.count - 1)
      }
      return nil
    }

    private mutating func ask(_ request: Pages.Request?) {
      if let request { requests.append((request, false)) }
    }

    private mutating func arrive(_ index: Int, next: Int?) -> String? {
      guard requests.indices.contains(index) else { return nil }
      let isWanted = index >= stale && !requests[index].isAnswered
      let isTaken = pages.arrived(requests[index].request, next: next)
      if isTaken {
        rows.append(requests[index].request.cursor)
        isAtEnd = next == nil
      }
      requests[index].isAnswered = true
      return isTaken == isWanted ? nil : "page \(index) is taken: \(isTaken)"
    }

    private mutating func fail(_ index: Int) {
      guard requests.indices.contains(index) else { return }
      pages.failed(requests[index].request)
      requests[index].isAnswered = true
    }

    var complaint: String? {
      if pending > 1 { return "\(pending) pages are loaded at once" }
      if (pending == 1) != isLoading { return "the state is \(pages.state) with \(pending) pages" }
      let inOrder = rows.indices.map { $0 == 0 ? nil : $0 } as [Int?]
      if rows != inOrder { return "the list has \(rows)" }
      if isAtEnd != (pages.state == .atEnd) { return "the state is \(pages.state) at the end" }
      return nil
    }

    private var isLoading: Bool { if case .loading = pages.state { true } else { false } }
  }

  @Test("After every short sequence pages come in order, each once, one at a time")
  func all() {
    var digits = Array(repeating: 0, count: 5)
    let steps = Step.allCases
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
