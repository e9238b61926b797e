import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Clocks that count what was worked, not what was waited for: others may use the same processors.
enum CPUTime {
  /// Nanoseconds that the calling thread has worked.
  static var ofThread: Double { read(CLOCK_THREAD_CPUTIME_ID) }

  /// Nanoseconds that all threads of this process have worked.
  static var ofProcess: Double { read(CLOCK_PROCESS_CPUTIME_ID) }

  private static func read(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }
}

/// What the main queue works from here on.
///
/// On Linux the main queue may go on on another thread at any time; then nobody can tell.
struct MainTime {
  private let thread = MainTime.thread()
  private let start = CPUTime.ofThread

  /// Nanoseconds so far; not a number if it cannot be told.
  var elapsed: Double {
    let elapsed = CPUTime.ofThread - start
    return thread == Self.thread() ? elapsed : .nan
  }

  /// The calling thread by a number that is not used again soon, as the address of a thread is.
  ///
  /// Looked up by name: Swift's module of the C library leaves it out.
  private static let thread: @convention(c) () -> Int32 = {
    guard let symbol = dlsym(nil, "gettid") else { return { 0 } }
    return unsafeBitCast(symbol, to: (@convention(c) () -> Int32).self)
  }()
}

/// What a piece of work took.
struct Cost: Sendable {
  /// Nanoseconds that the main thread worked; not a number if that cannot be told.
  var main: Double
  /// Nanoseconds that the whole process worked.
  var process: Double
  /// Nanoseconds that went by.
  var elapsed: Double

  static func + (a: Cost, b: Cost) -> Cost {
    Cost(
      main: a.main + b.main, process: a.process + b.process, elapsed: a.elapsed + b.elapsed)
  }
}

/// Measures two pieces of work in turn, first A B B A, then again and again, after a warm-up.
///
/// What changes slowly, as a processor's clock does, so falls on both alike.
///
/// - Returns: One pair of costs for each round.
@MainActor
func interleave(
  rounds: Int, _ a: @MainActor () async -> Cost, _ b: @MainActor () async -> Cost
) async -> [(a: Cost, b: Cost)] {
  _ = await (a(), b())
  var pairs: [(a: Cost, b: Cost)] = []
  for _ in 0..<rounds {
    let (firstA, firstB) = await (a(), b())
    let (secondB, secondA) = await (b(), a())
    pairs.append((firstA + secondA, firstB + secondB))
  }
  return pairs
}

/// What it takes to do something on the main thread, and until all that follows from it is done.
///
/// - Parameter drained: Waits for what follows; the main thread's part in that does not count.
@MainActor
func cost(
  of body: @MainActor () async -> Void, until drained: @MainActor () async -> Void = {}
) async -> Cost {
  let start = ContinuousClock.now
  let (main, process) = (MainTime(), CPUTime.ofProcess)
  await body()
  let worked = main.elapsed
  await drained()
  return Cost(
    main: worked, process: CPUTime.ofProcess - process,
    elapsed: start.duration(to: .now) / .nanoseconds(1))
}
