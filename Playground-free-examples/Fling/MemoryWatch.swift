import Foundation

/// Ends a run that fills the memory.
///
/// On Linux a server that sends faster than the system reads holds up the end of its request, and
/// the system's own notes about that request grow. Nothing else ends it.
@MainActor
final class MemoryWatch {
  /// In bytes.
  nonisolated static let limit = 1 << 30

  private let timer = DispatchSource.makeTimerSource(queue: .main)

  /// - Parameter onExcess: Called when the process has ``limit`` bytes more than now.
  init(onExcess: @escaping @MainActor () -> Void) {
    let before = Self.resident
    timer.setEventHandler {
      MainActor.assumeIsolated {
        if Self.resident - before > Self.limit { onExcess() }
      }
    }
    timer.schedule(deadline: .now(), repeating: .milliseconds(100))
    timer.activate()
  }

  func stop() { timer.cancel() }

  /// The bytes of memory that the process has; 0 where the system is not Linux.
  private static var resident: Int {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    else { return 0 }
    return bytes(statm: text, pageSize: Int(getpagesize()))
  }

  /// Reads the second number of Linux's file, which counts pages.
  nonisolated static func bytes(statm: String, pageSize: Int) -> Int {
    let numbers = statm.split(separator: " ").compactMap { Int($0) }
    return numbers.count > 1 ? numbers[1] * pageSize : 0
  }
}
