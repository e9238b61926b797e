import Testing

@testable import AsyncOperations

@Suite("Retry strategies")
struct RetryStrategyTests {
  static func delays(
    _ strategy: RetryStrategy, chance: Double = 0, attempts: Int = 8
  ) -> [Duration?] {
    (0..<attempts).map { strategy.delay(beforeRetry: $0, chance: chance) }
  }

  /// Rounded, since delays are computed in floating point.
  static func milliseconds(_ strategy: RetryStrategy, chance: Double = 0) -> [Double] {
    delays(strategy, chance: chance).compactMap { $0 }
      .map { ($0.milliseconds * 1000).rounded() / 1000 }
  }

  @Test("An immediate strategy retries without a delay, up to its limit")
  func immediate() {
    #expect(Self.delays(.immediate(limit: 2), attempts: 4) == [.zero, .zero, nil, nil])
  }

  @Test("A constant strategy has one delay, independent of chance")
  func constant() {
    let strategy = RetryStrategy.constant(.milliseconds(300), limit: 3)
    #expect(Self.milliseconds(strategy) == [300, 300, 300])
    #expect(Self.milliseconds(strategy, chance: 1) == [300, 300, 300])
  }

  @Test("A list of delays is used in order and is its own limit")
  func list() {
    let strategy = RetryStrategy.delays([.seconds(3), .zero, .seconds(1)])
    #expect(strategy.limit == 3)
    #expect(Self.milliseconds(strategy) == [3000, 0, 1000])
    #expect(Self.delays(.delays([]), attempts: 1) == [nil])
  }

  @Test("An exponential strategy doubles each delay up to the maximum")
  func exponential() {
    let strategy = RetryStrategy.exponential(
      from: .milliseconds(200), maximum: .milliseconds(1500), limit: 6)
    #expect(Self.milliseconds(strategy) == [200, 400, 800, 1500, 1500, 1500])
  }

  @Test("A factor below 1 counts as 1: no delay is shorter than the one before it")
  func smallFactor() {
    for factor in [0.5, 0, -3, 1] {
      let strategy = RetryStrategy.exponential(from: .seconds(1), factor: factor, limit: 3)
      #expect(Self.milliseconds(strategy) == [1000, 1000, 1000])
    }
  }

  @Test(
    "Attempts beyond the limit and before the first one have no delay", arguments: [-1, 0, 1, 5])
  func limits(limit: Int) {
    for strategy in [
      RetryStrategy.immediate(limit: limit), .constant(.seconds(1), limit: limit),
      .exponential(from: .seconds(1), limit: limit),
    ] {
      for attempt in -2..<8 {
        let isThere = strategy.delay(beforeRetry: attempt, chance: 0.5) != nil
        #expect(isThere == (attempt >= 0 && attempt < limit))
      }
    }
    #expect(RetryStrategy.delays([.zero]).delay(beforeRetry: -1, chance: 0) == nil)
  }

  // MARK: Jitter

  @Test("Jitter shortens a delay by chance and never makes it longer")
  func jitter() {
    let strategy = RetryStrategy.exponential(from: .milliseconds(100), jitter: 0.25, limit: 3)
    #expect(Self.milliseconds(strategy, chance: 0) == [100, 200, 400])
    #expect(Self.milliseconds(strategy, chance: 0.5) == [87.5, 175, 350])
    #expect(Self.milliseconds(strategy, chance: 1) == [75, 150, 300])
  }

  @Test("A jitter outside 0 to 1 counts as the nearer bound")
  func jitterBounds() {
    func delays(_ jitter: Double) -> [Double] {
      let strategy = RetryStrategy.exponential(from: .milliseconds(100), jitter: jitter, limit: 2)
      return Self.milliseconds(strategy, chance: 1)
    }
    #expect(delays(-2) == [100, 200])
    #expect(delays(7) == [0, 0])
  }

  @Test("For any chance a delay lies between its jittered minimum and the maximum")
  func jitterRange() {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<1000 {
      let jitter = Double.random(in: 0...1, using: &random)
      let first = Double.random(in: 0...2000, using: &random)
      let strategy = RetryStrategy.exponential(
        from: .milliseconds(first), factor: .random(in: 1...4, using: &random),
        maximum: .seconds(5), jitter: jitter, limit: 20)
      let attempt = Int.random(in: 0..<20, using: &random)
      let chance = Double.random(in: 0...1, using: &random)
      guard let longest = strategy.delay(beforeRetry: attempt, chance: 0)?.milliseconds,
        let delay = strategy.delay(beforeRetry: attempt, chance: chance)?.milliseconds
      else {
        Issue.record("Attempt \(attempt) is missing.")
        return
      }
      #expect(longest <= 5000)
      #expect(delay <= longest && delay >= longest * (1 - jitter) - 0.001)
    }
  }

  // MARK: Extremes

  @Test(
    "Exponents of any size stay at the maximum", arguments: [64, 1023, 1024, 5000, Int.max - 1])
  func hugeExponents(attempt: Int) {
    let strategy = RetryStrategy.exponential(from: .seconds(1), jitter: 0, limit: .max)
    #expect(strategy.delay(beforeRetry: attempt, chance: 0) == .seconds(60))
    let steep = RetryStrategy.exponential(from: .seconds(1), factor: .infinity, limit: .max)
    #expect(steep.delay(beforeRetry: attempt, chance: 0) == .seconds(60))
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

  @Test("The longest possible delay does not trap")
  func longest() {
    let strategy = RetryStrategy.exponential(
      from: .seconds(Int64.max), maximum: .seconds(Int64.max), jitter: 0, limit: 3)
    #expect(strategy.delay(beforeRetry: 2, chance: 0) == .seconds(Int64.max))
  }

  @Test("Parameters that are not numbers are ignored", arguments: [0, 3])
  func noNumber(attempt: Int) {
    for strategy in [
      RetryStrategy.exponential(from: .seconds(1), factor: .nan, limit: 4),
      .exponential(from: .seconds(1), factor: 1, jitter: .nan, limit: 4),
    ] {
      #expect(strategy.delay(beforeRetry: attempt, chance: 0) == .seconds(1))
    }
    let strategy = RetryStrategy.exponential(from: .seconds(1), factor: 1, limit: 4)
    #expect(strategy.delay(beforeRetry: attempt, chance: .nan) == .seconds(1))
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

  @Test("The longest wait of a server does not trap, with all of the jitter")
  func longestRetryAfter() {
    var strategy = RetryStrategy.exponential(from: .seconds(1), jitter: 1, limit: 3)
    strategy.longestWait = .seconds(Int64.max)
    for chance in [0, 0.5, 1, .nan] {
      let delay = strategy.delay(
        beforeRetry: 0, chance: chance, retryAfter: .seconds(Int64.max))
      #expect(delay.map { $0 >= .seconds(Int64.max) } == true)
    }
  }
}
