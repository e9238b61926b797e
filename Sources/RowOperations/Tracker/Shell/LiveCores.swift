/// Weak references to the trackers that receive a report.
///
/// An object, so that no access to it lasts while code of the app runs: a read of a weak reference
/// may release the tracker, whose end may make another tracker.
@MainActor
final class LiveCores {
  private final class User {
    weak var core: TrackerCore?

    init(_ core: TrackerCore) { self.core = core }
  }

  private var users: [User] = []
  /// The number of users at which those without a tracker are dropped.
  private var limit = 16

  /// The number of references, also to trackers that are gone.
  var count: Int { users.count }

  /// Adds a tracker.
  ///
  /// Amortised O(1).
  func add(_ core: TrackerCore) {
    if users.count >= limit { dropGone() }
    users.append(User(core))
  }

  private func dropGone() {
    let known = users
    let gone = Set(known.filter { $0.core == nil }.map(ObjectIdentifier.init))
    // Trackers may have been added meanwhile.
    users.removeAll { gone.contains(ObjectIdentifier($0)) }
    limit = max(users.count * 2, 16)
  }

  /// The trackers that exist at this moment.
  var all: [TrackerCore] { users.compactMap(\.core) }
}
