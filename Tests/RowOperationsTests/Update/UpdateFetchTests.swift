import Foundation
import Proofs
import RowOperationsTesting
import Testing

@testable import RowOperations
@testable import TestSupport

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("Rows that load over HTTP", .timeLimit(.minutes(10)))
@MainActor
struct UpdateFetchTests {
  private let session = URLSession.testing()

  nonisolated private static func ok(_ body: String) -> String {
    "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
  }

  /// A tracker that fetches row 7 from the path `/7`, which returns the number of the row.
  private func tracker(
    of server: Server, slots: Int = 4, limit: Int = 1 << 16, timingOutBy clock: ManualClock? = nil
  ) throws -> DisplayTracker<Int, Int> {
    let url = try server.url()
    let session = session
    var configuration = TrackerConfiguration<Int, Int>()
    configuration.slots = UpdateSlots(slots)
    configuration.grace = .zero
    // Rows that scroll past start their loads, which are then cancelled.
    configuration.scrollPolicy = .immediate
    if let clock {
      configuration.clock = clock
      configuration.timeout = .seconds(2)
    }
    return DisplayTracker(configuration: configuration) { context in
      let row = url.appendingPathComponent("\(context.row)")
      let data = try await context.fetch(row, from: session, limit: limit)
      guard let value = Int(String(decoding: data, as: UTF8.self)) else {
        throw URLError(.cannotParseResponse)
      }
      return value
    }
  }

  @Test("A fetch runs in the stage fetch, and its error is the row's failure")
  nonisolated func stage() async throws {
    let server = try Server("HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n")
    let url = try server.url()
    let session = session
    let operation = UpdateOperation<Int, Data>(token: RowToken(row: 1, generation: 1)) { context in
      try await context.fetch(url, from: session)
    }
    let error = await #expect(throws: HTTPStatusError.self) {
      try await OperationQueue(width: 1).value(of: operation)
    }
    #expect(error?.status == 404)
    let failure = try #require(error)
    #expect(
      FailureCause(failure, isRetryable: true)
        == FailureCause(HTTPStatusError(status: 404), isRetryable: true),
      "the failure counts as a repeat")
    #expect(
      FailureCause(failure, isRetryable: true)
        != FailureCause(HTTPStatusError(status: 500), isRetryable: true))
  }

  @Test("A response of any status is no failure of the load, for rows and for batches")
  nonisolated func response() async throws {
    let server = try Server(
      "HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}")
    let request = URLRequest(url: try server.url())
    let context = UpdateContext<Int, Data>(token: RowToken(row: 1, generation: 0))
    let row = try await context.response(for: request, from: session)
    let batch = try await BatchContext(rows: [1, 2]).response(for: request, from: session)
    for (data, response) in [row, batch] {
      #expect(data == Data("{}".utf8) && response.statusCode == 404)
    }
    await #expect(throws: OperationError.self) {
      try await context.response(for: request, from: session, limit: 1)
    }
  }

  @Test("An update is released after its fetch, which no longer follows the claim")
  nonisolated func released() async throws {
    let server = try Server("HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n")
    let (url, session) = (try server.url(), session)
    weak var released: UpdateOperation<Int, Data>?
    do {
      let operation = UpdateOperation<Int, Data>(token: RowToken(row: 1, generation: 1)) {
        try await $0.fetch(url, from: session)
      }
      released = operation
      _ = try? await OperationQueue(width: 1).value(of: operation)
    }
    await until { released == nil }
    #expect(released == nil)
  }

  @Test("A cancelled fetch reports the stage in which it stopped")
  nonisolated func cancelledAt() async throws {
    let arrived = Gate()
    let server = try Server {
      arrived.open()
      $0.waitForClose()
    }
    let url = try server.url()
    let session = session
    let operation = UpdateOperation<Int, Data>(token: RowToken(row: 1, generation: 1)) { context in
      // The test does not wait for a fetch that has ended early.
      defer { arrived.open() }
      return try await context.fetch(URLRequest(url: url), from: session)
    }
    OperationQueue(width: 1).enqueue(operation)
    await arrived.opened()
    operation.cancel()
    await #expect(throws: CancellationError.self) { try await operation.value }
    #expect(operation.cancelledAt == .fetch)
  }

  // On Linux the first request over a connection keeps a thread busy until it ends. These requests
  // end only after turns of the main actor, which other tests delay. So these tests run in
  // processes of their own, one after the other, as each also blocks a thread of this process.

  @Suite("Rows that load over HTTP, with a main actor of their own", .serialized)
  struct AloneTests {
    @Test("Progress rises while bytes arrive; a body in one piece reports none")
    func progress() async {
      await #expect(processExitsWith: .success) {
        Watchdog.start(Watchdog.patient)
        try await UpdateFetchTests().watchProgress()
      }
    }

    @Test("A scroll through 3,000 rows of a slow server ends with the right rows on screen")
    func slowServer() async {
      await #expect(processExitsWith: .success) {
        Watchdog.start(Watchdog.patient)
        try await UpdateFetchTests().scroll()
      }
    }

    @Test("A hostile server harms no other row")
    func hostileServer() async {
      await #expect(processExitsWith: .success) {
        Watchdog.start(Watchdog.patient)
        try await UpdateFetchTests().loadBadReplies()
      }
    }
  }

  private func watchProgress() async throws {
    let goOn = Gate()
    let server = try Server { connection in
      if connection.path == "/2" { return _ = connection.send(Self.ok("2")) }
      connection.send(
        "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 10\r\n\r\n00000")
      goOn.wait()
      connection.send("00001")
    }
    let tracker = try tracker(of: server)
    let cells = [1, 2].map { SimulatedCell(number: $0) }
    var phases: [Int: [RowPhase<Int>]] = [:]
    for (index, row) in [1, 2].enumerated() {
      tracker.bind(cells[index], to: row) { phases[row, default: []].append($1) }
      tracker.willDisplay(cells[index])
    }
    await tracker.waitUntil { $0.phase(of: 1).progress != nil }
    #expect(tracker.phase(of: 1).progress == 0.5)
    goOn.open()
    await tracker.waitUntilIdle()
    #expect(phases[1]?.last == .loaded(1) && phases[2]?.last == .loaded(2), "\(phases)")
    #expect(phases[2]?.allSatisfy { $0.progress == nil } == true, "\(phases)")
    withExtendedLifetime(cells) {}
  }

  private func scroll() async throws {
    let server = try Server { connection in
      let row = Int(connection.path.dropFirst()) ?? 0
      // Some paths never answer; only a cancel ends their requests.
      if row.isMultiple(of: 5), row < 2_900 { return _ = connection.waitForClose() }
      usleep(2_000)
      connection.send(Self.ok("\(row)"))
    }
    let tracker = try tracker(of: server)
    let app = TrackedList(tracker) { $0 }
    let list = ListSimulator(rows: Array(0..<3_000), viewport: 600) { app.handle($0) }
    list.layOut()
    var turns = 0
    while list.offset < list.maximumOffset {
      list.drag(by: 600)
      // Leaves the main actor free between two frames.
      try await Task.sleep(for: .milliseconds(2))
      await tracker.pendingTurns()
      turns += 1
    }
    await tracker.waitUntilIdle()
    #expect(turns > 200 && tracker.metrics.cancelledRunning > 100, "\(tracker.metrics)")
    #expect(list.visibleRows.allSatisfy { tracker.phase(of: $0) == .loaded($0) })
    #expect(app.wrongRows == 0, "\(app.wrongRows)")
    #expect(tracker.audit() == [], "\(tracker.violations())")
  }

  private func loadBadReplies() async throws {
    let rows = 0..<40
    let isBroken: @Sendable (Int) -> Bool = { $0 % 2 == 1 }
    let server = try Server { connection in
      let row = Int(connection.path.dropFirst()) ?? 0
      guard isBroken(row) else { return _ = connection.send(Self.ok("\(row)")) }
      switch row / 2 % 8 {
      // Three of the 40 rows hold half of the slots.
      case 0: connection.waitForClose()
      case 1: connection.reset()
      case 2:
        connection.send("HTTP/1.1 200 OK\r\n\r\n")
        connection.sendForever([UInt8](repeating: 49, count: 1 << 12))
      case 3: connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n\(row)")
      case 4: connection.send("HTTP/1.1 401 Unauthorized\r\nConnection: close\r\n\r\n")
      case 5: connection.send("HTTP/1.1 302 Found\r\nLocation: /\(row)\r\n\r\n")
      case 6: connection.send("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
      default: connection.send("nonsense\r\n\r\n")
      }
    }
    let clock = ManualClock()
    let tracker = try tracker(of: server, slots: 6, timingOutBy: clock)
    let cells = rows.map { SimulatedCell(number: $0) }
    for (row, cell) in zip(rows, cells) {
      tracker.bind(cell, to: row) { _, _ in }
      tracker.willDisplay(cell)
    }
    let silent = rows.filter { isBroken($0) && $0 / 2 % 8 == 0 }
    await tracker.waitUntil { tracker in
      rows.allSatisfy { silent.contains($0) || !tracker.phase(of: $0).isPending }
    }
    clock.advance(by: .seconds(2))
    await tracker.waitUntilIdle()
    for row in rows {
      let phase = tracker.phase(of: row)
      if isBroken(row) {
        #expect(phase.error != nil && phase.value == nil, "row \(row): \(phase)")
      } else {
        #expect(phase == .loaded(row), "row \(row): \(phase)")
      }
    }
    #expect(tracker.audit() == [], "\(tracker.violations())")
    withExtendedLifetime(cells) {}
  }
}
