#if canImport(UIKit) && !os(watchOS)
  import RowOperations
  import UIKit

  /// A real table view in a window; its delegate forwards nothing.
  ///
  /// After each step, the rows that the tracker displays are compared with those that
  /// the table view shows.
  @MainActor
  final class TableTrial: NSObject, UITableViewDataSource {
    /// The expectations that failed, in words.
    private(set) var violations: [String] = []

    private var ids = Array(0..<1_000)
    private let tracker = DisplayTracker<Int, Int> { $0.row }
    /// The rows of the details are texts, and not the ids of the table.
    private let details = DisplayTracker<String, String> { $0.row }
    private let window = UIWindow.trial()
    private let table = UITableView(frame: CGRect(x: 0, y: 0, width: 320, height: 600))
    /// Whether the last row of the table is a spinner, which has no id.
    private var hasSpinner = false
    private var reads = 0
    private var tracking: ListTracking?

    override init() {
      super.init()
      table.register(UITableViewCell.self, forCellReuseIdentifier: "row")
      table.rowHeight = 44
      table.dataSource = self
      tracking = ListTracking(
        table, tracker,
        ids: { [weak self] in
          self?.reads += 1
          return self?.ids ?? []
        })
      tracking?.add(details, rows: { (id: Int) in ["\(id)!"] })
      window.addSubview(table)
      window.isHidden = false
    }

    func tableView(_ table: UITableView, numberOfRowsInSection section: Int) -> Int {
      ids.count + (hasSpinner ? 1 : 0)
    }

    func tableView(
      _ table: UITableView, cellForRowAt path: IndexPath
    ) -> UITableViewCell {
      let cell = table.dequeueReusableCell(withIdentifier: "row", for: path)
      let id = path.row < ids.count ? ids[path.row] : nil
      tracker.bind(cell, to: id) { $0.textLabel?.text = $1.value.map(String.init) ?? "…" }
      details.bind(cell.contentView, to: id.map { "\($0)!" }, in: cell) { _, _ in }
      return cell
    }

    /// Runs all steps.
    ///
    /// - Returns: The expectations that failed, in words.
    func run() async -> [String] {
      await step("first layout") {}
      await step("scroll") { self.table.contentOffset.y = 4_321 }
      // Once for each part of the list and each of the two kinds of rows, and not in each layout.
      if reads != 4 { violations.append("the ids were read \(reads) times before any change") }
      await step("jump") { self.table.scrollToRow(at: [0, 900], at: .top, animated: false) }
      await step("reload") { self.table.reloadData() }
      await step("reload to fewer rows") {
        self.ids = Array(5..<30)
        self.table.reloadData()
      }
      await changes()
      await step("another height") { self.table.frame.size.height = 200 }
      await step("spinner") {
        self.hasSpinner = true
        self.table.reloadData()
        self.table.scrollToRow(at: [0, self.ids.count], at: .bottom, animated: false)
      }
      await comingAndGoing()
      await furtherPages()
      return violations
    }

    /// Three pages of ten rows follow the table, each once and in order.
    private func furtherPages() async {
      let first = ids.count
      let pages = Pagination { (page: Int?) in
        page ?? 0
      } receive: { [weak self] page, _ in
        self?.ids += (0..<10).map { 8_000 + 10 * page + $0 }
        self?.table.reloadData()
        return page < 2 ? page + 1 : nil
      }
      tracking?.pages = [pages]
      for _ in 0..<1_000 {
        if case .atEnd = pages.phase { break }
        await step("further pages") {
          self.table.scrollToRow(at: [0, self.ids.count - 1], at: .bottom, animated: false)
        }
      }
      if Array(ids[first...]) != Array(8_000..<8_030) {
        violations.append("the pages are \(ids[first...])")
      }
      await step("the last page") {}
    }

    private func changes() async {
      await step("insert on screen") {
        self.ids.insert(5_000, at: 2)
        self.table.insertRows(at: [[0, 2]], with: .none)
      }
      await step("delete on screen") {
        self.ids.removeSubrange(1...3)
        self.table.deleteRows(at: [[0, 1], [0, 2], [0, 3]], with: .none)
      }
      await step("move on screen") {
        self.ids.swapAt(0, 1)
        self.table.moveRow(at: [0, 0], to: [0, 1])
      }
      await step("exchange a row") {
        self.ids[3] = 6_000
        self.table.reloadRows(at: [[0, 3]], with: .none)
      }
    }

    private func comingAndGoing() async {
      table.removeFromSuperview()
      await pause()
      let displayed = tracker.displayedRows
      ids.append(7_000)
      table.reloadData()
      await pause()
      if tracker.displayedRows != displayed { violations.append("a list without a window looked") }
      await step("back in the window") { self.window.addSubview(self.table) }
    }

    private func step(_ name: String, _ change: () -> Void) async {
      change()
      await pause()
      let visible = (table.indexPathsForVisibleRows ?? []).map(\.row)
      let shown = Set(visible.filter { $0 < ids.count }.map { ids[$0] })
      if tracker.displayedRows != shown {
        violations.append(
          "\(name): on screen are \(shown.sorted()), displayed \(tracker.displayedRows.sorted())")
      }
      if details.displayedRows != Set(shown.map { "\($0)!" }) {
        violations.append("\(name): the details are \(details.displayedRows.sorted())")
      }
      await tracker.waitUntilIdle()
      for path in table.indexPathsForVisibleRows ?? [] where path.row < ids.count {
        let text = table.cellForRow(at: path)?.textLabel?.text ?? ""
        if text != "\(ids[path.row])" {
          violations.append("\(name): row \(path.row) shows \(text)")
        }
      }
    }

    /// Lets Core Animation commit, and the main queue take its turns.
    private func pause() async {
      CATransaction.flush()
      await withCheckedContinuation { continuation in
        DispatchQueue.main.async { continuation.resume() }
      }
    }
  }
#endif
