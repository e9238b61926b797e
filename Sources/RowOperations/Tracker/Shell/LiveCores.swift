/// Weak references to the trackers that receive a report.
///
/// An object, so that no access lasts while code of the app runs: reading a weak reference may
/// release the tracker, whose end may make another one.
@MainActor
final class LiveCores {
  private var users: [WeakCore] = []
  /// The count at which users without a tracker are dropped.
  private var limit = 16

  /// Also counts trackers that are gone.
  var count: Int { users.count }

  /// Amortised O(1).
  func add(_ core: TrackerCore) {
    if users.count >= limit { dropGone() }
    users.append(WeakCore(core))
  }

  private func dropGone() {
    let known = users
    let gone = Set(known.filter { $0.core == nil }.map(ObjectIdentifier.init))
    // Trackers may have been added meanwhile.
    users.removeAll { gone.contains(ObjectIdentifier($0)) }
    limit = max(users.count * 2, 16)
  }

  var all: [TrackerCore] { users.compactMap(\.core) }
}

/// An object, so that a read copies no weak reference.
@MainActor
final class WeakCore {
  weak var core: TrackerCore?

  init(_ core: TrackerCore) { self.core = core }
}
