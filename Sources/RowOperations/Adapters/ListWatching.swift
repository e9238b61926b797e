import Foundation

/// How the watcher of a list finds the displays of a view.
enum ViewPlace: Hashable, Sendable {
  /// A cell of the list, which names its cells on screen.
  case cell
  /// Elsewhere inside the list: on screen by its frame.
  case inside
  /// Not in the list: only the app reports its displays.
  case outside
  /// In no view, such as a new cell, or one in a reuse pool.
  case unplaced
}

extension CGRect {
  /// The share of the largest part of a cell that a list can show.
  ///
  /// A view without a size is in sight as a whole.
  func share(of cell: CGSize, in list: CGSize) -> Double {
    let whole = min(cell.width, list.width) * min(cell.height, list.height)
    return whole > 0 ? min(Double(width * height / whole), 1) : 1
  }
}

@MainActor
protocol ListWatching: AnyObject {
  func lookSoon()
  func place(of view: AnyObject) -> ViewPlace
  /// Of the largest part that the list can show.
  func visibleShare(of view: AnyObject) -> Double
  func stop()
}
