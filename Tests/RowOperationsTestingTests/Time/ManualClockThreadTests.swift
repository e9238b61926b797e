import RowOperationsTesting
import Testing

@Suite("A manual clock in the hands of many threads")
struct ManualClockThreadTests {
  /// Lets a clock run until all of a group have ended.
  private static func run(_ clock: ManualClock, until hasEnded: () -> Bool) async {
    while !hasEnded() {
      clock.advance(by: .milliseconds(1))
      await Task.yield()
    }
  }

  @Test(
    "Every sleep ends, none before its deadline, while the clock runs on", .timeLimit(.minutes(10)))
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
    "A sleep that is cancelled as its time comes ends once, one way or the other",
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
    // All are cancelled by now: none can be left sleeping.
    for task in tasks { await task.value }
    #expect(ends.all.count == 400)
    #expect(clock.sleepers == 0)
  }

  @Test("Advancing from several threads adds up")
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
