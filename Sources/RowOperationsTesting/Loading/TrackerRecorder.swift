import RowOperations

/// Records the events of a tracker from `onEvent`, and waits for them.
///
/// ```swift
/// let recorder = TrackerRecorder<Int>()
/// configuration.onEvent = recorder.record
/// // …
/// await recorder.wait { $0.finished == [3] }
/// ```
///
/// **Threading**: main actor. **Cost**: it keeps all events, and each list of rows is O(events).
@MainActor
public final class TrackerRecorder<Row: Hashable & Sendable> {
  private typealias Watcher = (
    condition: (TrackerRecorder) -> Bool, continuation: CheckedContinuation<Void, Never>
  )

  /// All events, in order.
  public private(set) var events: [TrackerEvent<Row>] = []
  /// By their numbers.
  private var watchers: [Int: Watcher] = [:]
  private var lastWatcher = 0

  /// Makes a recorder.
  public init() {}

  /// Records an event; use it as `TrackerConfiguration.onEvent`.
  public func record(_ event: TrackerEvent<Row>) {
    events.append(event)
    // Once per event, since a condition may count its calls.
    for (number, watcher) in watchers.sorted(by: { $0.key < $1.key })
    where watcher.condition(self) {
      resume(number)
    }
  }

  /// Waits until a condition holds, evaluated at once and at each event.
  ///
  /// **Cancellation**: a cancelled task stops waiting.
  public func wait(until condition: @escaping (TrackerRecorder) -> Bool) async {
    guard !condition(self) else { return }
    lastWatcher += 1
    let number = lastWatcher
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        guard !Task.isCancelled else { return continuation.resume() }
        watchers[number] = (condition, continuation)
      }
    } onCancel: {
      Task { @MainActor in resume(number) }
    }
  }

  private func resume(_ number: Int) {
    watchers.removeValue(forKey: number)?.continuation.resume()
  }

  /// The rows of started loads, in order.
  public var started: [Row] {
    rows { if case .started = $0 { true } else { false } }
  }

  /// The rows of committed values, in order.
  public var finished: [Row] {
    rows { if case .finished = $0 { true } else { false } }
  }

  /// The rows of failed loads, in order.
  public var failed: [Row] {
    rows { if case .failed = $0 { true } else { false } }
  }

  /// The rows of cancelled loads, in order.
  public var cancelled: [Row] {
    rows { if case .cancelled = $0 { true } else { false } }
  }

  /// The rows of cancelled loads that have ended, in order.
  public var stopped: [Row] {
    rows { kind in
      switch kind {
      case .stopped, .refused: true
      default: false
      }
    }
  }

  /// The rows of events of some kind, in order.
  public func rows(where isWanted: (TrackerEvent.Kind) -> Bool) -> [Row] {
    events.filter { isWanted($0.kind) }.map(\.row)
  }
}
