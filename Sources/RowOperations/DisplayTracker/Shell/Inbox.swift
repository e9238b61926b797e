import Foundation

/// What a tracker's operation came to.
struct Arrival<Value: Sendable>: Sendable {
  let generation: UInt64
  let result: Result<Value, any Error>
  /// The stage in which a cancelled operation was stopped.
  let cancelledAt: UpdateStage?
  /// When it was in which stage, if anybody wants to know.
  var visits: [StageLog.Visit] = []
}

/// Where a tracker's operations put what they came to, from any thread; one turn of the main queue
/// empties it, however many have arrived by then.
final class Inbox<Value: Sendable>: Sendable {
  private struct State {
    var arrivals: [Arrival<Value>] = []
    var isAnnounced = false
  }

  private let state = Lock(State())
  private let announce: @Sendable (Inbox<Value>) -> Void

  /// - Parameter announce: Called on the thread that posts, once for all that arrives until it is
  ///   emptied.
  init(announce: @escaping @Sendable (Inbox<Value>) -> Void) { self.announce = announce }

  func post(_ arrival: Arrival<Value>) {
    let isFirst = state.withLock { state in
      state.arrivals.append(arrival)
      defer { state.isAnnounced = true }
      return !state.isAnnounced
    }
    if isFirst { announce(self) }
  }

  func empty() -> [Arrival<Value>] { state.exchange(State()).arrivals }
}
