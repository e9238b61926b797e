import Foundation

/// For tests of what hangs the process, which run in one of their own.
enum Watchdog {
  /// The exit status of a process that hung.
  static let hung: Int32 = 86

  /// How long what hangs for good is watched: it makes no difference to the verdict.
  static let brief: TimeInterval = 1
  /// How long what must not hang is given, also on a busy machine and under Thread Sanitizer.
  static let patient: TimeInterval = 300

  /// Ends the process with `hung` when `progress` has stood still for so long.
  static func start(_ patience: TimeInterval, on progress: Box<Int>) {
    Thread.detachNewThread {
      var last = -1
      while progress.value != last {
        last = progress.value
        Thread.sleep(forTimeInterval: patience)
      }
      _exit(hung)
    }
  }

  /// Ends the process with `hung` unless it has ended by then.
  static func start(_ patience: TimeInterval) {
    Thread.detachNewThread {
      Thread.sleep(forTimeInterval: patience)
      _exit(hung)
    }
  }
}
