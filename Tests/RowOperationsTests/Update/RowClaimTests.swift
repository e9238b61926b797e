// Sources/RowOperationsTesting/Scripts/EventScript.swift explains the letters of event scripts.

import Foundation
import RowOperationsTesting
import Testing

@testable import AsyncOperations
@testable import RowOperations
@testable import TestSupport

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("Claims that reach the loads", .timeLimit(.minutes(10)))
@MainActor
struct RowClaimTests {
  private func claim(of row: Int, in rig: TrackerRig) -> RowClaim? { rig.context(of: row)?.claim }

  @Test("An update knows the strongest claim of its row at each moment")
  func follows() async throws {
    let rig = TrackerRig { $0.grace = .seconds(10) }
    try rig.play("P[1] |")
    await rig.loadsBegan()
    #expect(claim(of: 1, in: rig) == .prefetched)
    try rig.play("c1(a) W1(a) |")
    #expect(claim(of: 1, in: rig) == .displayed)
    try rig.play("P[1] |")
    #expect(claim(of: 1, in: rig) == .displayed, "a prefetch is the weaker claim")
    try rig.play("E1(a) |")
    #expect(claim(of: 1, in: rig) == .prefetched, "the list still prefetches the row")
    try rig.play("X[1] |")
    #expect(claim(of: 1, in: rig) == .prefetched, "the load lives on for its grace")
    try rig.play("B L[1] |")
    #expect(claim(of: 1, in: rig) == .landing)
    try rig.play("W1(a) |")
    #expect(claim(of: 1, in: rig) == .displayed)
    #expect(rig.violations == [])
  }

  @Test("A live row's sequence is opened with the claim of the load that waits for its value")
  func live() async {
    let claims = Log<RowClaim>([])
    let tracker = DisplayTracker<Int, Int>(updates: { context in
      claims.append(context.claim)
      return AsyncStream { $0.yield(1) }
    })
    tracker.prefetch([1])
    await tracker.waitUntilIdle()
    #expect(claims.value == [.prefetched])
  }

  @Test("The stream of a row that comes on screen has its claim, though a prefetch has opened it")
  func liveDisplayed() async {
    let contexts = Log<UpdateContext<Int, Int>>([])
    let (elements, source) = AsyncStream.makeStream(of: Int.self)
    let tracker = DisplayTracker<Int, Int>(updates: { context in
      contexts.append(context)
      return elements
    })
    tracker.prefetch([1])
    tracker.endPass()
    await until { contexts.value.count == 1 }
    let cell = SimulatedCell(number: 0)
    tracker.bind(cell, to: 1) { _, _ in }
    tracker.willDisplay(cell)
    tracker.endPass()
    source.yield(1)
    await tracker.waitUntil { $0.phase(of: 1).kind == .loaded }
    #expect(contexts.value.map(\.claim) == [.displayed])
  }

  @Test("A load begins with the claim that its row has then")
  func begins() async throws {
    let rig = TrackerRig { $0.slots = UpdateSlots(1) }
    try rig.play("c0(a) W0(a) | B L[1] P[2] |")
    try rig.play("S c1(b) W1(b) |")
    await rig.end(0, with: .success(.init(row: 0, generation: 0)))
    await rig.loadsBegan()
    #expect(claim(of: 1, in: rig) == .displayed)
    await rig.end(1, with: .success(.init(row: 1, generation: 0)))
    await rig.loadsBegan()
    #expect(claim(of: 2, in: rig) == .prefetched)
    #expect(rig.violations == [])
  }

  @Test("An update without a tracker is displayed, and a context of a test has any claim")
  func loose() async throws {
    let token = RowToken(row: 1, generation: 1)
    #expect(UpdateContext<Int, Int>(token: token).claim == .displayed)
    #expect(UpdateContext<Int, Int>(token: token, claim: .landing).claim == .landing)
    let operation = UpdateOperation<Int, RowClaim>(token: token) { $0.claim }
    #expect(try await OperationQueue(width: 1).value(of: operation) == .displayed)
  }

  /// On Linux the first request over a connection keeps a thread busy until it ends, so this test
  /// has a process of its own.
  @Test("The request of a fetch has the priority of the claim, and changes it with the claim")
  func priority() async {
    await #expect(processExitsWith: .success) {
      Watchdog.start(Watchdog.patient)
      try await RowClaimTests().watchPriority()
    }
  }

  private func watchPriority() async throws {
    let arrived = Gate()
    let server = try Server {
      arrived.open()
      $0.waitForClose()
    }
    let (url, session) = (try server.url(), URLSession.testing())
    let tracker = DisplayTracker<Int, Data> { try await $0.fetch(url, from: session) }
    let cell = SimulatedCell(number: 1)
    tracker.bind(cell, to: 1) { _, _ in }
    tracker.prefetch([1])
    await arrived.opened()
    try await waitForPriority(URLSessionTask.lowPriority, in: session)
    tracker.willDisplay(cell)
    try await waitForPriority(URLSessionTask.highPriority, in: session)
    tracker.didEndDisplaying(cell)
    tracker.scrollWillBegin()
    tracker.scrollWillEnd(landingOn: [1])
    try await waitForPriority(URLSessionTask.defaultPriority, in: session)
    tracker.remove([1])
    await tracker.waitUntilIdle()
  }

  /// Waits until the one request of a session has a priority.
  ///
  /// The change is made on a queue of the fetches.
  private func waitForPriority(_ priority: Float, in session: URLSession) async throws {
    while await priorities(in: session) != [priority] {
      try await Task.sleep(for: .milliseconds(1))
    }
  }

  private func priorities(in session: URLSession) async -> [Float] {
    #if canImport(FoundationNetworking)
      let router = FetchSessions.shared.session(for: session).1
      return router.fetches.withLock { $0.values.compactMap { $0.task?.priority } }
    #else
      return await session.allTasks.map(\.priority)
    #endif
  }
}
