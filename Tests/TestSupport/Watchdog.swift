import Foundation

/// Ends hung processes of tests that run in their own process.
enum Watchdog {
  /// The exit status of a process that hung.
  static let hung: Int32 = 86

  /// The time to watch a process that hangs for good; it does not affect the verdict.
  static let brief: TimeInterval = 1
  /// The time for a process that must not hang, on a busy machine or with a sanitizer.
  static let patient: TimeInterval = 300

  /// Ends the process with `hung` when `progress` has not changed for `patience` seconds.
  ///
  /// The watch ends when `progress` reaches `goal`.
  ///
  /// - Parameter explain: Called before the end of a process that hangs.
  static func start(
    _ patience: TimeInterval, on progress: Box<Int>, upTo goal: Int,
    explain: @escaping @Sendable () -> Void = {}
  ) {
    Thread.detachNewThread {
      var last = -1
      while last < goal {
        let now = progress.value
        if now == last {
          explain()
          fflush(nil)
          _exit(hung)
        }
        last = now
        Thread.sleep(forTimeInterval: patience)
      }
    }
  }

  /// Ends the process with `hung` after `patience` seconds, unless it has ended.
  static func start(_ patience: TimeInterval) {
    Thread.detachNewThread {
      Thread.sleep(forTimeInterval: patience)
      _exit(hung)
    }
  }
}
