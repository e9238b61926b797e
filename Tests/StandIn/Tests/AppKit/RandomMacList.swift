#if canImport(AppKit)
  import AppKit
  import Proofs
  import RowOperationsTesting

  @testable import RowOperations

  /// A table or a collection view of AppKit with its model in a window, which forwards nothing.
  @MainActor
  final class RandomMacList: NSObject, NSTableViewDataSource, NSTableViewDelegate,
    NSCollectionViewDataSource
  {
    enum Kind: CaseIterable, Sendable {
      case table
      case collection
    }

    let clock = ManualClock()
    let tracker: DisplayTracker<Int, Int>
    let scroll = NSScrollView(frame: CGRect(x: 0, y: 0, width: 320, height: 600))
    /// A scroll view around the list.
    let stage = NSScrollView(frame: CGRect(x: 0, y: 0, width: 320, height: 600))
    private(set) var window = RandomMacList.newWindow()
    private let table = NSTableView()
    private let collection = NSCollectionView()
    private let kind: Kind
    private var model: [[Int]]
    private var nextID = 10_000
    private var dice: Dice
    private(set) var violations: [String] = []
    /// Called in each render of a cell of the table.
    var whileRendering: (() -> Void)?
    private var log: [String] = []

    init(
      _ kind: Kind, seed: UInt64, rows: Int = 200,
      load: @escaping @Sendable (UpdateContext<Int, Int>) async throws -> Int = { $0.row }
    ) {
      MainLoop.start(seed == 0 ? Variant() : Variant(seed: seed), seed: seed)
      self.kind = kind
      dice = Dice(seed: ~seed)
      var configuration = TrackerConfiguration<Int, Int>()
      configuration.clock = clock
      configuration.cached = { seed % 2 == 0 || $0 % 4 == 0 ? $0 : nil }
      tracker = DisplayTracker(configuration: configuration, update: load)
      model =
        kind == .table
        ? [Array(0..<rows)] : (0..<3).map { section in (0..<40).map { section * 100 + $0 } }
      super.init()
      MainLoop.timePassed = { [clock] in clock.advance(by: .milliseconds($0)) }
      setUp()
      let page = NSView(frame: CGRect(x: 0, y: 0, width: 320, height: 1_800))
      page.addSubview(scroll)
      stage.documentView = page
      window.contentView = stage
      window.orderFront(nil)
    }

    deinit { DispatchQueue.main.async { MainLoop.isManual = false } }

    private static func newWindow() -> NSWindow {
      NSWindow(
        contentRect: CGRect(x: 0, y: 0, width: 320, height: 600), styleMask: [.titled],
        backing: .buffered, defer: false)
    }

    private func setUp() {
      switch kind {
      case .table:
        table.addTableColumn(NSTableColumn(identifier: .init("row")))
        table.rowHeight = 40
        table.dataSource = self
        table.delegate = self
        scroll.documentView = table
        ListTracking(table, tracker, ids: { [weak self] in self?.model[0] ?? [] })
      case .collection:
        collection.collectionViewLayout = NSCollectionViewCompositionalLayout { index, _ in
          let size = NSCollectionLayoutSize(
            widthDimension: .absolute(100), heightDimension: .absolute(100))
          let line = NSCollectionLayoutSize(
            widthDimension: .fractionalWidth(1), heightDimension: .absolute(100))
          let section = NSCollectionLayoutSection(
            group: .horizontal(
              layoutSize: index == 0 ? size : line,
              subitems: [NSCollectionLayoutItem(layoutSize: size)]))
          if index == 0 { section.orthogonalScrollingBehavior = .continuous }
          return section
        }
        collection.register(MacItem.self, forItemWithIdentifier: .init("item"))
        collection.dataSource = self
        scroll.documentView = collection
        ListTracking(collection, tracker, ids: { [weak self] in self?.model ?? [] })
      }
    }

    // MARK: Cells

    func numberOfRows(in table: NSTableView) -> Int { model[0].count }

    func tableView(_ table: NSTableView, viewFor column: NSTableColumn?, row: Int) -> NSView? {
      let name = NSUserInterfaceItemIdentifier("cell")
      let reused = table.makeView(withIdentifier: name, owner: nil) as? NSTextField
      let cell = reused ?? NSTextField(labelWithString: "…")
      cell.identifier = name
      tracker.bind(cell, to: model[0][row]) { [weak self] cell, phase in
        cell.stringValue = "\(phase.value ?? -1)"
        self?.whileRendering?()
      }
      return cell
    }

    func numberOfSections(in view: NSCollectionView) -> Int { model.count }

    func collectionView(_ view: NSCollectionView, numberOfItemsInSection section: Int) -> Int {
      model[section].count
    }

    func collectionView(
      _ view: NSCollectionView, itemForRepresentedObjectAt path: IndexPath
    ) -> NSCollectionViewItem {
      let item = view.makeItem(withIdentifier: .init("item"), for: path)
      tracker.bind(item, to: model[path.section][path.item]) { $0.title = "\($1.value ?? -1)" }
      return item
    }

    /// The rows on screen with their texts, from the list's own views.
    private var rowsOnScreen: [Int: String] {
      guard window.contentView === stage, !scroll.isHidden, window.occlusionState == [.visible]
      else { return [:] }
      var rows: [Int: String] = [:]
      if kind == .table {
        let visible = table.rows(in: table.visibleRect)
        for row in visible.location..<visible.location + visible.length {
          let cell = table.view(atColumn: 0, row: row, makeIfNecessary: false) as? NSTextField
          rows[model[0][row]] = cell?.stringValue ?? "no cell"
        }
      }
      for item in collection.visibleItems() where item.view.isInsideClips {
        guard let path = collection.indexPath(for: item) else { continue }
        rows[model[path.section][path.item]] = item.title ?? ""
      }
      return rows
    }

    // MARK: Steps

    func run() async {
      await settle("first layout")
      for _ in 0..<12 where violations.isEmpty {
        let name = change()
        await settle(name)
      }
      await checkRest()
    }

    func turn() async {
      MainLoop.turn(isWhole: true)
      for _ in 0..<2 {
        await withCheckedContinuation { continuation in
          DispatchQueue.main.async { continuation.resume() }
        }
      }
    }

    func wait(frames: Int) async {
      for _ in 0..<frames {
        MainLoop.frame()
        await turn()
      }
    }

    private func settle(_ name: String) async {
      log.append(name)
      for _ in 0..<3 {
        MainLoop.frame(milliseconds: 200)
        await turn()
      }
      if !rowsOnScreen.isEmpty { await tracker.waitUntilIdle() }
      await turn()
      let shown = rowsOnScreen
      if tracker.displayedRows != Set(shown.keys) {
        violations.append(
          "after \(log): on screen \(shown.keys.sorted()), displayed \(tracker.displayedRows.sorted())"
        )
      }
      for (row, text) in shown where text != "\(row)" {
        violations.append("after \(log): row \(row) shows \(text)")
      }
      violations += tracker.audit().map { "after \(log): \($0)" }
    }

    private func checkRest() async {
      // Animations end, and the quiet time and the grace pass.
      for _ in 0..<8 {
        MainLoop.frame(milliseconds: 200)
        await turn()
      }
      // A timer that woke before may still be on its way, and cancelled bodies may go on.
      for _ in 0..<40_000
      where tracker.core.timer != nil || tracker.core.state.engine.runs.count > 0 {
        await turn()
      }
      let (commits, turns) = (MainLoop.commits, tracker.metrics.turns)
      for _ in 0..<40 { await turn() }
      if MainLoop.commits != commits || tracker.metrics.turns != turns
        || tracker.core.timer != nil
      {
        violations.append("after \(log) the list does not come to rest")
      }
    }

    private func change() -> String {
      switch Int.random(in: 0..<10, using: &dice) {
      case 0:
        scroll.contentView.scroll(to: Double.random(in: 0...4_000, using: &dice))
        return "scroll by code"
      case 1, 2:
        let isLegacy = dice.chance(0.5)
        for _ in 0..<8 {
          scroll.userScroll(by: Double.random(in: -50...200, using: &dice), isLegacy: isLegacy)
          MainLoop.frame()
        }
        scroll.endUserScroll()
        return "scroll by hand"
      case 3:
        delete()
        return "delete"
      case 4:
        model[0].shuffle(using: &dice)
        model[0].append(nextID)
        nextID += 1
        if kind == .table { table.reloadData() } else { collection.reloadData() }
        return "reload"
      case 5:
        scroll.isHidden.toggle()
        return "hide"
      case 6:
        window.occlusionState = window.occlusionState.isEmpty ? [.visible] : []
        return "occlude"
      case 7:
        stage.contentView.scroll(to: Double.random(in: 0...1_000, using: &dice))
        return "scroll around"
      case 8:
        scroll.frame.origin.y = CGFloat.random(in: -300...900, using: &dice)
        return "move"
      default:
        if dice.chance(0.5), let item = collection.item(at: [0, 0]) {
          item.view.enclosingScrollView?.contentView.bounds.origin.x = CGFloat.random(
            in: 0...1_000, using: &dice)
          return "scroll inside"
        }
        window.contentView = nil
        if dice.chance(0.5) { window = Self.newWindow() }
        window.contentView = stage
        window.orderFront(nil)
        return "leave"
      }
    }

    private func delete() {
      let section = model.indices.randomElement(using: &dice) ?? 0
      delete(Int.random(in: 0..<min(model[section].count, 12), using: &dice), in: section)
    }

    func delete(_ item: Int, in section: Int) {
      model[section].remove(at: item)
      if kind == .table {
        table.removeRows(at: [item])
      } else {
        collection.deleteItems(at: [[section, item]])
      }
    }
  }

  private final class MacItem: NSCollectionViewItem {
    override func loadView() { view = NSView(frame: CGRect(x: 0, y: 0, width: 100, height: 100)) }
  }
#endif
