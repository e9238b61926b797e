import RowOperationsTesting
import Testing

@testable import RowOperations
@testable import TestSupport

@Suite("Pages that fail", .timeLimit(.minutes(10)))
@MainActor
struct PaginationHealTests {
  private typealias Feed = PagedFeed

  @Test("A page that failed waits for retry, and then loads again")
  func failure() async {
    let feed = Feed()
    feed.pages.shows(0..<0, of: 0)
    await feed.fail(0)
    #expect(feed.hasFailed && feed.model == [])
    feed.pages.shows(0..<1, of: 1)
    await turn()
    #expect(feed.hasFailed, "the end is near as before")
    feed.pages.retry()
    #expect(feed.isLoading)
    await feed.answer(0, [1], next: nil)
    #expect(feed.model == [1] && feed.gate.log.began.count == 2)
  }

  @Test("A page that failed loads when the end comes near anew, or a tracker reports the network")
  func heals() async {
    let feed = Feed()
    let trackers = (0..<2).map { _ in
      let tracker = DisplayTracker<Int, Int> { $0.row }
      tracker.core.networkWatch = feed.network
      return tracker
    }
    feed.pages.shows(0..<0, of: 0)
    await feed.answer(0, Array(0..<30), next: 30)
    feed.pages.shows(20..<30, of: 30)
    await feed.fail(30)
    feed.pages.shows(0..<10, of: 30)
    feed.pages.shows(20..<30, of: 30)
    await feed.fail(30)
    await turn()
    #expect(feed.hasFailed)
    for tracker in trackers { tracker.networkDidReturn() }
    await feed.fail(30)
    await turn()
    #expect(feed.hasFailed, "both trackers report one return")
    feed.network.pathChanged(isSatisfied: false)
    feed.network.pathChanged(isSatisfied: true)
    await feed.answer(30, [30], next: nil)
    #expect(feed.isAtEnd && feed.gate.log.began.count == 5)
    #expect(feed.network.pages.count == 1)
  }

  @Test("A refused page loads as soon as the server's wait is over", arguments: [0, 1, 60])
  func retryAfter(seconds: Int) async {
    let feed = Feed()
    let refusal = HTTPStatusError(status: 503, retryAfter: .seconds(seconds))
    feed.pages.shows(0..<0, of: 0)
    let wait = Duration.seconds(max(seconds, 1))
    for _ in 0..<2 {
      await feed.fail(0, with: refusal)
      await until { feed.clock.sleepers == 1 }
      feed.network.pathChanged(isSatisfied: false)
      feed.network.pathChanged(isSatisfied: true)
      feed.clock.advance(by: wait - .nanoseconds(1))
      await turn()
      #expect(feed.hasFailed && feed.clock.sleepers == 1)
      feed.clock.advance(by: .nanoseconds(1))
    }
    await feed.fail(0, with: refusal)
    await turn()
    #expect(feed.hasFailed && feed.clock.sleepers == 0, "three refusals are a failure")
    feed.pages.retry()
    await feed.answer(0, [1], next: nil)
    #expect(feed.gate.log.began.count == 4)
  }

  @Test("A retry, a restart and the end of the pages end the wait for a server")
  func endOfWait() async {
    let refusal = HTTPStatusError(status: 503, retryAfter: .seconds(9))
    var feed: Feed? = Feed()
    for end in 0..<3 {
      if end == 0 { feed?.pages.restart() }
      await feed?.fail(0, with: refusal)
      await until { feed?.clock.sleepers == 1 }
      let clock = feed?.clock
      switch end {
      case 0: feed?.pages.retry()
      case 1: feed?.pages.restart()
      default: feed = nil
      }
      await until { clock?.sleepers == 0 }
    }
  }

  @Test("A refresh returns when the server asks for patience")
  func refusedRefresh() async {
    let feed = Feed()
    let refresh = Task { await feed.pages.refresh() }
    await feed.fail(0, with: HTTPStatusError(status: 503, retryAfter: .seconds(9)))
    await refresh.value
    #expect(feed.hasFailed)
    feed.pages.retry()
    await feed.gate.waitForLoads([0])
  }

  @Test("A list that retries or restarts as it hears of a failure loads one page")
  func retryInTheReport() async {
    let feed = Feed()
    let refusal = HTTPStatusError(status: 503, retryAfter: .seconds(9))
    feed.pages.shows(0..<0, of: 0)
    await feed.gate.waitForLoads([0])
    feed.pages.onChange = { [unowned feed] in if case .failed = $0 { feed.pages.retry() } }
    feed.gate.fail(0, with: refusal)
    await feed.gate.wait { $0.began.count == 2 && $0.waiting.count == 1 }
    await until { feed.clock.sleepers == 0 }
    feed.clock.advance(by: .seconds(9))
    await turn()
    #expect(feed.isLoading && feed.gate.log.began.count == 2)
  }

  // MARK: Failed pages of hidden lists

  /// A kind of list that can be hidden.
  enum Hider: CaseIterable, Sendable {
    case simulator, relay, outOfSight, rowList
  }

  @Test("A failed page of a hidden list loads once it is back", arguments: Hider.allCases)
  func hidden(hider: Hider) async {
    let feed = Feed()
    let simulator = ListSimulator<Int>(rows: [], viewport: 600) { _ in }
    let view = WatchedList(rows: 0)
    let rowList = RowList<Int>()
    func show(_ isShown: Bool) {
      switch hider {
      case .simulator: isShown ? simulator.uncover() : simulator.cover()
      case .relay:
        view.relay.cover(.suspended, if: !isShown)
        view.look()
      case .outOfSight:
        var layout = ListLayout()
        (layout.sectionCount, layout.isInSight) = (1, isShown)
        layout.itemCount = { _ in 0 }
        view.relay.laidOut(layout)
      case .rowList: isShown ? rowList.listAppeared() : rowList.listDisappeared()
      }
    }
    switch hider {
    case .simulator: simulator.pages = [feed.pages]
    case .relay, .outOfSight: view.relay.pages = [feed.pages]
    case .rowList:
      rowList.pages = [feed.pages]
      rowList.changed(to: RowSource([]), of: [TrackerRig().tracker])
    }
    show(true)
    await feed.fail(0)
    show(false)
    feed.network.healPages()
    await turn()
    #expect(!feed.isLoading)
    show(true)
    await feed.answer(0, [], next: nil)
    #expect(feed.isAtEnd)
  }
}
