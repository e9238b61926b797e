import Proofs
import RowOperationsTesting
import Testing

@testable import RowOperations
@testable import TestSupport

/// A row that is equal to another one by its id.
private final class Photo: Hashable, Sendable, CustomStringConvertible {
  let id: Int
  let url: String
  let deinits: Box<[String]>?

  init(_ id: Int, _ url: String, deinits: Box<[String]>? = nil) {
    (self.id, self.url, self.deinits) = (id, url, deinits)
  }

  deinit { deinits?.append(url) }

  static func == (a: Photo, b: Photo) -> Bool { a.id == b.id }

  func hash(into hasher: inout Hasher) { hasher.combine(id) }

  var description: String { "\(id)" }
}

@Suite("Rows that are equal and have other contents", .timeLimit(.minutes(10)))
@MainActor
struct NewestInstanceTests {
  private let loaded = Box<[String]>([])
  private let cell = SimulatedCell(number: 0)

  private func tracker(
    _ configure: (inout TrackerConfiguration<Photo, String>) -> Void = { _ in }
  ) -> DisplayTracker<Photo, String> {
    var configuration = TrackerConfiguration<Photo, String>()
    configure(&configuration)
    return DisplayTracker(configuration: configuration) { [loaded] context in
      loaded.append(context.row.url)
      return context.row.url
    }
  }

  /// A call that passes the newest instance of a row.
  enum Call: CaseIterable, Sendable {
    case bind, prefetch, refresh, invalidate, retry, setValue, order, itemOrder, laterOrder

    /// Those that pass a row themselves.
    static let direct: [Call] = [.bind, .prefetch, .invalidate, .retry, .setValue]
  }

  @Test("A load gets the instance that the last call has passed", arguments: Call.allCases)
  func newest(call: Call) async {
    let tracker = tracker()
    tracker.setOrder([Photo(1, "old")])
    tracker.bind(cell, to: Photo(1, "old")) { _, _ in }
    tracker.willDisplay(cell)
    await tracker.waitUntilIdle()
    #expect(loaded.value == ["old"])
    let new = Photo(1, "new")
    switch call {
    case .bind: tracker.bind(cell, to: new) { _, _ in }
    case .prefetch: tracker.prefetch([new])
    case .refresh: await tracker.refresh([new])
    case .invalidate: tracker.invalidate([new])
    case .retry: tracker.retry(new)
    case .setValue: tracker.setValue("set", for: new)
    case .order: tracker.setOrder([new])
    case .itemOrder:
      let source = RowSource([0]) { _ in [new, new] }
      tracker.show(
        [ShownPositions(bounds: 0..<1, shown: 0..<1)].compactMap(\.self), ofList: 3,
        isOtherData: true
      ) { source }
    case .laterOrder:
      tracker.showsPositions(0..<1, of: [Photo(1, "older")])
      tracker.showsPositions(0..<1, of: [new])
    }
    await tracker.waitUntilIdle()
    if call != .refresh, call != .invalidate {
      #expect(loaded.value == ["old"], "a newer instance alone loads nothing")
      tracker.invalidateAll()
      await tracker.waitUntilIdle()
    }
    #expect(loaded.value == ["old", "new"])
    #expect(tracker.audit() == [])
  }

  @Test("A load gets a newer instance than the order, which is read later", arguments: Call.direct)
  func newerThanOrder(call: Call) async {
    let tracker = tracker()
    if call != .bind, call != .prefetch {
      tracker.bind(cell, to: Photo(1, "oldest")) { _, _ in }
      tracker.willDisplay(cell)
      await tracker.waitUntilIdle()
    }
    tracker.setOrder([Photo(1, "old")])
    let new = Photo(1, "new")
    switch call {
    case .bind: tracker.bind(cell, to: new) { _, _ in }
    case .prefetch: tracker.prefetch([new])
    case .invalidate: tracker.invalidate([new])
    case .retry: tracker.retry(new)
    case .setValue: tracker.setValue("set", for: new)
    case .refresh, .order, .itemOrder, .laterOrder: Issue.record("This call is not tried.")
    }
    if call == .bind { tracker.willDisplay(cell) }
    await tracker.waitUntilIdle()
    if call == .prefetch {
      tracker.bind(cell, to: new) { _, _ in }
      tracker.willDisplay(cell)
    }
    tracker.invalidateAll()
    await tracker.waitUntilIdle()
    #expect(loaded.value.last == "new" && !loaded.value.contains("old"))
    tracker.setOrder([Photo(1, "newest")])
    await tracker.waitUntilIdle()
    tracker.invalidateAll()
    await tracker.waitUntilIdle()
    #expect(loaded.value.last == "newest", "an order that is passed last gives the instance")
    #expect(tracker.audit() == [])
  }

  @Test("Of two orders, the one that is passed last gives the instance")
  func orders() async {
    let tracker = tracker()
    tracker.bind(cell, to: Photo(0, "0")) { _, _ in }
    tracker.willDisplay(cell)
    for (list, url) in [(2, "old"), (1, "new")] {
      tracker.follow(
        RowSource([Photo(0, "0"), Photo(1, url)]), ofList: ListNumber(list),
        displayed: { [Photo(0, "0")] })
    }
    await tracker.waitUntilIdle()
    #expect(loaded.value.contains("new") && !loaded.value.contains("old"))
  }

  @Test("Replaced instances are released without a turn of another call")
  func releasedAlone() async {
    let deinits = Box<[String]>([])
    let tracker = tracker()
    tracker.bind(cell, to: Photo(1, "0", deinits: deinits)) { _, _ in }
    tracker.willDisplay(cell)
    await tracker.waitUntilIdle()
    for url in 1...500 { tracker.retry(Photo(1, "\(url)", deinits: deinits)) }
    for _ in 0..<20 { await tracker.pendingTurns() }
    #expect(deinits.value.count == 500)
  }

  @Test("A running load keeps its instance, and the next one gets the newest")
  func running() async {
    let gate = LoadGate<Photo, String>()
    let tracker = DisplayTracker<Photo, String> { try await gate.load($0) }
    tracker.bind(cell, to: Photo(1, "old")) { _, _ in }
    tracker.willDisplay(cell)
    tracker.endPass()
    await gate.wait { $0.began.count == 1 }
    tracker.bind(cell, to: Photo(1, "new")) { _, _ in }
    tracker.endPass()
    #expect(gate.log.began.map(\.row.url) == ["old"])
    gate.openAll { $0.url }
    await tracker.waitUntilIdle()
    #expect(tracker.phase(of: Photo(1, "")) == .loaded("old"))
    tracker.invalidate([Photo(1, "newest")])
    tracker.endPass()
    await gate.wait { $0.began.count == 2 }
    #expect(gate.log.began.last?.row.url == "newest")
    gate.openAll { $0.url }
    await tracker.waitUntilIdle()
  }

  @Test("An expired address is replaced by the newest one, and the retry succeeds")
  func expired() async {
    let tried = Box<[String]>([])
    let tracker = DisplayTracker<Photo, String> { [tried] context in
      tried.append(context.row.url)
      guard context.row.url == "new" else { throw TrackerRig.Failure(row: context.row.id) }
      return context.row.url
    }
    tracker.bind(cell, to: Photo(1, "old")) { _, _ in }
    tracker.willDisplay(cell)
    await tracker.waitUntilIdle()
    tracker.retry(Photo(1, "new"))
    await tracker.waitUntilIdle()
    #expect(tried.value == ["old", "new"])
    #expect(tracker.phase(of: Photo(1, "")) == .loaded("new"))
  }

  @Test("A waiting row, the app's cache, a batch and a stream get the newest instance")
  func others() async {
    let looked = Box<[String]>([])
    let waiting = tracker {
      $0.cached = { [looked] in
        looked.append($0.url)
        return nil
      }
    }
    waiting.prefetch([Photo(1, "old")])
    waiting.prefetch([Photo(1, "new")])
    await waiting.waitUntilIdle()
    #expect(loaded.value == ["new"] && looked.value.last == "new")
    let batched = DisplayTracker<Photo, String>(batchesOf: 3) { [loaded] batch in
      loaded.append(batch.rows.map(\.url).joined())
      return Dictionary(uniqueKeysWithValues: batch.rows.map { ($0, $0.url) })
    }
    batched.prefetch([Photo(1, "old"), Photo(2, "x")])
    batched.prefetch([Photo(2, "y")])
    await batched.waitUntilIdle()
    #expect(loaded.value.last.map { Set($0) } == Set("oldy"))
    let live = DisplayTracker<Photo, String>(updates: { [loaded] context in
      loaded.append(context.row.url)
      return AsyncStream { $0.yield(context.row.url) }
    })
    live.bind(cell, to: Photo(1, "old")) { _, _ in }
    live.bind(cell, to: Photo(1, "live")) { _, _ in }
    live.willDisplay(cell)
    await live.waitUntil { $0.phase(of: Photo(1, "")).value != nil }
    #expect(loaded.value.last == "live")
  }

  @Test("A cell that binds a removed row anew loads the newest instance")
  func removed() async {
    let tracker = tracker()
    tracker.bind(cell, to: Photo(1, "old")) { _, _ in }
    tracker.invalidate([Photo(1, "new")])
    tracker.remove([Photo(1, "gone")])
    tracker.willDisplay(cell)
    await tracker.waitUntilIdle()
    #expect(loaded.value == ["new"])
  }
}
