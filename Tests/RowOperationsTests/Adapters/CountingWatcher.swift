@testable import RowOperations

/// The watcher of a simulated list, which counts the requested looks.
@MainActor
final class CountingWatcher: ListWatching {
  var looks = 0
  var isOnScreen = false
  var place: (AnyObject) -> ViewPlace = { _ in .cell }

  func lookSoon() { looks += 1 }
  func place(of view: AnyObject) -> ViewPlace { place(view) }
  func isOnScreen(_ view: AnyObject) -> Bool { isOnScreen }
  func stop() {}
}
