/// Trackers that want to know of something, for as long as they are there.
@MainActor
struct LiveCores {
  private struct User {
    weak var core: TrackerCore?
  }

  private var users: [User] = []

  /// O(trackers).
  mutating func add(_ core: TrackerCore) {
    // A look at a tracker may release it, which runs code of the app: not while the list changes.
    let live = users.filter { $0.core != nil }
    users = live + [User(core: core)]
  }

  /// All of them that are there at this moment.
  var all: [TrackerCore] { users.compactMap(\.core) }
}
