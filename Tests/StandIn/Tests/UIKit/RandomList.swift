#if canImport(UIKit)
  import RowOperationsTesting
  import UIKit

  @testable import RowOperations

  /// The kinds of lists that are drawn at random.
  enum ListKind: CaseIterable, Sendable {
    case table
    /// Rows size themselves, also after their values arrive.
    case growingTable
    /// Sections with headers, and a header of the whole table that scrolls sideways.
    case tableWithHeaders
    case grid
    /// A first section that scrolls sideways, and headers.
    case sections
  }

  /// A list with its model in a window, which forwards nothing.
  ///
  /// Rows of cells count from 0. Views that are no cells have rows below 0.
  @MainActor
  final class RandomList: NSObject {
    let kind: ListKind
    let tracker: DisplayTracker<Int, Int>
    let view: _TiledView
    /// The view around the list.
    let frame = UIView(frame: CGRect(x: 0, y: 0, width: 320, height: 600))
    let strip = UIScrollView(frame: CGRect(x: 0, y: 0, width: 320, height: 80))
    /// The scroll views around the list, the outermost first.
    private(set) var surroundings: [UIScrollView] = []
    private(set) var tracking: ListTracking?
    /// The ids of the rows, by section.
    var model: [[Int]]
    var nextID = 0
    /// Whether the app has suspended the list.
    var isSuspended = false
    /// Code of the app that runs within each render of a cell.
    var whileRendering: (() -> Void)?
    /// Code of the app that runs within the render of a changed row, with the cell and the row.
    var whileUpdating: ((UIView, Int) -> Void)?
    /// Whether the app leaves reused cells as they are.
    var forgetsToBind = false
    /// Whether the app lays out each cell that it provides.
    var laysOutCells = false
    /// The newest id of a value's row.
    var rowOfValue: (Int) -> Int = RowServer.row(of:)
    /// Cells that showed a row other than their own.
    private(set) var wrongRows = 0
    /// The rows whose cells were rendered as leaving.
    private(set) var rowsThatLeft: [Int] = []
    private var madeCells: [Weak] = []

    struct Weak {
      weak var cell: UIView?
    }

    init(_ kind: ListKind, _ tracker: DisplayTracker<Int, Int>, sections: Int, rows: Int) {
      (self.kind, self.tracker) = (kind, tracker)
      model = (0..<sections).map { section in (0..<rows).map { section * rows + $0 } }
      nextID = sections * rows
      switch kind {
      case .table, .growingTable, .tableWithHeaders: view = UITableView(frame: frame.bounds)
      case .grid:
        let layout = UICollectionViewFlowLayout()
        layout.itemSize = CGSize(width: 100, height: 100)
        view = UICollectionView(frame: frame.bounds, collectionViewLayout: layout)
      case .sections:
        view = UICollectionView(
          frame: frame.bounds, collectionViewLayout: UICollectionViewCompositionalLayout.sections)
      }
      super.init()
      frame.addSubview(view)
      setUp()
      tracking =
        sections == 1 && kind != .sections
        ? ListTracking(view, tracker, ids: { [weak self] in self?.model[0] ?? [] })
        : ListTracking(view, tracker, ids: { [weak self] in self?.model ?? [] })
    }

    private func setUp() {
      if let table = view as? UITableView {
        table.register(UITableViewCell.self, forCellReuseIdentifier: "row")
        table.dataSource = self
        table.rowHeight = kind == .growingTable ? -1 : 44
        if kind == .growingTable { table.selfSizingInvalidation = .enabledIncludingConstraints }
        guard kind == .tableWithHeaders else { return }
        table.delegate = self
        table.sectionHeaderHeight = 30
        fillStrip()
        table.tableHeaderView = strip
      } else if let collection = view as? UICollectionView {
        collection.register(UICollectionViewCell.self, forCellWithReuseIdentifier: "row")
        collection.register(
          UICollectionReusableView.self,
          forSupplementaryViewOfKind: UICollectionView.elementKindSectionHeader,
          withReuseIdentifier: "header")
        collection.dataSource = self
      }
    }

    /// Labels side by side, half of which lie in a view that is their host.
    private func fillStrip() {
      strip.contentSize = CGSize(width: 1_000, height: 80)
      for number in 0..<10 {
        let box = UIView(frame: CGRect(x: number * 100, y: 0, width: 100, height: 80))
        let label = UILabel(frame: CGRect(x: 10, y: 10, width: 80, height: 20))
        box.addSubview(label)
        strip.addSubview(box)
        if number % 2 == 0 {
          tracker.bind(label, to: -200 - number) { $0.tag = $1.value ?? .min }
        } else {
          tracker.bind(label, to: -200 - number, in: box) { $0.tag = $1.value ?? .min }
        }
      }
    }

    func stop() { tracking?.stop() }

    /// Puts the list into scroll views, one inside the other, such as a pager and a long page.
    func surround(by count: Int) {
      for _ in 0..<count {
        let scroll = UIScrollView(frame: frame.bounds)
        scroll.contentSize = CGSize(width: 960, height: 1_800)
        (surroundings.last ?? frame).addSubview(scroll)
        surroundings.append(scroll)
      }
      surroundings.last?.addSubview(view)
    }

    var isMoving: Bool { ([view, strip] + surroundings).contains(where: \.isMoving) }

    /// Gives the rows other ids, before the first layout.
    func shiftIDs(by distance: Int) {
      model = model.map { section in section.map { $0 + distance } }
      nextID += distance
    }

    func path(of id: Int) -> IndexPath? {
      for section in model.indices {
        if let row = model[section].firstIndex(of: id) { return [section, row] }
      }
      return nil
    }

    // MARK: Cells

    func fill(_ cell: UIView, at path: IndexPath) {
      guard !forgetsToBind else { return }
      madeCells.append(Weak(cell: cell))
      let id = model[path[0]][path[1]]
      tracker.bind(cell, to: id) { [weak self] cell, phase, moment in
        self?.show(phase, of: id, in: cell)
        if moment == .leaving { self?.rowsThatLeft.append(id) }
        if moment == .update { self?.whileUpdating?(cell, id) }
      }
      if laysOutCells { cell.layoutIfNeeded() }
    }

    private func show(_ phase: RowPhase<Int>, of id: Int, in cell: UIView) {
      if let value = phase.value, rowOfValue(value) != rowOfValue(id) { wrongRows += 1 }
      cell.tag = phase.value ?? -1
      if kind == .growingTable, let cell = cell as? UITableViewCell {
        var content = UIListContentConfiguration.subtitleCell()
        content.secondaryText = phase.value.flatMap { $0 % 3 == 0 ? "\($0)" : nil }
        cell.contentConfiguration = content
      }
      whileRendering?()
    }

    /// Binds a header and a label deep inside it, which has no host.
    fileprivate func fill(_ header: UIView, section: Int) {
      let label = header.deepLabel ?? header.addDeepLabel()
      tracker.bind(header, to: -1 - section) { $0.tag = $1.value ?? .min }
      tracker.bind(label, to: -100 - section) { $0.tag = $1.value ?? .min }
    }

    // MARK: Truth

    /// The rows on screen of which the views around the list show something.
    var rowsInSight: [Int: UIView] {
      rowsOnScreen.filter { row, view in
        // Such a label is displayed while its host is.
        let isHosted = row <= -200 && row % 2 != 0
        return (isHosted ? view.superview ?? view : view).isInSight
      }
    }

    /// The rows on screen, from the list's own geometry.
    var rowsOnScreen: [Int: UIView] {
      var rows: [Int: UIView] = [:]
      for (path, cell) in view.cellsOnScreen {
        if let path = view.modelPath(path) { rows[model[path[0]][path[1]]] = cell }
      }
      for (element, header) in view.shown {
        guard case .supplementary(_, let section) = element else { continue }
        rows[-1 - section] = header
        if let label = header.deepLabel { rows[-100 - section] = label }
      }
      if kind == .tableWithHeaders {
        for (number, box) in strip.subviews.enumerated() {
          guard let label = box.subviews.first else { continue }
          // A view in a host is displayed while its host is.
          let frame =
            number % 2 == 0 ? label.frame.offsetBy(dx: box.frame.minX, dy: 0) : box.frame
          let x = frame.minX - strip.contentOffset.x
          // A list that was dragged beyond its top may show less than its header.
          if x + frame.width > 0, x < 320, view.bounds.minY < frame.maxY,
            frame.minY < view.bounds.maxY
          {
            rows[-200 - number] = label
          }
        }
      }
      return rows
    }

    /// Whether a side of the list is cut, so that its rows in sight do not follow each other.
    var isCutInside: Bool {
      let isLines = kind == .grid || kind == .sections
      return isLines && surroundings.contains { $0.contentOffset.x > 0 } && view.isInSight
    }

    /// The cells that exist, in use or not.
    var livingCells: Int { madeCells.count { $0.cell != nil } }
  }

  extension UIView {
    /// Whether the clipping views around the view and its window show a part of it.
    ///
    /// It knows no transforms.
    fileprivate var isInSight: Bool {
      var (view, rect) = (self, bounds)
      while let next = view.superview {
        rect = rect.offsetBy(
          dx: view.frame.minX - view.bounds.minX, dy: view.frame.minY - view.bounds.minY)
        if next.clipsToBounds || next is UIWindow { rect = rect.intersection(next.bounds) }
        guard !next.isHidden, rect.width > 0.001, rect.height > 0.001 else { return false }
        view = next
      }
      return view is UIWindow
    }

    fileprivate var deepLabel: UIView? {
      subviews.lazy.compactMap { $0 is UILabel ? $0 : $0.deepLabel }.first
    }

    fileprivate func addDeepLabel() -> UIView {
      let (box, label) = (UIView(frame: bounds), UILabel(frame: bounds))
      box.autoresizingMask = [.flexibleWidth, .flexibleHeight]
      label.autoresizingMask = [.flexibleWidth, .flexibleHeight]
      box.addSubview(label)
      addSubview(box)
      return label
    }
  }

  extension UICollectionViewCompositionalLayout {
    fileprivate static var sections: UICollectionViewCompositionalLayout {
      UICollectionViewCompositionalLayout { index, _ in
        let item = NSCollectionLayoutSize(
          widthDimension: .absolute(100), heightDimension: .absolute(100))
        let line = NSCollectionLayoutSize(
          widthDimension: .fractionalWidth(1), heightDimension: .absolute(100))
        let group = NSCollectionLayoutGroup.horizontal(
          layoutSize: index == 0 ? item : line,
          subitems: [NSCollectionLayoutItem(layoutSize: item)])
        let section = NSCollectionLayoutSection(group: group)
        if index == 0 { section.orthogonalScrollingBehavior = .continuous }
        section.boundarySupplementaryItems = [
          NSCollectionLayoutBoundarySupplementaryItem(
            layoutSize: NSCollectionLayoutSize(
              widthDimension: .fractionalWidth(1), heightDimension: .absolute(40)),
            elementKind: UICollectionView.elementKindSectionHeader, alignment: .top)
        ]
        return section
      }
    }
  }

  extension RandomList: UITableViewDataSource, UITableViewDelegate {
    func numberOfSections(in table: UITableView) -> Int { model.count }

    func tableView(_ table: UITableView, numberOfRowsInSection section: Int) -> Int {
      model[section].count
    }

    func tableView(_ table: UITableView, cellForRowAt path: IndexPath) -> UITableViewCell {
      let cell = table.dequeueReusableCell(withIdentifier: "row", for: path)
      fill(cell, at: path)
      return cell
    }

    func tableView(_ table: UITableView, viewForHeaderInSection section: Int) -> UIView? {
      let header = table.dequeueReusableHeaderFooterView(withIdentifier: "header")
      if let header { fill(header, section: section) }
      return header
    }
  }

  extension RandomList: UICollectionViewDataSource {
    func numberOfSections(in view: UICollectionView) -> Int { model.count }

    func collectionView(
      _ collection: UICollectionView, numberOfItemsInSection section: Int
    ) -> Int { model[section].count }

    func collectionView(
      _ collection: UICollectionView, cellForItemAt path: IndexPath
    ) -> UICollectionViewCell {
      let cell = collection.dequeueReusableCell(withReuseIdentifier: "row", for: path)
      fill(cell, at: path)
      return cell
    }

    func collectionView(
      _ collection: UICollectionView, viewForSupplementaryElementOfKind kind: String,
      at path: IndexPath
    ) -> UICollectionReusableView {
      let header = collection.dequeueReusableSupplementaryView(
        ofKind: kind, withReuseIdentifier: "header", for: path)
      fill(header, section: path.section)
      return header
    }
  }
#endif
