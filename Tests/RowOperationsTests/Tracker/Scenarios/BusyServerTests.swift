import AsyncOperations
import Foundation
import Proofs
import RowOperationsTesting
import Testing

@testable import RowOperations
@testable import TestSupport

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("A server that allows five requests a second", .timeLimit(.minutes(10)))
@MainActor
struct BusyServerTests {
  @Test("20 rows load from a server of five requests a second, with few refusals")
  func busyServer() throws {
    let rows = VirtualRows(UpdateSlots(6))
    try rows.play("cW[0…19]")
    var accepted: [Int] = []
    var refusals = 0
    // A request takes 50 ms, and counts for a second from its arrival.
    for time in 1...120 where rows.loaded.count < 20 {
      let loading = rows.loading
      rows.clock.advance(by: .milliseconds(50))
      for row in loading {
        accepted.removeAll { $0 <= time - 20 }
        let isAccepted = accepted.count < 5
        if isAccepted { accepted.append(time) } else { refusals += 1 }
        _ = rows.tracker.endLoad(of: row) { _ in
          isAccepted ? .success(row) : .failure(VirtualRows.refusal(1))
        }
      }
      rows.tracker.endPass()
      #expect(rows.tracker.audit() == [])
    }
    #expect(rows.loaded.count == 20 && refusals <= 15, "\(refusals)")
    #expect(rows.tracker.metrics.failed == refusals)
  }

  @Test("All rows load from a real server that allows five requests a second")
  func realServer() async throws {
    let times = Box<[ContinuousClock.Instant]>([])
    let refusals = Box()
    let server = try Server { connection in
      let now = ContinuousClock.now
      let isAccepted = times.change { times in
        times.removeAll { $0 < now - .seconds(1) }
        if times.count < 5 { times.append(now) }
        return times.last == now
      }
      if isAccepted {
        connection.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\n1")
      } else {
        refusals.add()
        connection.send(
          "HTTP/1.1 429 Too Many\r\nRetry-After: 1\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
        )
      }
    }
    let (url, session) = (try server.url(), URLSession.testing())
    var configuration = TrackerConfiguration<Int, Int>()
    configuration.slots = UpdateSlots(6)
    let tracker = DisplayTracker<Int, Int>(configuration: configuration) { context in
      try await context.fetch(url, from: session).count
    }
    let cells = (0..<12).map { SimulatedCell(number: $0) }
    for cell in cells {
      tracker.bind(cell, to: cell.number) { _, _ in }
      tracker.willDisplay(cell)
    }
    await tracker.waitUntilIdle()
    let values = (0..<12).map { tracker.phase(of: $0).value }
    #expect(values.allSatisfy { $0 == 1 }, "\(values)")
    #expect(tracker.metrics.failed == refusals.value)
    withExtendedLifetime(cells) {}
  }
}
