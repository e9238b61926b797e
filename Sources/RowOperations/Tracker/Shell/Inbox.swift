import Foundation

/// Where a tracker's operations report that they have ended, or have something to show, from any
/// thread.
///
/// One turn of the main queue empties it, however many have arrived by then.
@usableFromInline
package final class Inbox: UpdateOwner {
  /// An update has ended, or has something to show before its end.
  struct Arrival {
    let id: UpdateID
    let isEnd: Bool
  }

  private struct State {
    var arrivals: [Arrival] = []
    var isAnnounced = false
  }

  private let state = Lock(State())
  @usableFromInline package let permits: StagePermits?
  private let clock: @Sendable () -> Int64
  private let announce: @Sendable (Inbox) -> Void

  /// - Parameter announce: Called on the thread that posts, once for all that arrives until it is
  ///   emptied.
  init(
    permits: StagePermits?, clock: @escaping @Sendable () -> Int64,
    announce: @escaping @Sendable (Inbox) -> Void
  ) {
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

  /// - Parameter arrival: `nil` if only a turn is to be taken.
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

/// What a tracker's operations know of it: how to reach it, and what to do when it is gone.
///
/// Sendable: the reference is set before the first operation is started, and read on the main actor
/// alone.
final class TrackerReference: @unchecked Sendable {
  weak var core: TrackerCore?
  private let slots: UpdateSlots

  init(slots: UpdateSlots) { self.slots = slots }

  /// Has a turn of the main queue taken, with everything that has arrived by then.
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
