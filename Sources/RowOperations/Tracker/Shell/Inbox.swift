import Foundation

/// Where a tracker's operations report that they have ended, from any thread.
///
/// One turn of the main queue empties it, however many have arrived by then.
@usableFromInline
package final class Inbox: UpdateOwner {
  private struct State {
    var ended: [UpdateEnd] = []
    var isAnnounced = false
  }

  private let state = Lock(State())
  private let announce: @Sendable (Inbox) -> Void

  /// - Parameter announce: Called on the thread that posts, once for all that arrives until it is
  ///   emptied.
  init(announce: @escaping @Sendable (Inbox) -> Void) { self.announce = announce }

  @usableFromInline
  package func updateEnded(_ end: UpdateEnd) {
    let isFirst = state.withLock { state in
      state.ended.append(end)
      defer { state.isAnnounced = true }
      return !state.isAnnounced
    }
    if isFirst { announce(self) }
  }

  func empty() -> [UpdateEnd] {
    let isEmpty = state.withLock { !$0.isAnnounced }
    return isEmpty ? [] : state.exchange(State()).ended
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
    slots.orphansEnded(inbox.empty().count)
  }
}
