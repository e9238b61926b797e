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

  /// Ends a group now, or right after the end of the group inside it.
  static func end(_ work: @escaping () -> Void) {
    let thread = Thread.current.threadDictionary
    if let pending = thread[ends] as? Pending { return pending.work.append(work) }
    let pending = Pending()
    thread[ends] = pending
    work()
    while let next = pending.work.popLast() { next() }
    thread[ends] = nil
  }

  /// Hands a turn on, now or right after the work of ``beforeTurns(_:)`` or another turn around it.
  static func handOn(_ work: @escaping () -> Void) {
    beforeTurns {
      (Thread.current.threadDictionary[turns] as? Pending)?.work.append(work)
    }
  }

  /// Runs `body`, and then hands the turns on that came up in it, in their order.
  static func beforeTurns<Output>(_ body: () -> Output) -> Output {
    let thread = Thread.current.threadDictionary
    guard thread[turns] == nil else { return body() }
    let pending = Pending()
    thread[turns] = pending
    let output = body()
    while !pending.work.isEmpty { pending.work.removeFirst()() }
    thread[turns] = nil
    return output
  }

  /// Releases objects one after the other, now or right after an object that the thread releases.
  ///
  /// Each of them may have the last reference to another one.
  static func release(_ objects: inout [AnyObject]) {
    let thread = Thread.current.threadDictionary
    if let pending = thread[releases] as? Pending {
      pending.objects += objects
      objects = []
      return
    }
    let pending = Pending()
    swap(&pending.objects, &objects)
    thread[releases] = pending
    while pending.objects.popLast() != nil {}
    thread[releases] = nil
  }
}
