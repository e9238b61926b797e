#if canImport(UIKit)
  @testable import UIKit

  /// The content of a list at one moment of a trace.
  struct RecordedContent {
    var counts: [Int] = []
    var cells: [IndexPath: UIView] = [:]
    /// Cells without a path, while items are dragged or dropped.
    var strayCells: [UIView] = []
    var isUncommitted = false
    var (isDragging, isDecelerating) = (false, false)
  }

  /// A list that shows what a trace says, and lays nothing out by itself.
  @MainActor
  protocol RecordedList: UIScrollView {
    var content: RecordedContent { get set }
  }

  final class RecordedTable: UITableView, RecordedList {
    var content = RecordedContent()
    override var isDragging: Bool { content.isDragging }
    override var isDecelerating: Bool { content.isDecelerating }
    override var hasUncommittedUpdates: Bool { content.isUncommitted }
    override var numberOfSections: Int { content.counts.count }
    override func numberOfRows(inSection section: Int) -> Int { content.counts[section] }
    override var indexPathsForVisibleRows: [IndexPath]? { Array(content.cells.keys) }
    override func cellForRow(at path: IndexPath) -> UITableViewCell? {
      content.cells[path] as? UITableViewCell
    }
    override var visibleCells: [UITableViewCell] {
      (content.strayCells + content.cells.values).compactMap { $0 as? UITableViewCell }
    }
    override func indexPathsForRows(in rect: CGRect) -> [IndexPath]? {
      content.cells.filter { $0.value.frame.overlaps(rect) }.map(\.key)
    }
    override func rectForRow(at path: IndexPath) -> CGRect { content.cells[path]?.frame ?? .zero }
    override func layoutSubviews() {}
  }

  final class RecordedCollection: UICollectionView, RecordedList {
    var content = RecordedContent()
    override var isDragging: Bool { content.isDragging }
    override var isDecelerating: Bool { content.isDecelerating }
    override var hasUncommittedUpdates: Bool { content.isUncommitted }
    override var numberOfSections: Int { content.counts.count }
    override func numberOfItems(inSection section: Int) -> Int { content.counts[section] }
    override var indexPathsForVisibleItems: [IndexPath] { Array(content.cells.keys) }
    override func cellForItem(at path: IndexPath) -> UICollectionViewCell? {
      content.cells[path] as? UICollectionViewCell
    }
    override var visibleCells: [UICollectionViewCell] {
      (content.strayCells + content.cells.values).compactMap { $0 as? UICollectionViewCell }
    }
    override func layoutSubviews() {}
  }

  final class RecordedScroll: UIScrollView, RecordedList {
    var content = RecordedContent()
    override var isDragging: Bool { content.isDragging }
    override var isDecelerating: Bool { content.isDecelerating }
  }
#endif
