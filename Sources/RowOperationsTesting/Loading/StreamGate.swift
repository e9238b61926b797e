import RowOperations

/// Holds the streams of live rows, whose elements the test sends.
///
/// ```swift
/// let gate = StreamGate<Int, String>()
/// let tracker = DisplayTracker(updates: { gate.updates($0) })
/// // …
/// await gate.waitForStreams([3])
/// gate.send("three", to: 3)
/// ```
///
/// **Threading**: any thread.
public final class StreamGate<Row: Hashable & Sendable, Value: Sendable>: Sendable {
  /// A stream of the gate.
  public typealias Updates = AsyncThrowingStream<Value, any Error>

  /// The streams of the gate so far.
  public struct Log: Sendable {
    /// The rows of all streams that were opened, in order.
    public fileprivate(set) var opened: [Row] = []
    /// The rows of the open streams, in the order of opening.
    public fileprivate(set) var open: [Row] = []
    /// The rows of the streams that the tracker has ended, in order.
    public fileprivate(set) var cancelled: [Row] = []
  }

  private struct State {
    var log = Log()
    /// Numbered by their places in `log.opened`.
    var streams: [(number: Int, row: Row, continuation: Updates.Continuation)] = [] {
      didSet { log.open = streams.map(\.row) }
    }
  }

  private let state = WatchedState(State())

  /// Makes a gate.
  public init() {}

  /// The streams so far.
  public var log: Log { state.withLock { $0.log } }

  /// Opens a stream; use it as the `updates` closure.
  public func updates(_ context: UpdateContext<Row, Value>) -> Updates {
    // `makeStream()` is not in the SDK of iOS 16.
    Updates { continuation in
      let number = state.change { state in
        let number = state.log.opened.count
        state.log.opened.append(context.row)
        state.streams.append((number, context.row, continuation))
        return number
      }
      continuation.onTermination = { [state] end in
        state.change { state in
          guard let index = state.streams.firstIndex(where: { $0.number == number }) else { return }
          let row = state.streams.remove(at: index).row
          if case .cancelled = end { state.log.cancelled.append(row) }
        }
      }
    }
  }

  // MARK: Elements and ends

  /// Sends an element to all open streams of a row.
  public func send(_ value: Value, to row: Row) {
    for stream in streams(of: row) { stream.yield(value) }
  }

  /// Ends all open streams of a row.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - error: The error of the streams; `nil` for an end without an error.
  public func end(_ row: Row, with error: (any Error)? = nil) {
    for stream in streams(of: row) { stream.finish(throwing: error) }
  }

  private func streams(of row: Row) -> [Updates.Continuation] {
    state.withLock { state in state.streams.filter { $0.row == row }.map(\.continuation) }
  }

  // MARK: Waiting

  /// Waits until exactly these rows have open streams.
  ///
  /// **Cancellation**: a cancelled task stops waiting.
  public func waitForStreams(_ rows: Set<Row>) async { await wait { Set($0.open) == rows } }

  /// Waits until a condition on the streams holds.
  ///
  /// Evaluated as in ``LoadGate/wait(until:)``. A cancelled task stops waiting.
  public func wait(until condition: @escaping @Sendable (Log) -> Bool) async {
    await state.wait { condition($0.log) }
  }
}
