/// Weak references to the objects that receive a report.
///
/// An object, so that no access lasts while code of the app runs: a read may release a tracker, and
/// its end may make another one.
@MainActor
final class LiveUsers<User: AnyObject> {
  private var users: [WeakUser<User>] = []
  /// The count at which gone ones are dropped.
  private var limit = 16

  /// Also counts objects that are gone.
  var count: Int { users.count }

  func add(_ user: User) {
    if users.count >= limit { dropGone() }
    users.append(WeakUser(user))
  }

  private func dropGone() {
    let known = users
    let gone = Set(known.filter { $0.user == nil }.map(ObjectIdentifier.init))
    // Others may have been added meanwhile.
    users.removeAll { gone.contains(ObjectIdentifier($0)) }
    limit = max(users.count * 2, 16)
  }

  var all: [User] { users.compactMap(\.user) }
}

/// An object, so that a read copies no weak reference.
@MainActor
final class WeakUser<User: AnyObject> {
  weak var user: User?

  init(_ user: User) { self.user = user }
}
