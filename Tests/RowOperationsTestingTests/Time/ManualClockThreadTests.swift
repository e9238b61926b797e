import RowOperationsTesting
import Testing

@Suite("A manual clock on many threads")
struct ManualClockThreadTests {
  /// Advances a clock until all tasks of a group have ended.
  private static func run(_ clock: ManualClock, until hasEnded: () -> Bool) async {
    while !hasEnded() {
      clock.advance(by: .milliseconds(1))
      await Task.yield()
    }
  }

  @Test(
    "Every sleep ends, and none before its deadline, while the clock advances",
    .timeLimit(.minutes(10)))
  func allWake() async {
    let (clock, ended, early) = (ManualClock(), Notes(), Notes())
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<200 {
        group.addTask {
          for round in 1...5 {
            let deadline = clock.now.advanced(by: .milliseconds(task % 7 * round))
            try? await clock.sleep(until: deadline, tolerance: nil)
            if clock.now < deadline { early.add("\(deadline)") }
          }
          ended.add("\(task)")
        }
      }
      await Self.run(clock) { ended.all.count == 200 }
    }
    #expect(early.all == [])
    #expect(clock.sleepers == 0)
  }

  @Test(
    "A sleep that is cancelled at its deadline ends once",
    .timeLimit(.minutes(10)))
  func cancelledAtDeadline() async {
    let clock = ManualClock()
    let ends = Notes()
    let tasks = (0..<400).map { number in
      Task {
        do {
          try await clock.sleep(for: .milliseconds(1 + number % 20))
          ends.add("woken")
        } catch {
          ends.add("cancelled")
        }
      }
    }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { for task in tasks { task.cancel() } }
      group.addTask {
        for _ in 0..<20 {
          clock.advance(by: .milliseconds(1))
          await Task.yield()
        }
      }
    }
    // All tasks are cancelled by now, so none can still sleep.
    for task in tasks { await task.value }
    #expect(ends.all.count == 400)
    #expect(clock.sleepers == 0)
  }

  @Test("Advances from several threads add up")
  func advancing() async {
    let clock = ManualClock()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask { for _ in 0..<1000 { clock.advance(by: .microseconds(1)) } }
      }
    }
    #expect(clock.now.elapsed == .milliseconds(8))
  }
}
