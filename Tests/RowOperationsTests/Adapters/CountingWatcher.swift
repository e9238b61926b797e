@testable import RowOperations

/// The watcher of a simulated list, which counts the requested looks.
@MainActor
final class CountingWatcher: ListWatching {
  var looks = 0
  var share: (AnyObject) -> Double = { _ in 0 }
  var place: (AnyObject) -> ViewPlace = { _ in .cell }

  func lookSoon() { looks += 1 }
  func place(of view: AnyObject) -> ViewPlace { place(view) }
  func visibleShare(of view: AnyObject) -> Double { share(view) }
  func stop() {}
}
