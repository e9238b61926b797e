// Sources/RowOperationsTesting/Scripts/EventScript.swift explains the letters of event scripts.

import Foundation
import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("Failed rows that are given up or heal", .timeLimit(.minutes(10)))
@MainActor
struct HealTests {
  /// Displays row 1 several times and fails each of its loads.
  ///
  /// - Returns: The number of loads.
  private static func loads(
    in displays: Int, _ rig: TrackerRig, error: (Int) -> any Error
  ) async throws -> Int {
    try rig.play("c1(a)")
    for display in 0..<displays {
      let before = rig.starts(of: 1)
      try await rig.playToTheEnd("W1(a) |")
      if rig.starts(of: 1) > before { await rig.end(1, with: .failure(error(display))) }
      try await rig.playToTheEnd("| E1(a) |")
    }
    return rig.starts(of: 1)
  }

  private static func notFound(_: Int) -> any Error { NSError(domain: "HTTP", code: 404) }

  private static func unavailable(_: Int) -> any Error { HTTPStatusError(status: 503) }

  // MARK: Given up

  @Test("A row is given up after three equal failures, so that 20 displays make three requests")
  func givenUp() async throws {
    let rig = TrackerRig()
    #expect(try await Self.loads(in: 20, rig, error: Self.notFound) == 3)
    #expect(rig.phase(of: 1) == .failed, "off screen too, since no display retries it")
    #expect(rig.violations == [])
  }

  @Test("A row that was given up has one attempt at a display 30 s after its last failure")
  func givenUpForAWhile() async throws {
    for retry in [RetryPolicy.onNextDisplay, .backoff(.constant(.milliseconds(1), limit: 0))] {
      let rig = TrackerRig { $0.retry = retry }
      _ = try await Self.loads(in: 4, rig, error: Self.unavailable)
      try await rig.playToTheEnd("+29999ms W1(a) | +1ms | Z | z | +5000ms |")
      #expect(rig.starts(of: 1) == 3, "too early, and then no display begins")
      for loads in 4...5 {
        try await rig.playToTheEnd("E1(a) | W1(a) |")
        #expect(rig.starts(of: 1) == loads)
        await rig.end(1, with: .failure(Self.unavailable(0)))
        try await rig.playToTheEnd("| E1(a) | +29999ms W1(a) | E1(a) | +1ms")
      }
      try await rig.playToTheEnd("W1(a) | F1 |")
      #expect(rig.phase(of: 1) == .loaded)
      #expect(rig.violations == [])
    }
  }

  @Test("The one attempt of a row that was given up is followed by no others, unless it differs")
  func lastAttempt() async throws {
    let rig = TrackerRig { $0.retry = .backoff(.constant(.milliseconds(1), limit: 2)) }
    func displayed(_ error: any Error) async throws -> Int {
      let before = rig.starts(of: 1)
      try await rig.playToTheEnd("W1(a) |")
      for _ in 0..<5 where rig.phase(of: 1) == .loading {
        await rig.end(1, with: .failure(error))
        try await rig.playToTheEnd("| +1ms |")
      }
      try await rig.playToTheEnd("E1(a) | +30000ms |")
      return rig.starts(of: 1) - before
    }
    try rig.play("c1(a)")
    var loads: [Int] = []
    for _ in 0..<5 { loads.append(try await displayed(Self.unavailable(0))) }
    loads.append(try await displayed(HTTPStatusError(status: 502)))
    #expect(loads == [3, 3, 3, 1, 1, 3])
  }

  @Test("A row that was given up for good, or under .never, loads at no later display")
  func givenUpForGood() async throws {
    let never = TrackerRig { $0.retry = .never }
    let refused = TrackerRig { $0.shouldRetry = { _ in false } }
    for rig in [never, refused] {
      try await rig.playToTheEnd("c1(a) W1(a) | f1 | E1(a) | +60000ms W1(a) |")
      #expect(rig.starts(of: 1) == 1 && rig.phase(of: 1) == .failed)
    }
  }

  @Test("A row that fails in the same way after each heal is given up after three failures")
  func givenUpByHeals() async throws {
    let rig = TrackerRig()
    try await rig.playToTheEnd("c1(a) W1(a) |")
    for _ in 0..<3 { try await rig.playToTheEnd("f1 | Z | z | +3000ms | |") }
    #expect(rig.starts(of: 1) == 3 && rig.phase(of: 1) == .failed)
    #expect(rig.violations == [])
  }

  @Test("Failures with different codes or domains do not give a row up")
  func otherFailures() async throws {
    let codes = TrackerRig()
    #expect(
      try await Self.loads(in: 9, codes) { NSError(domain: "HTTP", code: 500 + $0 % 2) } == 9)
    let domains = TrackerRig()
    #expect(
      try await Self.loads(in: 9, domains) {
        NSError(domain: $0.isMultiple(of: 2) ? "HTTP" : "decoder", code: 1)
      } == 9)
  }

  @Test(
    "A row that was given up loads again on request, with a new count of failures",
    arguments: ["y1", "![1]", "!*"])
  func asked(request: String) async throws {
    let rig = TrackerRig()
    _ = try await Self.loads(in: 5, rig, error: Self.notFound)
    try await rig.playToTheEnd("\(request) W1(a) | f1 | E1(a) |")
    #expect(rig.starts(of: 1) == 4)
    _ = try await Self.loads(in: 5, rig, error: Self.notFound)
    #expect(rig.starts(of: 1) == 7, "one different failure, and three equal ones")
  }

  @Test("A failure that shouldRetry rejects is not retried under any policy")
  func shouldRetry() async throws {
    for retry in [
      RetryPolicy.never, .onNextDisplay, .backoff(.constant(.milliseconds(1), limit: 9)),
    ] {
      let rig = TrackerRig {
        $0.retry = retry
        $0.shouldRetry = { ($0 as NSError).code != 404 }
      }
      try await rig.playToTheEnd("c1(a) W1(a) |")
      await rig.end(1, with: .failure(NSError(domain: "HTTP", code: 404)))
      try await rig.playToTheEnd("| +1000ms | z N +5000ms | E1(a) | W1(a) |")
      #expect(rig.starts(of: 1) == 1 && rig.phase(of: 1) == .failed)
      try await rig.playToTheEnd("y1 |")
      #expect(rig.starts(of: 1) == 2)
    }
  }

  @Test("Without shouldRetry, a backoff retries transient errors alone, other policies all")
  func transient() async throws {
    for (retry, starts) in [
      (RetryPolicy.backoff(.constant(.milliseconds(100), limit: 9)), [1: 1, 2: 2]),
      (.onNextDisplay, [1: 2, 2: 2]),
    ] {
      let rig = TrackerRig { $0.retry = retry }
      try await rig.playToTheEnd("cW[1…2] |")
      await rig.end(1, with: .failure(HTTPStatusError(status: 404)))
      await rig.end(2, with: .failure(HTTPStatusError(status: 503)))
      try await rig.playToTheEnd("| +100ms | E1(a) E2(b) | W1(a) W2(b) |")
      #expect([1: rig.starts(of: 1), 2: rig.starts(of: 2)] == starts, "\(retry)")
    }
  }

  @Test("shouldRetry is called once for each failure, and not for cancelled loads")
  func askedOnce() async throws {
    var asked: [String] = []
    let rig = TrackerRig {
      $0.timeout = .seconds(1)
      $0.shouldRetry = {
        asked.append(String(describing: type(of: $0)))
        return !($0 is OperationError)
      }
    }
    #expect(
      asked == ["OperationError"], "one call in advance, for loads that exceed their timeout")
    try await rig.playToTheEnd("c1(a) W1(a) c2(b) W2(b) | f1 | E2(b) | +150ms | | E1(a) | W1(a) |")
    #expect(asked == ["OperationError", "Failure"])
    try await rig.playToTheEnd("+1000ms | E1(a) | W1(a) |")
    #expect(rig.starts(of: 1) == 2 && rig.phase(of: 1) == .failed)
    await rig.tracker.waitUntilIdle()
    #expect(
      asked == ["OperationError", "Failure"], "the end of the timed-out body causes no call")
  }

  // MARK: Heals

  @Test("Failed rows on screen load again after a resume, spread over a second")
  func resume() async throws {
    let rig = TrackerRig { $0.slots = UpdateSlots(9) }
    try await rig.playToTheEnd("cW[1…8] c9(z) W9(z) | f1 f2 f3 f4 f5 f6 f7 f8 f9 E9(z) | z |")
    #expect((1...8).allSatisfy { rig.phase(of: $0) == .waiting })
    #expect(rig.tracker.phase(of: 1).error is TrackerRig.Failure, "the error stays readable")
    var starts: [Int] = []
    for _ in 0..<20 {
      try await rig.playToTheEnd("+50ms |")
      starts.append(rig.recorder.started.count)
    }
    #expect(starts.last == 17, "each of the eight rows once, and no row off screen")
    #expect(Set(starts).count > 2, "not all at once")
  }

  @Test("A list heals at most once in two seconds")
  func healsAreRare() async throws {
    let rig = TrackerRig()
    var codes = 0..<100
    func fail() async {
      let code = codes.removeFirst()
      await rig.end(1, with: .failure(NSError(domain: "HTTP", code: code)))
    }
    try await rig.playToTheEnd("c1(a) W1(a) |")
    await fail()
    for _ in 0..<60 {
      try await rig.playToTheEnd("Z z N +100ms |")
      if rig.phase(of: 1) == .loading { await fail() }
    }
    #expect((3...4).contains(rig.starts(of: 1) - 1), "\(rig.starts(of: 1) - 1) in six seconds")
  }

  @Test("A load that runs when the list comes back and then fails runs again")
  func lateFailure() async throws {
    let resumed = TrackerRig()
    try await resumed.playToTheEnd("c1(a) W1(a) | +10ms Z | z | f1 | +1000ms |")
    #expect(resumed.starts(of: 1) == 2)
    try await resumed.playToTheEnd("f1 | +5000ms |")
    #expect(resumed.starts(of: 1) == 2, "a load that began later does not run again")

    let network = TrackerRig()
    try await network.playToTheEnd("c1(a) W1(a) | +10ms N |")
    await network.end(1, with: .failure(URLError(.networkConnectionLost)))
    try await network.playToTheEnd("| +1000ms |")
    #expect(network.starts(of: 1) == 2)
  }

  @Test("Only the last failure of each display counts for giving a row up")
  func lastOfEachDisplay() async throws {
    let rig = TrackerRig { $0.retry = .backoff(.constant(.milliseconds(100), limit: 1)) }
    try rig.play("c1(a)")
    for _ in 0..<6 {
      try await rig.playToTheEnd("W1(a) |")
      for code in [503, 504] where rig.phase(of: 1) == .loading {
        await rig.end(1, with: .failure(NSError(domain: "HTTP", code: code)))
        try await rig.playToTheEnd("| +100ms |")
      }
      try rig.play("E1(a) |")
    }
    #expect(rig.starts(of: 1) == 6)
  }

  @Test("A heal within two seconds of the last one happens later")
  func earlyHeal() async throws {
    let rig = TrackerRig()
    try await rig.playToTheEnd("c1(a) W1(a) | f1 | z | +1000ms | f1 | z |")
    #expect(rig.starts(of: 1) == 2)
    try await rig.playToTheEnd("+2000ms |")
    #expect(rig.starts(of: 1) == 3)
  }

  @Test("A returned network heals given-up connectivity failures, and no other given-up failures")
  func network() async throws {
    let offline = TrackerRig()
    #expect(
      try await Self.loads(in: 5, offline) { _ in URLError(.notConnectedToInternet) } == 3)
    try await offline.playToTheEnd("W1(a) | z | +5000ms |")
    #expect(offline.starts(of: 1) == 3, "a resumed list alone does not heal the row")
    try await offline.playToTheEnd("N | +1000ms | F1 |")
    #expect(offline.starts(of: 1) == 4 && offline.phase(of: 1) == .loaded)

    let missing = TrackerRig()
    #expect(try await Self.loads(in: 5, missing, error: Self.notFound) == 3)
    try await missing.playToTheEnd("W1(a) | N | +5000ms |")
    #expect(missing.starts(of: 1) == 3)
  }

  @Test("A returned network clears failures off screen and ends a long backoff")
  func networkOffScreen() async throws {
    let rig = TrackerRig { $0.retry = .backoff(.constant(.seconds(60), limit: 3)) }
    try await rig.playToTheEnd("c1(a) W1(a) c2(b) W2(b) |")
    for row in [1, 2] { await rig.end(row, with: .failure(URLError(.timedOut))) }
    try await rig.playToTheEnd("E2(b) | N |")
    #expect(rig.tracker.phase(of: 2).error == nil)
    try await rig.playToTheEnd("+1000ms |")
    #expect(rig.starts(of: 1) == 2 && rig.starts(of: 2) == 1)
  }

  @Test("A satisfied network path heals like the call, once for each return")
  func networkWatch() async throws {
    let rig = TrackerRig()
    let watch = NetworkWatch()
    rig.tracker.core.networkWatch = watch
    try rig.play("c1(a)")
    #expect(
      try await Self.loads(in: 5, rig) { _ in URLError(.notConnectedToInternet) } == 3)
    try await rig.playToTheEnd("W1(a) |")
    watch.pathChanged(isSatisfied: true)
    try await rig.playToTheEnd("| +1000ms |")
    #expect(rig.starts(of: 1) == 3, "the path was satisfied before")
    watch.pathChanged(isSatisfied: false)
    watch.pathChanged(isSatisfied: true)
    watch.pathChanged(isSatisfied: true)
    try await rig.playToTheEnd("| +1000ms |")
    #expect(rig.starts(of: 1) == 4)
    #expect(watch.users.count == 1, "each turn after the failure")
  }

  @Test("A tracker joins the network watch only once a load has lacked the network")
  func noNetworkWatch() async throws {
    let (rig, watch) = (TrackerRig(), NetworkWatch())
    rig.tracker.core.networkWatch = watch
    try await rig.playToTheEnd("c1(a) W1(a) | |")
    await rig.end(1, with: .success(.init(row: 1, generation: 0)))
    #expect(watch.users.count == 0)
  }

  @Test("The network watch releases a deallocated tracker")
  func watchedTrackerIsReleased() async throws {
    let watch = NetworkWatch()
    weak var core: TrackerCore?
    do {
      let rig = TrackerRig()
      rig.tracker.core.networkWatch = watch
      core = rig.tracker.core
      _ = try await Self.loads(in: 1, rig) { _ in URLError(.timedOut) }
      try rig.play("+1000ms | |")
      await rig.tracker.waitUntilIdle()
    }
    for _ in 0..<100 where core != nil { await Task.yield() }
    #expect(core == nil)
    watch.pathChanged(isSatisfied: false)
    watch.pathChanged(isSatisfied: true)
  }

  @Test("With .never neither a resumed list nor a returned network heals a row")
  func never() async throws {
    let rig = TrackerRig { $0.retry = .never }
    try await rig.playToTheEnd("c1(a) W1(a) |")
    await rig.end(1, with: .failure(URLError(.notConnectedToInternet)))
    try await rig.playToTheEnd("| Z z N +5000ms |")
    #expect(rig.starts(of: 1) == 1 && rig.phase(of: 1) == .failed)
  }

  // MARK: Refreshing

  @Test("A refresh returns after the first attempt, even if more attempts follow")
  func refreshEndsEarly() async throws {
    let rig = TrackerRig { $0.retry = .backoff(.constant(.seconds(60), limit: 9)) }
    try await rig.playToTheEnd("c1(a) W1(a) | F1 |")
    let refreshed = Task { await rig.tracker.refresh([1]) }
    await rig.tracker.waitUntil { _ in rig.starts(of: 1) == 2 }
    try await rig.playToTheEnd("f1 |")
    await refreshed.value
    #expect(rig.phase(of: 1) == .waiting && rig.tracker.phase(of: 1).value?.row == 1)
  }

  @Test("A refresh waits for a load that started after it, not for an earlier one")
  func refreshWaitsForItsOwn() async throws {
    let rig = TrackerRig()
    try await rig.playToTheEnd("c1(a) W1(a) |")
    var isRefreshed = false
    let refreshed = Task {
      await rig.tracker.refresh([1])
      isRefreshed = true
    }
    await rig.tracker.waitUntil { tracker in !tracker.core.waiters.isEmpty }
    try await rig.playToTheEnd("F1 | |")
    await rig.tracker.pendingTurns()
    #expect(!isRefreshed && rig.starts(of: 1) == 2)
    try await rig.playToTheEnd("F1 |")
    await refreshed.value
    #expect(rig.phase(of: 1) == .loaded)
  }
}
