import Foundation

extension DisplayTracker {
  /// An operation that has been started and has not come to its end.
  struct Run: Sendable {
    let operation: UpdateOperation<Row, Value>
    let load: LoadID
    let row: Row
    /// Cancelled by the tracker, which no longer waits for it.
    var isAbandoned = false
    /// Its time ran out; it has been counted as failed.
    var isTimedOut = false
  }

  /// Somebody who waits for the tracker.
  struct Waiter {
    enum Goal {
      case idle
      /// Each row is loaded, has failed, or has no claim.
      case settled(Set<Row>)
    }

    var goal: Goal
    let continuation: CheckedContinuation<Void, Never>
  }
}

/// A progress that the tracker keeps up to date.
struct ProgressWatch<Row: Hashable> {
  weak var progress: Progress?
  var pending: Set<Row>
}

/// What a tracker's operations know of it: how to reach it, and what to do when it is gone.
///
/// Sendable: the reference is set before the first operation is started, and read on the main actor
/// alone.
final class WeakTracker<Row: Hashable & Sendable, Value: Sendable>: @unchecked Sendable {
  weak var tracker: DisplayTracker<Row, Value>?
  private let slots: UpdateSlots

  init(slots: UpdateSlots) { self.slots = slots }

  /// Has the inbox emptied in a turn of the main queue, with what has arrived by then.
  func takeTurn(for inbox: Inbox<Value>) {
    DispatchQueue.main.async {
      let wait = self.tracker?.waitForMoreArrivals() ?? 0
      guard wait > 0 else { return self.empty(inbox) }
      DispatchQueue.main.asyncAfter(deadline: .now() + .nanoseconds(wait)) { self.empty(inbox) }
    }
  }

  @MainActor
  private func empty(_ inbox: Inbox<Value>) {
    if let tracker { return tracker.takeTurn() }
    slots.abandonedEnded(inbox.empty().count)
    slots.admit()
  }
}
