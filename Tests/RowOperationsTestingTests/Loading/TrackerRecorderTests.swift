import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("Tracker recorder", .timeLimit(.minutes(10)))
@MainActor
struct TrackerRecorderTests {
  struct Failure: Error {}

  let recorder = TrackerRecorder<Int>()

  func record(_ row: Int, _ kind: TrackerEvent.Kind) {
    recorder.record(TrackerEvent(row: row, kind: kind, time: .zero))
  }

  static let allKinds: [TrackerEvent.Kind] = [
    .displayed, .endedDisplaying, .prefetched, .landing, .waiting, .leftWaiting, .started(1),
    .finished(2), .failed(3, Failure()), .cancelled(4), .stopped(5, at: .fetch), .refused(6),
    .evicted,
  ]

  @Test("The recorder keeps all events in order")
  func events() {
    for (row, kind) in Self.allKinds.enumerated() { record(row, kind) }
    #expect(recorder.events.map(\.row) == Array(0..<13))
    #expect(recorder.rows { _ in true } == Array(0..<13))
  }

  @Test("The recorder lists the rows of each kind of event")
  func kinds() {
    for round in [0, 100] {
      for (row, kind) in Self.allKinds.enumerated() { record(round + row, kind) }
    }
    #expect(recorder.started == [6, 106])
    #expect(recorder.finished == [7, 107])
    #expect(recorder.failed == [8, 108])
    #expect(recorder.cancelled == [9, 109])
    #expect(recorder.stopped == [10, 11, 110, 111])
  }

  // MARK: Waiting

  @Test("A condition that already holds causes no wait")
  func alreadyTrue() async {
    record(3, .displayed)
    await recorder.wait { $0.events.count == 1 }
  }

  /// The state of a waiting task.
  final class Waiter {
    var asked = 0
    var hasGoneOn = false
  }

  /// Begins to wait, and returns after the first evaluation of the condition.
  func startWaiting(
    until condition: @escaping (TrackerRecorder<Int>) -> Bool
  ) async -> (Waiter, Task<Void, Never>) {
    let waiter = Waiter()
    let task = Task {
      await recorder.wait { recorder in
        waiter.asked += 1
        return condition(recorder)
      }
      waiter.hasGoneOn = true
    }
    while waiter.asked == 0 { await Task.yield() }
    return (waiter, task)
  }

  @Test("A condition is evaluated once per event until it holds")
  func askedOnce() async {
    let (waiter, task) = await startWaiting { $0.events.count == 3 }
    record(1, .displayed)
    #expect(waiter.asked == 2)
    record(1, .waiting)
    #expect(waiter.asked == 3)
    #expect(!waiter.hasGoneOn)
    record(1, .started(1))
    record(1, .finished(1))
    #expect(waiter.asked == 4)
    await task.value
    #expect(waiter.hasGoneOn)
  }

  @Test("Several tasks can wait, each for its own event")
  func several() async {
    let (first, firstTask) = await startWaiting { $0.finished == [1] }
    let (second, secondTask) = await startWaiting { !$0.cancelled.isEmpty }
    record(1, .finished(1))
    await firstTask.value
    #expect(first.hasGoneOn)
    #expect(!second.hasGoneOn)
    record(2, .cancelled(2))
    await secondTask.value
    #expect(second.hasGoneOn)
  }

  @Test("A condition that holds for only one event is not missed")
  func passing() async {
    let (_, task) = await startWaiting { $0.events.last?.row == 2 }
    for row in 1...3 { record(row, .displayed) }
    await task.value
    #expect(recorder.events.count == 3)
  }

  @Test("A cancelled task stops waiting, before the wait and during it")
  func cancelled() async {
    let (waiter, task) = await startWaiting { _ in false }
    task.cancel()
    await task.value
    #expect(waiter.hasGoneOn)
    let early = Task {
      while !Task.isCancelled { await Task.yield() }
      await recorder.wait { _ in false }
    }
    early.cancel()
    await early.value
    record(1, .displayed)
    #expect(waiter.asked == 1)
  }
}
