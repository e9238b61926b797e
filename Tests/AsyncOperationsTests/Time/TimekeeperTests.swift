import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("The timer", .timeLimit(.minutes(10)))
struct TimekeeperTests {
  private let time = HeldTime()

  @Test("A call comes when its time has passed, and not a nanosecond earlier")
  func onTime() {
    let calls = Log<Int>([])
    for second in [3, 1, 2] {
      _ = time.timekeeper.call(after: .seconds(second)) { calls.append(second) }
    }
    time.advance(by: .seconds(1) - .nanoseconds(1))
    #expect(calls.value == [])
    time.advance(by: .nanoseconds(1))
    #expect(calls.value == [1])
    time.advance(by: .seconds(2))
    #expect(calls.value == [1, 2, 3])
  }

  @Test("The alarm is set for the earliest call, and again when it fires too early")
  func alarm() {
    _ = time.timekeeper.call(after: .seconds(5)) {}
    for seconds in [7, 5] { _ = time.timekeeper.call(after: .seconds(seconds)) {} }
    #expect(time.settings.value == [.seconds(5)])
    _ = time.timekeeper.call(after: .seconds(2)) {}
    #expect(time.settings.value == [.seconds(5), .seconds(2)])
    // As when one of two timers fires early, or the wall clock was set.
    time.advance(by: .seconds(1))
    #expect(time.settings.value.last == .seconds(1))
    time.advance(by: .seconds(1))
    #expect(time.settings.value.last == .seconds(3))
    time.advance(by: .seconds(60))
    #expect(time.settings.value.count == 4 && time.timekeeper.count == 0)
    _ = time.timekeeper.call(after: .seconds(9)) {}
    #expect(time.settings.value.last == .seconds(9))
  }

  @Test("A cancelled call does not come, and its closure is released at once")
  func cancelled() {
    let isReleased = Gate()
    let ticket = time.timekeeper.call(after: .seconds(1)) { [token = Token(isReleased)] in
      withExtendedLifetime(token) {}
      Issue.record("It was cancelled.")
    }
    #expect(ticket.cancel())
    #expect(isReleased.isOpen)
    #expect(!ticket.cancel())
    time.advance(by: .seconds(2))
  }

  @Test("A call may add and cancel calls, also one that is due")
  func reentrant() {
    let calls = Log<Int>([])
    let timekeeper = time.timekeeper
    let second = Box<Timekeeper.Ticket?>(nil)
    _ = timekeeper.call(after: .seconds(1)) {
      calls.append(1)
      second.value?.cancel()
      _ = timekeeper.call(after: .zero) { calls.append(3) }
    }
    second.set(timekeeper.call(after: .seconds(2)) { calls.append(2) })
    time.advance(by: .seconds(2))
    #expect(calls.value == [1, 3])
  }

  @Test("A longer time than 36 years does not trap")
  func longest() {
    for duration in [Duration.seconds(Int64.max), .nanoseconds(Int64.max), .seconds(1e15)] {
      let ticket = Timekeeper.shared.call(after: duration) { Issue.record("It is not due.") }
      #expect(ticket.cancel())
    }
  }

  @Test("The system's alarm fires after its time, as often as it is set")
  func systemAlarm() async {
    for _ in 0..<20 {
      let (isOver, start) = (Gate(), ContinuousClock.now)
      let elapsed = Box(Duration.zero)
      // An earlier call, and a later one that is cancelled.
      _ = Timekeeper.shared.call(after: .milliseconds(1)) {}
      let later = Timekeeper.shared.call(after: .seconds(60)) {}
      _ = Timekeeper.shared.call(after: .milliseconds(2)) {
        elapsed.set(ContinuousClock.now - start)
        isOver.open()
      }
      await isOver.opened()
      #expect(elapsed.value >= .milliseconds(2))
      later.cancel()
    }
  }

  @Test("A pause that was ended before does not wait")
  func endedPause() async {
    let pause = Pause()
    pause.end()
    await pause.ended()
  }

  @Test("Plain threads that add, cancel and let time pass lose no call and make none twice")
  func threads() async {
    for round in 0..<20 {
      let time = HeldTime()
      let (due, cancelled) = (Box(), Box())
      let work: @Sendable (UInt64) -> Void = { seed in
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<200 {
          let ticket = time.timekeeper.call(
            after: .milliseconds(Int.random(in: 0..<50, using: &generator))
          ) { due.add() }
          if Bool.random(using: &generator), ticket.cancel() { cancelled.add() }
        }
      }
      await race(
        { work(UInt64(round)) }, { work(UInt64(round) + 1000) },
        { for _ in 0..<50 { time.advance(by: .milliseconds(1)) } })
      time.advance(by: .seconds(1))
      #expect(due.value + cancelled.value == 400 && time.timekeeper.count == 0)
    }
  }
}
