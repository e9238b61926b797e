import Foundation

/// Receives ends and steps of operations on any thread, for one turn of the main queue.
@usableFromInline
final class Inbox: UpdateOwner, StreamOwner {
  struct Arrival {
    let id: UpdateID
    let isEnd: Bool
  }

  struct Mail {
    var arrivals: [Arrival] = []
    var streams: [StreamID] = []
    fileprivate var isAnnounced = false
  }

  private let state = Lock(Mail())
  @usableFromInline package let number: Int
  private let announce: @Sendable (Inbox) -> Void

  /// - Parameters:
  ///   - number: That of the tracker in its slots.
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
/// Sendable: set before the first operation starts, and read on the main actor alone.
final class TrackerReference: @unchecked Sendable {
  weak var core: TrackerCore?
  private let slots: UpdateSlots

  init(slots: UpdateSlots) { self.slots = slots }

  /// The turn takes everything that has arrived by then.
  func takeTurn(for inbox: Inbox) {
    DispatchQueue.main.async { self.empty(inbox) }
  }

  @MainActor
  private func empty(_ inbox: Inbox) {
    if let core { return core.takeTurn() }
    slots.orphansEnded(inbox.empty().arrivals.filter(\.isEnd).count)
  }
}
