@testable import RowOperations

/// The watcher of a simulated list, which counts the requested looks.
@MainActor
final class CountingWatcher: ListWatching {
  var looks = 0

  func lookSoon() { looks += 1 }
  func isListed(_ view: AnyObject) -> Bool { true }
  func isOnScreen(_ view: AnyObject) -> Bool { false }
  let listName = "list"
  let now: Int64 = 0
  func stop() {}
}
