import Foundation

/// Receives the ends and the steps of a tracker's operations, from any thread.
///
/// One turn of the main queue takes everything that has arrived.
@usableFromInline
final class Inbox: UpdateOwner, StreamOwner {
  /// The end or a step of an update.
  struct Arrival {
    let id: UpdateID
    let isEnd: Bool
  }

  /// All that has arrived between two turns.
  struct Mail {
    var arrivals: [Arrival] = []
    /// The streams with news.
    var streams: [StreamID] = []
    fileprivate var isAnnounced = false
  }

  private let state = Lock(Mail())
  @usableFromInline package let number: Int
  private let announce: @Sendable (Inbox) -> Void

  /// - Parameters:
  ///   - number: The tracker's number in its slots.
  ///   - announce: Called on the posting thread, once for all arrivals until the next turn.
  init(number: Int, announce: @escaping @Sendable (Inbox) -> Void) {
    self.number = number
    self.announce = announce
  }

  @usableFromInline
  func updateEnded(_ id: UpdateID) {
    add { $0.arrivals.append(Arrival(id: id, isEnd: true)) }
  }

  @usableFromInline
  func updateStepped(_ id: UpdateID) {
    add { $0.arrivals.append(Arrival(id: id, isEnd: false)) }
  }

  @usableFromInline
  func streamHasNews(_ id: StreamID) { add { $0.streams.append(id) } }

  /// Adds mail, and requests a turn for it.
  private func add(_ body: (inout Mail) -> Void) {
    let isFirst = state.withLock { mail in
      body(&mail)
      defer { mail.isAnnounced = true }
      return !mail.isAnnounced
    }
    if isFirst { announce(self) }
  }

  func empty() -> Mail {
    let isEmpty = state.withLock { !$0.isAnnounced }
    return isEmpty ? Mail() : state.exchange(Mail())
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
    slots.orphansEnded(inbox.empty().arrivals.filter(\.isEnd).count)
  }
}
