import Dispatch
import RowOperationsTesting
import Testing

@testable import RowOperations
@testable import TestSupport

@Suite("Pages that follow a list", .timeLimit(.minutes(10)))
@MainActor
struct PaginationTests {
  private typealias Page = PagedFeed.Page
  private typealias Feed = PagedFeed

  @Test("Pages load as the list nears its end, and the end is the end")
  func toTheEnd() async {
    let feed = Feed()
    feed.pages.shows(0..<0, of: 0)
    await feed.answer(0, Array(0..<30), next: 30)
    #expect(feed.model.count == 30)
    feed.pages.shows(0..<10, of: 30)
    await turn()
    #expect(!feed.isLoading, "two screens are left")
    feed.pages.shows(1..<11, of: 30)
    await feed.answer(30, [30, 31], next: nil)
    #expect(feed.model == Array(0..<32) && feed.isAtEnd)
    feed.pages.shows(22..<32, of: 32)
    feed.pages.retry()
    await turn()
    #expect(feed.phases == ["loading", "idle", "loading", "atEnd"])
  }

  @Test("A page whose rows are shown as it arrives is followed in the same turn")
  func followedAtOnce() async {
    let loads = Box<[Bool]>([])
    let known = Box<Feed?>(nil)
    let feed = Feed { rows in
      // Comes before the turn in which the pages decide by themselves.
      DispatchQueue.main.async { loads.append(known.value?.isLoading ?? false) }
      known.value?.pages.shows(0..<rows.count, of: rows.count)
    }
    known.set(feed)
    feed.pages.shows(0..<0, of: 0)
    await feed.answer(0, [0, 1], next: 2)
    await turn()
    #expect(loads.value == [true])
    #expect(feed.phases == ["loading", "idle", "loading"])
    await feed.answer(2, [2], next: nil)
    #expect(feed.model == [0, 1, 2] && feed.isAtEnd)
    known.set(nil)
  }

  @Test("An answer from before a restart is dropped, also of a load that ignores its cancel")
  func late() async {
    let requests = Lock<[CheckedContinuation<Int, Never>]>([])
    let taken = Box<[Int]>([])
    let pages = Pagination { (_: Int?) in
      await withCheckedContinuation { request in requests.withLock { $0.append(request) } }
    } receive: { page, _ in
      taken.change { $0.append(page) }
      return nil
    }
    pages.restart()
    await until { requests.withLock { $0.count } == 1 }
    pages.restart()
    await until { requests.withLock { $0.count } == 2 }
    requests.withLock { $0[0] }.resume(returning: 1)
    requests.withLock { $0[1] }.resume(returning: 2)
    await until { !taken.value.isEmpty }
    await turn()
    #expect(taken.value == [2])
  }

  @Test("A refresh returns when the first page is there, and replaces all rows")
  func refresh() async {
    let feed = Feed()
    feed.pages.restart()
    await feed.answer(0, [1, 2], next: 2)
    async let refreshed: Void = feed.pages.refresh()
    await feed.answer(0, [9], next: nil)
    await refreshed
    #expect(feed.model == [9] && feed.isAtEnd)
  }

  @Test("A restart amid the taking of a page begins anew")
  func restartWhileTaking() async {
    let restart = Box<@MainActor () -> Void>({})
    let feed = Feed { rows in if rows == [1] { restart.value() } }
    restart.change { $0 = { [weak feed] in feed?.pages.restart() } }
    feed.pages.restart()
    await feed.gate.waitForLoads([0])
    feed.gate.open(0, with: Page(rows: [1], next: nil))
    await feed.gate.wait { $0.began.count == 2 }
    await feed.answer(0, [2], next: nil)
    #expect(feed.model == [2] && feed.isAtEnd)
  }

  @Test("The end of the pages cancels a running load")
  func deallocated() async {
    var feed: Feed? = Feed()
    let gate = feed?.gate
    feed?.pages.restart()
    await gate?.waitForLoads([0])
    feed = nil
    await gate?.wait { $0.cancelled.count == 1 }
  }

  // MARK: Lists

  @Test("A list without forwarded events loads pages before its end, and none while it is covered")
  func watchedList() async {
    let view = WatchedList(rows: 100)
    let feed = Feed { rows in
      view.ids = Array(0..<100) + rows
      view.list.update(to: view.ids)
    }
    view.relay.pages = [feed.pages]
    #expect(view.watcher.looks > 0)
    view.list.layOut()
    view.look()
    await turn()
    #expect(!feed.isLoading)
    view.relay.cover(.suspended)
    view.list.jump(to: 80)
    view.look()
    await turn()
    #expect(!feed.isLoading, "the list is covered")
    view.relay.resume()
    view.look()
    await feed.answer(0, Array(100..<200), next: 1)
    view.look()
    view.check()
    await turn()
    #expect(!feed.isLoading && view.list.rows.count == 200)
    view.list.jump(to: 190)
    view.look()
    await feed.answer(1, [], next: nil)
    #expect(feed.isAtEnd)
  }

  @Test("A list with sections counts the rows of all of them")
  func sections() async {
    let view = WatchedList(rows: 100, sectionSize: 30)
    let feed = Feed()
    view.relay.pages = [feed.pages]
    view.list.layOut()
    view.list.jump(to: 40)
    view.look()
    await turn()
    #expect(!feed.isLoading)
    view.list.jump(to: 70)
    view.look()
    await turn()
    #expect(feed.isLoading)
  }

  @Test("A chat loads older pages before its first rows, and does not jump")
  func chat() async {
    let view = WatchedList(rows: 100)
    let feed = Feed(at: .start)
    view.relay.pages = [feed.pages]
    view.list.layOut()
    view.list.jump(to: 80)
    view.look()
    await turn()
    #expect(!feed.isLoading)
    view.list.jump(to: 20)
    view.look()
    await feed.answer(0, [-2, -1], next: nil)
    #expect(feed.model == [-2, -1])
  }

  @Test("A list without cells loads pages before its end, also while it is empty")
  func rowList() async throws {
    let rig = TrackerRig()
    let list = RowList<Int>()
    let feed = Feed()
    list.pages = [feed.pages]
    list.changed(to: RowSource([]), of: [rig.tracker])
    await turn()
    #expect(!feed.isLoading, "the list has not appeared")
    list.listAppeared()
    await feed.answer(0, Array(0..<100), next: 1)
    list.orderChanged(to: RowSource(feed.model))
    let rows = (10..<20).map { EvaluatedRow($0, in: rig) }
    for row in rows {
      row.appear()
      list.rowAppeared(row.row, row)
    }
    rig.tracker.endPass()
    await turn()
    #expect(!feed.isLoading)
    for (index, row) in rows.enumerated() {
      row.place(75 + index)
      list.rowChanged(to: 75 + index, row)
    }
    rig.tracker.endPass()
    await feed.answer(1, [100], next: nil)
    #expect(feed.model.count == 101 && feed.isAtEnd)
    feed.pages.restart()
    await feed.answer(0, [], next: 1)
    list.listDisappeared()
    list.orderChanged(to: RowSource([]))
    await turn()
    #expect(!feed.isLoading, "the list is covered")
    list.listAppeared()
    await turn()
    #expect(feed.isLoading)
  }

  @Test("A list that begins with rows passes its cursor on, and keeps its rows")
  func cursor() async {
    let cursors = Box<[Int?]>([])
    let taken = Box<[Bool]>([])
    let pages = Pagination(at: .start, after: 7) { (cursor: Int?) in
      cursor
    } receive: { page, isFirst in
      cursors.change { $0.append(page) }
      taken.change { $0.append(isFirst) }
      return nil
    }
    pages.shows(0..<10, of: 50)
    await until { !taken.value.isEmpty }
    #expect(cursors.value == [7] && taken.value == [false])
    await pages.refresh()
    #expect(cursors.value == [7, nil] && taken.value == [false, true])
  }

  @Test("A refresh that another one overtakes returns with the later one")
  func overtakenRefresh() async {
    let feed = Feed()
    let isBack = Box(false)
    let refresh = Task {
      await feed.pages.refresh()
      isBack.change { $0 = true }
    }
    await feed.gate.waitForLoads([0])
    feed.pages.restart()
    await feed.gate.wait { $0.began.count == 2 && $0.waiting.count == 1 }
    await turn()
    #expect(!isBack.value)
    await feed.answer(0, [1], next: nil)
    await refresh.value
    #expect(feed.model == [1])
  }

  @Test("A refresh waits for no later page")
  func laterPages() async {
    let list = ListSimulator<Int>(rows: [], viewport: 600) { _ in }
    let feed = Feed { list.update(to: $0) }
    list.pages = [feed.pages]
    let refresh = Task { await feed.pages.refresh() }
    await feed.answer(0, [1, 2], next: 2)
    await refresh.value
    #expect(feed.isLoading && list.rows == [1, 2], "the next page loads at once")
  }

  @Test("A simulated list loads no page while it is covered, and goes on afterwards")
  func coveredSimulator() async {
    let list = ListSimulator<Int>(rows: [], viewport: 600) { _ in }
    let feed = Feed()
    list.layOut()
    list.cover()
    list.pages = [feed.pages]
    list.update(to: [])
    await turn()
    #expect(!feed.isLoading)
    list.uncover()
    await turn()
    #expect(feed.isLoading)
  }

  // MARK: Random walks

  /// The pages of a feed, some of them empty.
  ///
  /// The first one is longer than the screen, so that the list can move after an empty page.
  private static func feed(_ generator: inout SeededGenerator) -> [[Int]] {
    var rows = 0
    return (0..<12).map { page in
      let count = Int.random(in: (page == 0 ? 20 : 0)...30, using: &generator)
      defer { rows += count }
      return Array(rows..<rows + count)
    }
  }

  @Test("A simulated list that is flung, refreshed and retried has each page once, in order")
  func walks() async {
    for seed: UInt64 in 1...20 {
      var generator = SeededGenerator(seed: seed)
      let content = Self.feed(&generator)
      let list = ListSimulator<Int>(rows: [], viewport: 600) { _ in }
      let feed = Feed { list.update(to: $0) }
      list.pages = [feed.pages]
      list.layOut()
      var steps = 0
      while !feed.isAtEnd, steps < 3_000 {
        steps += 1
        await step(list, feed, content, &generator, isCalm: steps > 200)
        let isRight = content.indices.contains { feed.model == content[...$0].flatMap(\.self) }
        #expect(isRight || feed.model == [], "seed \(seed): \(feed.model)")
        #expect(feed.gate.log.waiting.count <= 1, "seed \(seed)")
      }
      #expect(feed.isAtEnd && list.rows == content.flatMap(\.self), "seed \(seed), \(steps) steps")
    }
  }

  private func step(
    _ list: ListSimulator<Int>, _ feed: Feed, _ content: [[Int]],
    _ generator: inout SeededGenerator, isCalm: Bool
  ) async {
    switch Int.random(in: isCalm ? 3...9 : 0...9, using: &generator) {
    case 0 where feed.isLoading:
      let cursor = feed.gate.log.waiting.first?.row
      if let cursor { await feed.fail(cursor) }
    case 1:
      list.jump(to: Int.random(in: 0...max(list.rows.count - 1, 0), using: &generator))
    case 2 where Int.random(in: 0...9, using: &generator) == 0:
      if feed.isLoading { await feed.gate.wait { !$0.waiting.isEmpty } }
      let began = feed.gate.log.began.count
      feed.pages.restart()
      await feed.gate.wait { $0.began.count > began && $0.waiting.count == 1 }
    case 3, 4: feed.pages.retry()
    case 5, 6:
      let last = max(list.rows.count - 1, 0)
      list.jump(to: Bool.random(using: &generator) ? 0 : last)
    default:
      await turn()
      guard feed.isLoading else { return }
      await feed.gate.wait { !$0.waiting.isEmpty }
      let page = feed.gate.log.waiting[0].row
      let next = page + 1 < content.count ? page + 1 : nil
      await feed.answer(page, content[page], next: next)
    }
  }
}
