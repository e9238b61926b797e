/// Weak references to the trackers that receive a report.
@MainActor
struct LiveCores {
  private struct User {
    weak var core: TrackerCore?
  }

  private var users: [User] = []

  /// O(trackers).
  mutating func add(_ core: TrackerCore) {
    // Reading a weak reference may release the tracker, which runs code of the app. So it happens
    // before the list is changed.
    let live = users.filter { $0.core != nil }
    users = live + [User(core: core)]
  }

  /// The trackers that exist at this moment.
  var all: [TrackerCore] { users.compactMap(\.core) }
}
