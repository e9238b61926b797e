import Foundation
import Testing

@testable import fling

@Suite("Signals", .timeLimit(.minutes(5)))
struct SignalTests {
  @Test("A signal that comes right after its source is made calls the closure")
  func earlySignal() async {
    for _ in 0..<50 {
      let (signals, signal) = AsyncStream<Void>.makeStream()
      let source = SignalSource(SIGUSR2, on: .global()) { signal.yield() }
      kill(getpid(), SIGUSR2)
      for await _ in signals { break }
      source.cancel()
    }
  }

  @Test("A cancelled source gives the signal its earlier effect back")
  func cancel() {
    let before = signal(SIGURG, SIG_IGN)
    defer { signal(SIGURG, before) }
    SignalSource(SIGURG, on: .global()) {}.cancel()
    let after = signal(SIGURG, SIG_DFL)
    #expect(unsafeBitCast(after, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self))
  }
}
