import Foundation

/// Receives the ends and the steps of a tracker's operations, from any thread.
///
/// One turn of the main queue takes everything that has arrived.
@usableFromInline
package final class Inbox: UpdateOwner {
  /// The end or a step of an update.
  struct Arrival {
    let id: UpdateID
    let isEnd: Bool
  }

  private struct State {
    var arrivals: [Arrival] = []
    var isAnnounced = false
  }

  private let state = Lock(State())
  @usableFromInline package let number: Int
  @usableFromInline package let permits: StagePermits?
  private let clock: @Sendable () -> Int64
  private let announce: @Sendable (Inbox) -> Void

  /// - Parameters:
  ///   - number: The tracker's number in its slots.
  ///   - announce: Called on the posting thread, once for all arrivals until the next turn.
  init(
    number: Int, permits: StagePermits?, clock: @escaping @Sendable () -> Int64,
    announce: @escaping @Sendable (Inbox) -> Void
  ) {
    self.number = number
    self.permits = permits
    self.clock = clock
    self.announce = announce
  }

  @usableFromInline
  package func now() -> Int64 { clock() }

  @usableFromInline
  package func updateEnded(_ id: UpdateID) { add(Arrival(id: id, isEnd: true)) }

  @usableFromInline
  package func updateStepped(_ id: UpdateID) { add(Arrival(id: id, isEnd: false)) }

  @usableFromInline
  package func permitIsFree() { add(nil) }

  /// - Parameter arrival: `nil` to request a turn only.
  private func add(_ arrival: Arrival?) {
    let isFirst = state.withLock { state in
      if let arrival { state.arrivals.append(arrival) }
      defer { state.isAnnounced = true }
      return !state.isAnnounced
    }
    if isFirst { announce(self) }
  }

  func empty() -> [Arrival] {
    let isEmpty = state.withLock { !$0.isAnnounced }
    return isEmpty ? [] : state.exchange(State()).arrivals
  }
}

/// The operations' reference to their tracker.
///
/// Sendable: the reference is set before the first operation starts, and read on the main actor
/// alone.
final class TrackerReference: @unchecked Sendable {
  weak var core: TrackerCore?
  private let slots: UpdateSlots

  init(slots: UpdateSlots) { self.slots = slots }

  /// Schedules a turn of the main queue, which takes everything that has arrived by then.
  func takeTurn(for inbox: Inbox) {
    DispatchQueue.main.async { self.empty(inbox) }
  }

  @MainActor
  private func empty(_ inbox: Inbox) {
    if let core { return core.takeTurn() }
    slots.orphansEnded(inbox.empty().filter(\.isEnd).count)
    slots.grantPermits()
  }
}
