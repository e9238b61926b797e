@MainActor
public protocol UITableViewDataSource: AnyObject {
  func tableView(_ table: UITableView, numberOfRowsInSection section: Int) -> Int
  func tableView(_ table: UITableView, cellForRowAt path: IndexPath) -> UITableViewCell
  func numberOfSections(in table: UITableView) -> Int
}

extension UITableViewDataSource {
  public func numberOfSections(in table: UITableView) -> Int { 1 }
}

@MainActor
public protocol UITableViewDelegate: AnyObject {
  func tableView(_ table: UITableView, viewForHeaderInSection section: Int) -> UIView?
}

/// A list of rows in sections, with headers that stay at the top while their section does.
open class UITableView: _TiledView {
  public enum ScrollPosition: Sendable {
    case top
    case bottom
  }

  public enum RowAnimation: Sendable {
    case none
    case automatic
  }

  public enum SelfSizingInvalidation: Sendable {
    case _disabled
    case enabledIncludingConstraints
  }

  public weak var dataSource: (any UITableViewDataSource)? { didSet { reloadData() } }
  public weak var delegate: (any UITableViewDelegate)? { didSet { reloadData() } }
  /// The height of all rows; a negative one lets cells size themselves.
  public var rowHeight = -1.0 { didSet { reloadData() } }
  public var sectionHeaderHeight = 0.0 { didSet { reloadData() } }
  public var selfSizingInvalidation = SelfSizingInvalidation._disabled
  public var tableHeaderView: UIView? {
    didSet {
      oldValue?.removeFromSuperview()
      if let tableHeaderView { addSubview(tableHeaderView) }
      reloadData()
    }
  }

  private var classes: [String: UITableViewCell.Type] = [:]
  /// The start and the end of the rows of each section.
  private var starts: [[Double]] = []
  /// The heights of cells that sized themselves.
  private var measured: [IndexPath: Double] = [:]

  public var numberOfSections: Int { counts.count }
  public func numberOfRows(inSection section: Int) -> Int { counts[section] }

  override func countItems() -> [Int] {
    guard let dataSource else { return [] }
    return (0..<dataSource.numberOfSections(in: self)).map {
      dataSource.tableView(self, numberOfRowsInSection: $0)
    }
  }

  override func arrange() {
    var y = Double(tableHeaderView?.frame.height ?? 0)
    starts = counts.enumerated().map { section, count in
      y += sectionHeaderHeight
      var section = (0..<count).map { row in
        defer { y += height(of: [section, row]) }
        return y
      }
      section.append(y)
      return section
    }
    contentSize = CGSize(width: bounds.width, height: y)
  }

  private func height(of path: IndexPath) -> Double {
    rowHeight >= 0 ? rowHeight : measured[path] ?? 44
  }

  override func boundsChanged(from old: CGRect) {
    super.boundsChanged(from: old)
    if bounds.width != old.width { contentSize.width = bounds.width }
  }

  public override func reloadData() {
    measured = [:]
    super.reloadData()
  }

  override func apply(_ change: BatchUpdates) {
    let newPath = change.paths(from: counts)
    measured = measured.reduce(into: [:]) { new, old in
      if let path = newPath(old.key) { new[path] = old.value }
    }
    super.apply(change)
  }

  public func register(_ type: UITableViewCell.Type, forCellReuseIdentifier name: String) {
    classes[name] = type
  }

  public func dequeueReusableCell(withIdentifier name: String, for path: IndexPath)
    -> UITableViewCell
  {
    let view = dequeue(name) {
      (classes[name] ?? UITableViewCell.self).init(_reused: name)
    }
    return unsafeDowncast(view, to: UITableViewCell.self)
  }

  public func dequeueReusableHeaderFooterView(withIdentifier name: String)
    -> UITableViewHeaderFooterView?
  {
    let view = dequeue(name) { UITableViewHeaderFooterView(reuseIdentifier: name) }
    return view as? UITableViewHeaderFooterView
  }

  override func makeView(for element: Element) -> UIView? {
    switch element {
    case .cell(let path):
      if let path = modelPath(path) {
        dataSource?.tableView(self, cellForRowAt: path)
      } else {
        UITableViewCell(style: .default, reuseIdentifier: nil)
      }
    case .supplementary(_, let section):
      delegate?.tableView(self, viewForHeaderInSection: section)
    }
  }

  /// A cell with another content gets another height, if the table allows it.
  func contentChanged(of cell: UITableViewCell) {
    if selfSizingInvalidation != ._disabled { setNeedsLayout() }
  }

  override func measure(_ path: IndexPath, _ cell: UIView) -> Bool {
    guard rowHeight < 0, let cell = cell as? UITableViewCell else { return false }
    let isFirst = measured[path] == nil
    guard isFirst || selfSizingInvalidation != ._disabled else { return false }
    let old = height(of: path)
    measured[path] = cell.fittingHeight
    guard cell.fittingHeight != old else { return false }
    // The rows on screen stay where they are if a row above them grows.
    if starts[path[0]][path[1]] < bounds.minY {
      contentOffset.y += CGFloat(cell.fittingHeight - old)
    }
    arrange()
    return true
  }

  public func rectForRow(at path: IndexPath) -> CGRect {
    guard path[0] < starts.count, path[1] + 1 < starts[path[0]].count else { return .zero }
    let (start, end) = (starts[path[0]][path[1]], starts[path[0]][path[1] + 1])
    return CGRect(x: 0, y: start, width: bounds.width, height: end - start)
  }

  public func indexPathsForRows(in rect: CGRect) -> [IndexPath]? {
    tiles(in: rect).compactMap(\.element.path)
  }

  public var indexPathsForVisibleRows: [IndexPath]? { window == nil ? [] : visiblePaths() }

  public func cellForRow(at path: IndexPath) -> UITableViewCell? {
    visibleCell(at: path) as? UITableViewCell
  }

  public var visibleCells: [UITableViewCell] { visiblePaths().compactMap(cellForRow) }

  override func tiles(in rect: CGRect) -> [Tile] {
    var tiles: [Tile] = []
    for (section, rows) in starts.enumerated() {
      let (top, end) = ((rows.first ?? 0) - sectionHeaderHeight, rows.last ?? 0)
      guard top < rect.maxY, end > rect.minY else { continue }
      if sectionHeaderHeight > 0, delegate != nil {
        let y = max(top, min(rect.minY, end - sectionHeaderHeight))
        tiles.append(
          Tile(
            element: .supplementary(kind: "header", section: section),
            frame: CGRect(x: 0, y: y, width: bounds.width, height: sectionHeaderHeight)))
      }
      for (row, start) in rows.dropLast().enumerated()
      where start < rect.maxY && rows[row + 1] > rect.minY {
        let path: IndexPath = [section, row]
        tiles.append(Tile(element: .cell(path), frame: rectForRow(at: path)))
      }
    }
    return tiles
  }

  public func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) {
    update { updates?() }
    completion?(true)
  }

  public func insertRows(at paths: [IndexPath], with animation: RowAnimation) { insert(paths) }
  public func deleteRows(at paths: [IndexPath], with animation: RowAnimation) { delete(paths) }
  public func reloadRows(at paths: [IndexPath], with animation: RowAnimation) { reload(paths) }
  public func moveRow(at path: IndexPath, to new: IndexPath) { move(path, to: new) }

  public func scrollToRow(at path: IndexPath, at position: ScrollPosition, animated: Bool) {
    layoutIfNeeded()
    let rect = rectForRow(at: path)
    let y = position == .top ? rect.minY : rect.maxY - bounds.height
    scroll(to: CGPoint(x: contentOffset.x, y: y), animated: animated)
  }
}
