@testable import RowOperations

/// The watcher of a simulated list, which counts the requested looks.
@MainActor
final class CountingWatcher: ListWatching {
  var looks = 0
  var isOnScreen = false
  var place: (AnyObject) -> ViewPlace = { _ in .cell }

  func lookSoon() { looks += 1 }
  func place(of view: AnyObject) -> ViewPlace { place(view) }
  func visibleShare(of view: AnyObject) -> Double { isOnScreen ? 1 : 0 }
  func stop() {}
}
