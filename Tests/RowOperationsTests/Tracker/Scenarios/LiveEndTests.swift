// Sources/RowOperationsTesting/Scripts/EventScript.swift explains the letters of event scripts.

import Foundation
import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("Streams that end, fail and are suspended", .timeLimit(.minutes(10)))
@MainActor
struct LiveEndTests {
  private typealias Tick = LiveRig.Tick

  private let rig = LiveRig()
  private let first = Tick(row: 1, text: "first")

  // MARK: Ends

  @Test("A stream that ends opens again at the next display")
  func end() async throws {
    try await rig.show(1...1)
    await rig.end(1)
    #expect(rig.shows(1, "first") && rig.tracker.metrics.live == 0)
    rig.pass(.seconds(3600))
    #expect(rig.streams.log.opened == [1])
    try rig.play("E1(a) | W1(a) |")
    await rig.streams.waitForStreams([1])
    #expect(rig.phase(1) == .loading(previous: first))
    #expect(rig.violations == [])
  }

  @Test("The last element before an end shows at once")
  func lastElement() async throws {
    try await rig.show(1...1)
    await rig.send("last", to: 1)
    #expect(rig.shows(1, "first"))
    await rig.end(1)
    #expect(rig.shows(1, "last"))
  }

  @Test("A stream without an element is a failed load")
  func noElement() async throws {
    try rig.play("cW[1] |")
    await rig.streams.waitForStreams([1])
    rig.streams.end(1)
    await rig.recorder.wait { $0.failed == [1] }
    let error = rig.phase(1).error as? OperationError
    #expect(error?.code == .endedWithoutValue)
    #expect(rig.violations == [])
  }

  // MARK: Failures

  @Test("A failed stream opens again after one second, then later and later")
  func failures() async throws {
    try await rig.show(1...1)
    for (count, delay) in [1, 2, 4, 8, 16, 30, 30].enumerated() {
      await rig.end(1, with: LiveRig.Failure())
      #expect(rig.phase(1) == .waiting(previous: first, error: LiveRig.Failure()))
      rig.pass(.milliseconds(delay * 700))
      #expect(rig.streams.log.opened.count == count + 1, "at least three quarters of \(delay) s")
      rig.pass(.milliseconds(delay * 300))
      await rig.streams.wait { $0.opened.count == count + 2 }
      #expect(rig.phase(1) == .loading(previous: first))
    }
    #expect(rig.violations == [])
  }

  @Test("A failed stream that must not open again fails its row until the next display")
  func noRetry() async throws {
    for isNever in [true, false] {
      let rig = LiveRig {
        if isNever { $0.retry = .never } else { $0.shouldRetry = { _ in false } }
      }
      try await rig.show(1...1)
      await rig.end(1, with: LiveRig.Failure())
      #expect(rig.phase(1) == .failed(LiveRig.Failure(), previous: first))
      rig.pass(.seconds(3600))
      #expect(rig.streams.log.opened == [1])
      rig.tracker.retry(1)
      rig.tracker.endPass()
      await rig.streams.waitForStreams([1])
      #expect(rig.phase(1) == .loading(previous: first))
      await rig.end(1, with: LiveRig.Failure())
      try rig.play("E1(a) | W1(a) |")
      await rig.streams.waitForStreams([1])
      #expect(rig.violations == [])
    }
  }

  @Test("A stream that fails for lack of a network opens when the network is back")
  func network() async throws {
    try await rig.show(1...1)
    for _ in 0..<6 {
      await rig.end(1, with: URLError(.notConnectedToInternet))
      rig.pass(.seconds(30))
      await rig.streams.waitForStreams([1])
    }
    await rig.end(1, with: URLError(.notConnectedToInternet))
    rig.tracker.networkDidReturn()
    rig.tracker.endPass()
    rig.pass(.seconds(1))
    await rig.streams.waitForStreams([1])
    #expect(rig.violations == [])
  }

  // MARK: Suspension

  @Test("A suspended tracker ends its streams, and opens them again within a second")
  func suspension() async throws {
    try await rig.show(1...3)
    rig.tracker.suspend()
    await rig.streams.waitForStreams([])
    rig.tracker.endPass()
    #expect(rig.shows(1, "first") && rig.tracker.metrics.live == 0)
    #expect(rig.violations == [])
    rig.pass(.seconds(60))
    rig.tracker.resume()
    rig.tracker.endPass()
    rig.pass(.seconds(1))
    await rig.streams.waitForStreams([1, 2, 3])
    #expect(rig.phase(1) == .loading(previous: first))
    #expect(rig.violations == [])
  }

  // MARK: Time

  @Test("The time limit covers the first element, also without a slot, and no later one")
  func timeout() async throws {
    let rig = LiveRig { $0.timeout = .seconds(2) }
    try rig.play("cW[1…2] |")
    await rig.streams.waitForStreams([1, 2])
    await rig.first([2])
    rig.pass(.seconds(1))
    #expect(rig.phase(1) == .loading(previous: nil) && rig.tracker.metrics.live == 2)
    rig.pass(.seconds(1))
    #expect((rig.phase(1).error as? OperationError)?.code == .timedOut)
    rig.pass(.seconds(60))
    #expect(rig.shows(2, "first"))
    await rig.streams.waitForStreams([2])
    #expect(rig.violations == [])
  }

  // MARK: Texts

  @Test("An explanation says since when a row is live, or why it is not")
  func explanation() async throws {
    let rig = LiveRig { $0.liveLimit = 1 }
    try await rig.show(1...2)
    rig.pass(.seconds(3))
    #expect(rig.tracker.explain(1) == "Row 1 is loaded, and live since 3 s.")
    #expect(
      rig.tracker.explain(2) == "Row 2 is loaded, and listens once fewer than 1 row is live.")
    await rig.end(1, with: LiveRig.Failure())
    #expect(rig.tracker.explain(1).hasPrefix("Row 1 is loaded; its stream has failed"))
  }
}
