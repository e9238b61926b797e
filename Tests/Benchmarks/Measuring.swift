import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// Clocks that count work and not waiting, since other programs may use the same processors.
enum CPUTime {
  /// Nanoseconds of work of the calling thread.
  static var ofThread: Double { read(CLOCK_THREAD_CPUTIME_ID) }

  /// Nanoseconds of work of all threads of this process.
  static var ofProcess: Double { read(CLOCK_PROCESS_CPUTIME_ID) }

  private static func read(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }
}

/// The work of the main queue from here on.
///
/// On Linux, the main queue may move to another thread at any time; then the work is unknown.
struct MainTime {
  private let thread = MainTime.thread()
  private let start = CPUTime.ofThread

  /// Nanoseconds so far; not a number if they are unknown.
  var elapsed: Double {
    let elapsed = CPUTime.ofThread - start
    return thread == Self.thread() ? elapsed : .nan
  }

  /// A number of the calling thread that is not used again soon, unlike the address of a thread.
  ///
  /// The call is missing in Swift's module of the C library, so it is found by name.
  private static let thread: @convention(c) () -> Int32 = {
    guard let symbol = dlsym(nil, "gettid") else { return { 0 } }
    return unsafeBitCast(symbol, to: (@convention(c) () -> Int32).self)
  }()
}

/// The cost of a piece of work.
struct Cost: Sendable {
  /// Nanoseconds of work of the main thread; not a number if they are unknown.
  var main: Double
  /// Nanoseconds of work of the whole process.
  var process: Double
  /// Nanoseconds of real time.
  var elapsed: Double

  static func + (a: Cost, b: Cost) -> Cost {
    Cost(
      main: a.main + b.main, process: a.process + b.process, elapsed: a.elapsed + b.elapsed)
  }
}

/// Measures two pieces of work in turn, as A B B A, for several rounds after a warm-up.
///
/// So slow changes, such as those of a processor's clock, affect both alike.
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

/// The cost of a piece of work on the main thread, and of all later work that follows from it.
///
/// - Parameter drained: Waits for the later work; the main thread's part in it does not count.
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
