import RowOperationsTesting
import Testing

@Suite("Manual clock", .timeLimit(.minutes(10)))
struct ManualClockTests {
  let clock = ManualClock()
  let notes = Notes()

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func sleeper(
    _ name: String, until milliseconds: Int, on executor: StepExecutor
  ) -> Task<Void, Never> {
    executor.start { [clock, notes] in
      do {
        let deadline = ManualClock.Instant(elapsed: .milliseconds(milliseconds))
        try await clock.sleep(until: deadline, tolerance: nil)
        notes.add("\(name) woke")
      } catch {
        notes.add("\(name): \(type(of: error))")
      }
    }
  }

  @Test("The clock stands at zero until it is advanced")
  func now() {
    #expect(clock.now.elapsed == .zero)
    clock.advance(by: .milliseconds(150))
    clock.advance(by: .nanoseconds(1))
    #expect(clock.now.elapsed == .milliseconds(150) + .nanoseconds(1))
    #expect(clock.minimumResolution == .zero)
  }

  @Test("The duration between two instants is the advance between them")
  func instants() {
    let start = clock.now
    #expect(clock.measure { clock.advance(by: .seconds(3)) } == .seconds(3))
    #expect(start < clock.now)
    #expect(start.advanced(by: .seconds(3)) == clock.now)
    #expect(clock.now.duration(to: start) == .seconds(-3))
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("A sleep ends exactly at its deadline")
  func deadline() {
    let executor = StepExecutor()
    _ = sleeper("a", until: 100, on: executor)
    #expect(clock.sleepers == 1)
    clock.advance(by: .milliseconds(100) - .nanoseconds(1))
    executor.run()
    #expect(notes.all == [])
    clock.advance(by: .nanoseconds(1))
    executor.run()
    #expect(notes.all == ["a woke"])
    #expect(clock.sleepers == 0)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("A sleep with a passed deadline returns at once", arguments: [0, 49, 50])
  func passed(deadline: Int) {
    clock.advance(by: .milliseconds(50))
    _ = sleeper("a", until: deadline, on: StepExecutor())
    #expect(notes.all == ["a woke"])
    #expect(clock.sleepers == 0)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("Sleeps end in the order of their deadlines, equal deadlines in the order of their begin")
  func order() {
    let executor = StepExecutor()
    for (name, deadline) in [("a", 30), ("b", 10), ("c", 20), ("d", 10), ("e", 99), ("f", 20)] {
      _ = sleeper(name, until: deadline, on: executor)
    }
    clock.advance(by: .milliseconds(50))
    executor.run()
    #expect(notes.all == ["b woke", "d woke", "c woke", "f woke", "a woke"])
    #expect(clock.sleepers == 1)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("A task that wakes can sleep again")
  func again() {
    let executor = StepExecutor()
    executor.start { [clock, notes] in
      for _ in 0..<3 {
        try? await clock.sleep(for: .milliseconds(10))
        notes.add("\(clock.now.elapsed)")
      }
    }
    for _ in 0..<3 {
      clock.advance(by: .milliseconds(10))
      executor.run()
    }
    #expect(notes.all == ["0.01 seconds", "0.02 seconds", "0.03 seconds"])
  }

  // MARK: Cancellation

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("A task that was cancelled before does not sleep")
  func cancelledBefore() {
    let executor = StepExecutor()
    let gate = LoadGate<Int, Bool>(stopsWhenCancelled: false)
    let task = executor.start { [clock, notes] in
      _ = try? await gate.load(.init(token: .init(row: 0, generation: 0)))
      do {
        try await clock.sleep(for: .milliseconds(100))
      } catch {
        notes.add("\(type(of: error))")
      }
    }
    task.cancel()
    gate.open(0, with: true)
    executor.run()
    #expect(notes.all == ["CancellationError"])
    #expect(clock.sleepers == 0)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("A cancelled sleep ends at once, and the other sleeps continue")
  func cancelledWhile() {
    let executor = StepExecutor()
    let task = sleeper("a", until: 100, on: executor)
    _ = sleeper("b", until: 100, on: executor)
    task.cancel()
    executor.run()
    #expect(notes.all == ["a: CancellationError"])
    #expect(clock.sleepers == 1)
    clock.advance(by: .milliseconds(100))
    executor.run()
    #expect(notes.all == ["a: CancellationError", "b woke"])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("A sleep that is cancelled after its deadline ends without an error")
  func cancelledAfter() {
    let executor = StepExecutor()
    let task = sleeper("a", until: 100, on: executor)
    clock.advance(by: .milliseconds(100))
    task.cancel()
    executor.run()
    #expect(notes.all == ["a woke"])
  }

  static let clocks: [any Clock<Duration>] = [ManualClock(), ContinuousClock(), SuspendingClock()]

  @Test("A cancelled task throws for any deadline, as on the system's clocks")
  func likeTheSystem() async {
    for clock in Self.clocks {
      for duration in [Duration.seconds(-1), .zero, .seconds(1_000_000)] {
        let task = Task {
          withUnsafeCurrentTask { $0?.cancel() }
          try await clock.sleep(for: duration)
        }
        await #expect(throws: CancellationError.self, "\(clock), \(duration)") {
          try await task.value
        }
      }
    }
  }

  // MARK: Memory

  private final class Belongings: Sendable {}

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("Ended and cancelled sleeps leave nothing behind")
  func nothingLeft() {
    let executor = StepExecutor()
    weak var woken: Belongings?
    weak var cancelled: Belongings?
    func sleep(_ belongings: Belongings) -> Task<Void, Never> {
      executor.start { [clock] in
        try? await clock.sleep(for: .milliseconds(1))
        withExtendedLifetime(belongings) {}
      }
    }
    do {
      let (one, other) = (Belongings(), Belongings())
      (woken, cancelled) = (one, other)
      sleep(other).cancel()
      _ = sleep(one)
    }
    #expect(woken != nil)
    clock.advance(by: .milliseconds(1))
    executor.run()
    #expect(woken == nil)
    #expect(cancelled == nil)
    #expect(clock.sleepers == 0)
  }
}
