import Foundation

/// Work of a thread that would run inside other work of its kind, done right after it instead.
///
/// So long chains, such as groups inside groups, do not overflow the stack.
enum Unnested {
  private final class Pending {
    var work: [() -> Void] = []
    var objects: [AnyObject] = []
  }

  private static let ends = "AsyncOperations.Unnested.ends"
  private static let turns = "AsyncOperations.Unnested.turns"
  private static let releases = "AsyncOperations.Unnested.releases"

  /// Runs `body`, and then the work that comes up in it, in its order.
  private static func collecting<Output>(_ key: String, _ body: (Pending) -> Output) -> Output {
    let thread = Thread.current.threadDictionary
    if let outer = thread[key] as? Pending { return body(outer) }
    let pending = Pending()
    thread[key] = pending
    let output = body(pending)
    while !pending.work.isEmpty { pending.work.removeFirst()() }
    while pending.objects.popLast() != nil {}
    thread[key] = nil
    return output
  }

  /// Ends a group now, or right after the end of the group inside it.
  static func end(_ work: @escaping () -> Void) { collecting(ends) { $0.work.append(work) } }

  /// Hands a turn on, now or right after the work of ``beforeTurns(_:)`` or another turn around it.
  static func handOn(_ work: @escaping () -> Void) { collecting(turns) { $0.work.append(work) } }

  static func beforeTurns<Output>(_ body: () -> Output) -> Output {
    collecting(turns) { _ in body() }
  }

  /// Releases objects one after the other, as each may have the last reference to the next.
  static func release(_ objects: inout [AnyObject]) {
    collecting(releases) { pending in
      pending.objects += objects
      objects = []
    }
  }
}
