import Testing

@testable import AsyncOperations

@Suite("Retry strategies")
struct RetryStrategyTests {
  /// Rounded, since delays are computed in floating point.
  private static func milliseconds(_ strategy: RetryStrategy, chance: Double = 0) -> [Double] {
    (-2..<8).compactMap { strategy.delay(beforeRetry: $0, chance: chance)?.milliseconds }
      .map { ($0 * 1000).rounded() / 1000 }
  }

  @Test(
    "A strategy has one delay for each attempt up to its limit",
    arguments: [
      (.immediate(limit: 2), [0, 0]),
      (.immediate(limit: 0), []), (.constant(.seconds(1), limit: -1), []),
      (.constant(.milliseconds(300), limit: 3), [300, 300, 300]),
      (.delays([.seconds(3), .zero, .seconds(1)]), [3000, 0, 1000]), (.delays([]), []),
      (
        .exponential(from: .milliseconds(200), maximum: .milliseconds(1500), limit: 6),
        [200, 400, 800, 1500, 1500, 1500]
      ),
      // A factor below 1 counts as 1: no delay is shorter than the one before it.
      (.exponential(from: .seconds(1), factor: 0.5, limit: 2), [1000, 1000]),
      (.exponential(from: .seconds(1), factor: -3, limit: 2), [1000, 1000]),
      (.exponential(from: .seconds(1), factor: .nan, limit: 2), [1000, 1000]),
    ] as [(RetryStrategy, [Double])])
  func delays(strategy: RetryStrategy, expected: [Double]) {
    #expect(Self.milliseconds(strategy) == expected)
    #expect(strategy.limit == expected.count || strategy.limit < 0)
  }

  // MARK: Jitter

  @Test(
    "Jitter, from 0 to 1, shortens a delay by chance and never makes it longer",
    arguments: [
      (0.25, 0, [100, 200]), (0.25, 0.5, [87.5, 175]), (0.25, 1, [75, 150]),
      (-2, 1, [100, 200]), (7, 1, [0, 0]), (.nan, 1, [100, 200]), (0.25, .nan, [100, 200]),
    ] as [(Double, Double, [Double])])
  func jitter(jitter: Double, chance: Double, expected: [Double]) {
    let strategy = RetryStrategy.exponential(from: .milliseconds(100), jitter: jitter, limit: 2)
    #expect(Self.milliseconds(strategy, chance: chance) == expected)
    #expect(Self.milliseconds(.constant(.seconds(1), limit: 1), chance: chance) == [1000])
  }

  // MARK: Extremes

  @Test("Exponents, delays and waits of any size neither trap nor exceed the maximum")
  func extremes() {
    let huge = Duration.seconds(Int64.max)
    for attempt in [64, 1023, 1024, 5000, Int.max - 1] {
      for factor in [2, Double.infinity] {
        let strategy = RetryStrategy.exponential(
          from: .seconds(1), factor: factor, jitter: 0, limit: .max)
        #expect(strategy.delay(beforeRetry: attempt, chance: 0) == .seconds(60))
      }
    }
    var strategy = RetryStrategy.exponential(from: huge, maximum: huge, jitter: 1, limit: 3)
    #expect(strategy.delay(beforeRetry: 2, chance: 0) == huge)
    strategy.longestWait = huge
    for chance in [0, 0.5, 1, .nan] {
      let delay = strategy.delay(beforeRetry: 0, chance: chance, retryAfter: huge)
      #expect(delay.map { $0 >= huge } == true)
    }
  }

  @Test("A delay of zero or less stays zero", arguments: [0, 1, 1024, 5000])
  func nothing(attempt: Int) {
    for first in [Duration.zero, .seconds(-1)] {
      for strategy in [
        RetryStrategy.exponential(from: first, jitter: 1, limit: .max),
        .exponential(from: first, factor: .infinity, limit: .max), .constant(first, limit: .max),
        .exponential(from: .seconds(1), maximum: first, limit: .max),
        .delays(Array(repeating: first, count: 5001)),
      ] {
        #expect(strategy.delay(beforeRetry: attempt, chance: 1) == .zero)
      }
    }
  }

  // MARK: Retry-After

  @Test("A server's wait is the least delay, and the jitter comes on top")
  func retryAfter() {
    let strategy = RetryStrategy.exponential(from: .seconds(8), jitter: 0.5, limit: 4)
    func delay(_ chance: Double, _ retryAfter: Duration?) -> Duration? {
      strategy.delay(beforeRetry: 0, chance: chance, retryAfter: retryAfter)
    }
    #expect(delay(0, nil) == .seconds(8) && delay(1, nil) == .seconds(4))
    #expect(delay(1, .seconds(4)) == .seconds(4))
    // It asks for less than the strategy waits anyway.
    #expect(delay(0, .seconds(8)) == .seconds(8) && delay(1, .seconds(4)) == .seconds(4))
    #expect(delay(0, .seconds(30)) == .seconds(30))
    #expect(delay(0.5, .seconds(30)) == .seconds(37.5) && delay(1, .seconds(30)) == .seconds(45))
    #expect(strategy.delay(beforeRetry: 4, chance: 0, retryAfter: .seconds(1)) == nil)
  }

  @Test("A server that wants more than the longest wait ends the attempts")
  func tooLong() {
    var strategies: [(RetryStrategy, Duration)] = [
      (.immediate(limit: 3), .seconds(60)), (.constant(.seconds(1), limit: 3), .seconds(60)),
      (.constant(.seconds(90), limit: 3), .seconds(90)),
      (.delays([.seconds(70), .seconds(2), .zero]), .seconds(70)),
      (.exponential(from: .seconds(1), limit: 3), .seconds(60)),
      (.exponential(from: .seconds(1), maximum: .seconds(5), jitter: 0, limit: 3), .seconds(5)),
    ]
    var patient = RetryStrategy.immediate(limit: 3)
    patient.longestWait = .seconds(600)
    strategies.append((patient, .seconds(600)))
    for (strategy, longest) in strategies {
      #expect(strategy.delay(beforeRetry: 2, chance: 0, retryAfter: longest) == longest)
      let more = longest + .nanoseconds(1)
      #expect(strategy.delay(beforeRetry: 2, chance: 0, retryAfter: more) == nil)
      #expect(strategy.delay(beforeRetry: 2, chance: 0, retryAfter: .seconds(Int64.max)) == nil)
    }
  }
}
