@MainActor
public protocol NSTableViewDataSource: AnyObject {
  func numberOfRows(in table: NSTableView) -> Int
}

@MainActor
public protocol NSTableViewDelegate: AnyObject {
  func tableView(_ table: NSTableView, viewFor column: NSTableColumn?, row: Int) -> NSView?
}

public final class NSTableColumn: NSObject {
  public init(identifier: NSUserInterfaceItemIdentifier) {}
}

public final class NSTableRowView: NSView {}

/// Rows of one height, whose views it also keeps beyond the visible rectangle.
public final class NSTableView: NSView {
  public weak var dataSource: (any NSTableViewDataSource)? { didSet { reloadData() } }
  public weak var delegate: (any NSTableViewDelegate)? { didSet { reloadData() } }
  public var rowHeight = 24.0
  private var columns: [NSTableColumn] = []
  private var rows: [Int: NSTableRowView] = [:]
  private var pool: [NSUserInterfaceItemIdentifier: [NSView]] = [:]
  private var needsReload = true
  public private(set) var numberOfRows = 0

  public var numberOfColumns: Int { columns.count }
  public func addTableColumn(_ column: NSTableColumn) { columns.append(column) }

  public func reloadData() {
    needsReload = true
    needsLayout = true
  }

  public override func layout() {
    super.layout()
    if needsReload {
      needsReload = false
      numberOfRows = dataSource?.numberOfRows(in: self) ?? 0
      rows.values.forEach(putIntoPool)
      rows = [:]
    }
    frame.size = CGSize(
      width: superview?.frame.width ?? 0, height: Double(numberOfRows) * rowHeight)
    guard MainLoop.variant.emptiesHiddenLists || !isHiddenOrHasHiddenAncestor else { return }
    let visible = rows(in: visibleRect)
    let margin = MainLoop.variant.preparedAhead
    let first = max(visible.location - margin, 0)
    let wanted = first..<max(min(visible.location + visible.length + margin, numberOfRows), first)
    for row in wanted where rows[row] == nil && visible.length > 0 { rows[row] = makeRow(row) }
    for (row, view) in rows {
      view.frame = CGRect(
        x: 0, y: Double(row) * rowHeight, width: frame.width, height: rowHeight)
      guard !wanted.contains(row) else { continue }
      putIntoPool(view)
      rows[row] = nil
    }
  }

  override func visibleRectChanged() { needsLayout = true }

  private func putIntoPool(_ row: NSTableRowView) {
    row.removeFromSuperview()
    for cell in row.subviews {
      if let name = cell.identifier { pool[name, default: []].append(cell) }
    }
  }

  public func makeView(withIdentifier name: NSUserInterfaceItemIdentifier, owner: Any?) -> NSView? {
    pool[name]?.popLast()
  }

  private func makeRow(_ row: Int) -> NSTableRowView {
    let view = NSTableRowView(frame: CGRect(x: 0, y: 0, width: 320, height: rowHeight))
    for column in columns {
      guard let cell = delegate?.tableView(self, viewFor: column, row: row) else { continue }
      cell.frame = view.bounds
      view.addSubview(cell)
    }
    addSubview(view)
    return view
  }

  public func rows(in rect: CGRect) -> NSRange {
    guard rect.height > 0 else { return NSRange(location: 0, length: 0) }
    let first = min(max(Int(rect.minY / rowHeight), 0), numberOfRows)
    let end = min(max(Int((rect.maxY / rowHeight).rounded(.up)), first), numberOfRows)
    return NSRange(location: first, length: end - first)
  }

  public func rowView(atRow row: Int, makeIfNecessary: Bool) -> NSTableRowView? { rows[row] }

  public func view(atColumn column: Int, row: Int, makeIfNecessary: Bool) -> NSView? {
    guard let views = rows[row]?.subviews, views.indices.contains(column) else { return nil }
    return views[column]
  }

  public func removeRows(at indices: IndexSet) {
    numberOfRows -= indices.count
    var moved: [Int: NSTableRowView] = [:]
    for (row, view) in rows {
      if indices.contains(row) {
        // It fades out, and goes without a layout.
        let time = MainLoop.variant.deletedCellsStay ? 0.25 : 0
        MainLoop.after(time) { [weak self] in self?.putIntoPool(view) }
      } else {
        moved[row - indices.count { $0 < row }] = view
      }
    }
    rows = moved
    needsLayout = true
  }

  public func scrollRowToVisible(_ row: Int) {
    if needsReload { layout() }
    (superview as? NSClipView)?.scroll(to: Double(row) * rowHeight)
  }
}
