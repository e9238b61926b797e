/// A cell or another view that a list lays out.
package enum Element: Hashable, Sendable {
  case cell(IndexPath)
  case supplementary(kind: String, section: Int)
}

/// The frame of an element, in the list or in a section that scrolls by itself.
struct Tile {
  let element: Element
  let frame: CGRect
  var innerSection: Int?
}

/// A table or a collection: shows the elements inside its bounds, and reuses their views.
open class _TiledView: UIScrollView {
  /// The views on screen.
  package private(set) var shown: [Element: UIView] = [:]
  /// Cells that are made ahead of the screen, or wait for their row to come back.
  private var prepared: [IndexPath: UIView] = [:]
  private var kept: [IndexPath] = []
  private var pool: [String: [UIView]] = [:]
  private var cachedCounts: [Int]?
  private var needsReload = true
  private var lastBounds = CGRect.zero
  private var isTiling = false
  var updates: BatchUpdates?
  package var isReordering = false
  package var dropPlaceholder: IndexPath?

  public var hasUncommittedUpdates: Bool {
    isReordering || dropPlaceholder != nil
      || updates != nil && MainLoop.variant.batchIsUncommitted
  }

  func countItems() -> [Int] { [] }
  /// The path in the model, which has no placeholders (UIDataSourceTranslating.h).
  package func modelPath(_ path: IndexPath) -> IndexPath? {
    guard let placeholder = dropPlaceholder, placeholder[0] == path[0] else { return path }
    return path == placeholder ? nil : [path[0], path[1] - (placeholder[1] < path[1] ? 1 : 0)]
  }

  /// Works out all frames, and the content size.
  func arrange() {}
  func tiles(in rect: CGRect) -> [Tile] { [] }
  func makeView(for element: Element) -> UIView? { nil }
  func container(of tile: Tile) -> UIView { self }
  /// - Returns: Whether a frame has changed.
  func measure(_ path: IndexPath, _ cell: UIView) -> Bool { false }

  /// The number of items in each section, which is read once until the next change.
  var counts: [Int] {
    if let cachedCounts { return cachedCounts }
    var counts = countItems()
    if let dropPlaceholder { counts[dropPlaceholder[0]] += 1 }
    cachedCounts = counts
    return counts
  }

  func dequeue(_ name: String, make: () -> UIView) -> UIView {
    let views = pool[name] ?? []
    guard !views.isEmpty else {
      let view = make()
      view.reuseName = name
      return view
    }
    let index = MainLoop.variant.reusesNewest ? views.count - 1 : 0
    return pool[name]?.remove(at: index) ?? make()
  }

  private func putIntoPool(_ view: UIView) {
    if MainLoop.variant.hidesPooledCells, view.superview != nil {
      view.isHidden = true
    } else {
      view.removeFromSuperview()
    }
    if let name = view.reuseName { pool[name, default: []].append(view) }
  }

  open override func layoutSubviews() {
    super.layoutSubviews()
    // UIKit does not bring cells on screen while it does so, as when a cell's content lays out.
    guard !isTiling else { return }
    isTiling = true
    tile()
    isTiling = false
  }

  /// Brings the views of the elements inside the bounds on screen, and takes the others off.
  private func tile() {
    var leaving: [UIView] = []
    if needsReload {
      needsReload = false
      leaving = takeAll()
      arrange()
      if MainLoop.variant.reusesReloadedCells {
        leaving.forEach(putIntoPool)
        leaving = []
      }
    }
    var rounds = 0
    repeat {
      rounds += 1
      let wanted = tiles(in: bounds)
      if MainLoop.variant.leavesFirst { hide(allBut: wanted) }
      show(wanted)
      if !MainLoop.variant.leavesFirst { hide(allBut: wanted) }
    } while measureShown() && rounds < 20
    leaving.forEach(putIntoPool)
    let isForward = bounds.minY >= lastBounds.minY && bounds.minX >= lastBounds.minX
    lastBounds = bounds
    lookAhead(isForward)
  }

  private func takeAll() -> [UIView] {
    let views = shownInOrder.map(\.value)
    for view in prepared.values { putIntoPool(view) }
    (shown, prepared, kept) = ([:], [:], [])
    return views
  }

  private var shownInOrder: [(key: Element, value: UIView)] {
    shown.sorted {
      ($0.value.frame.minY, $0.value.frame.minX) < ($1.value.frame.minY, $1.value.frame.minX)
    }
  }

  private func show(_ wanted: [Tile]) {
    let isBackward = bounds.minY < lastBounds.minY && MainLoop.variant.showsBackwards
    for tile in isBackward ? wanted.reversed() : wanted {
      let view = shown[tile.element] ?? newView(for: tile.element)
      guard let view else { continue }
      let container = container(of: tile)
      if view.superview !== container { container.addSubview(view) }
      view.isHidden = false
      if view.frame != tile.frame { view.frame = tile.frame }
      shown[tile.element] = view
    }
  }

  private func newView(for element: Element) -> UIView? {
    if case .cell(let path) = element, let view = prepared.removeValue(forKey: path) {
      kept.removeAll { $0 == path }
      return view
    }
    return makeView(for: element)
  }

  private func hide(allBut wanted: [Tile]) {
    let staying = Set(wanted.map(\.element))
    for (element, view) in shownInOrder where !staying.contains(element) {
      shown[element] = nil
      if case .cell(let path) = element, MainLoop.variant.keptCells > 0 {
        keep(view, for: path)
      } else {
        putIntoPool(view)
      }
    }
  }

  private func keep(_ view: UIView, for path: IndexPath) {
    view.isHidden = true
    prepared[path] = view
    kept.append(path)
    while kept.count > MainLoop.variant.keptCells {
      if let old = prepared.removeValue(forKey: kept.removeFirst()) { putIntoPool(old) }
    }
  }

  private func measureShown() -> Bool {
    shown.reduce(false) { hasChanged, tile in
      tile.key.path.map { measure($0, tile.value) } == true || hasChanged
    }
  }

  /// Makes cells ahead of the screen.
  private func lookAhead(_ isForward: Bool) {
    let visible = shown.keys.compactMap(\.path)
    guard let first = visible.min(), let last = visible.max() else { return }
    let ahead = MainLoop.variant.preparedAhead
    for path in neighbours(of: isForward ? last : first, isForward, ahead)
    where shown[.cell(path)] == nil && prepared[path] == nil {
      guard let cell = makeView(for: .cell(path)) else { continue }
      cell.isHidden = true
      addSubview(cell)
      prepared[path] = cell
    }
  }

  private func neighbours(of path: IndexPath, _ isForward: Bool, _ count: Int) -> [IndexPath] {
    var paths: [IndexPath] = []
    var (section, item) = (path[0], path[1])
    while paths.count < count {
      item += isForward ? 1 : -1
      while section >= 0, section < counts.count, item < 0 || item >= counts[section] {
        section += isForward ? 1 : -1
        guard section >= 0, section < counts.count else { return paths }
        item = isForward ? 0 : counts[section] - 1
      }
      guard section >= 0, section < counts.count else { return paths }
      paths.append([section, item])
    }
    return paths
  }

  /// The paths of the cells on screen, by the variant's idea of "visible".
  func visiblePaths() -> [IndexPath] {
    if MainLoop.variant.readsLayOut { layoutIfNeeded() }
    if MainLoop.variant.reportsLastLayout { return shown.keys.compactMap(\.path).sorted() }
    return tiles(in: bounds).compactMap(\.element.path)
  }

  func visibleCell(at path: IndexPath) -> UIView? {
    shown[.cell(path)] ?? (MainLoop.variant.returnsPreparedCells ? prepared[path] : nil)
  }

  /// The cells that a user sees after a layout.
  package var cellsOnScreen: [IndexPath: UIView] {
    var cells: [IndexPath: UIView] = [:]
    for path in tiles(in: bounds).compactMap(\.element.path) { cells[path] = shown[.cell(path)] }
    return cells
  }

  public func reloadData() {
    (needsReload, cachedCounts) = (true, nil)
    setNeedsLayout()
    if MainLoop.variant.reloadsAtOnce, window != nil { layoutIfNeeded() }
  }

  /// Moves the views to the paths after a batch update.
  func apply(_ change: BatchUpdates) {
    let old = counts
    if needsReload { return reloadData() }
    let newPath = change.paths(from: old)
    var moved: [Element: UIView] = [:]
    var leaving: [UIView] = []
    for (element, view) in shown {
      guard let path = element.path else {
        moved[element] = view
        continue
      }
      let isMoved = change.moved.contains { $0.from == path }
      if let new = newPath(path), !(isMoved && MainLoop.variant.movedRowsChangeCells) {
        moved[.cell(new)] = view
      } else {
        leaving.append(view)
      }
    }
    for view in prepared.values { putIntoPool(view) }
    (shown, prepared, kept) = (moved, [:], [])
    cachedCounts = nil
    arrange()
    contentOffset = clamped(contentOffset)
    // The animation of a deletion ends without a layout.
    if MainLoop.variant.deletedCellsStay {
      MainLoop.after(0.3) { [weak self] in if let self { leaving.forEach(putIntoPool) } }
    } else {
      leaving.forEach(putIntoPool)
    }
    setNeedsLayout()
  }
}

extension Element {
  var path: IndexPath? {
    guard case .cell(let path) = self else { return nil }
    return path
  }
}

extension IndexPath {
  public init(row: Int, section: Int) { self.init(indexes: [section, row]) }

  public var section: Int { self[0] }
  public var row: Int { self[1] }
  public var item: Int { self[1] }
}
