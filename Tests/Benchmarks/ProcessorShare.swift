import Foundation

/// How much of a processor a thread gets on this machine, from 0 to 1.
///
/// Other programs take the rest, and make measured times longer.
enum ProcessorShare {
  /// Below this share, times show nothing about a limit.
  static let least = 0.95

  /// Measures the share for a fifth of a second.
  static func measured() -> Double {
    let clock = ContinuousClock()
    let (start, began) = (clock.now, processorTime)
    while clock.now - start < .milliseconds(200) {}
    return (processorTime - began) / (clock.now - start)
  }

  private static var processorTime: Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }
}
