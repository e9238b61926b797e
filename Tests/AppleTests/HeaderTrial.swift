#if canImport(UIKit) && !os(watchOS)
  import RowOperations
  import UIKit

  /// A real table view with headers.
  ///
  /// The table's own header scrolls sideways, and each section has one. Views inside them are bound
  /// without a host.
  ///
  /// Each render lays the table view out.
  @MainActor
  final class HeaderTrial: NSObject, UITableViewDataSource, UITableViewDelegate {
    /// The expectations that failed, in words.
    private(set) var violations: [String] = []

    private var ids = (0..<3).map { section in (0..<20).map { section * 100 + $0 } }
    private let tracker = DisplayTracker<Int, Int> { $0.row }
    private let window = UIWindow.trial()
    private let table = UITableView(frame: CGRect(x: 0, y: 0, width: 320, height: 600))
    private let strip = UIScrollView(frame: CGRect(x: 0, y: 0, width: 320, height: 80))
    private let labels = (0..<10).map { number in
      UILabel(frame: CGRect(x: number * 100, y: 20, width: 90, height: 40))
    }

    override init() {
      super.init()
      table.register(UITableViewCell.self, forCellReuseIdentifier: "row")
      table.rowHeight = 44
      table.sectionHeaderHeight = 30
      table.dataSource = self
      table.delegate = self
      strip.contentSize = CGSize(width: 1_000, height: 80)
      for (number, label) in labels.enumerated() {
        strip.addSubview(label)
        tracker.bind(label, to: -100 - number) { $0.text = $1.value.map(String.init) }
      }
      table.tableHeaderView = strip
      ListTracking(table, tracker, ids: { [weak self] in self?.ids ?? [] })
      window.addSubview(table)
      window.isHidden = false
    }

    func numberOfSections(in table: UITableView) -> Int { ids.count }

    func tableView(_ table: UITableView, numberOfRowsInSection section: Int) -> Int {
      ids[section].count
    }

    func tableView(_ table: UITableView, cellForRowAt path: IndexPath) -> UITableViewCell {
      let cell = table.dequeueReusableCell(withIdentifier: "row", for: path)
      tracker.bind(cell, to: ids[path.section][path.row]) { [weak self] cell, phase in
        cell.tag = phase.value ?? -1
        self?.table.layoutIfNeeded()
      }
      return cell
    }

    func tableView(_ table: UITableView, viewForHeaderInSection section: Int) -> UIView? {
      let header =
        table.dequeueReusableHeaderFooterView(withIdentifier: "header")
        ?? UITableViewHeaderFooterView(reuseIdentifier: "header")
      let label = header.contentView.subviews.compactMap { $0 as? UILabel }.last ?? UILabel()
      label.frame = CGRect(x: 8, y: 4, width: 200, height: 20)
      header.contentView.addSubview(label)
      tracker.bind(label, to: -1 - section) { $0.text = $1.value.map(String.init) }
      return header
    }

    /// Runs all steps.
    ///
    /// - Returns: The expectations that failed, in words.
    func run() async -> [String] {
      await step("first layout", others: [-1, -100, -101, -102, -103])
      strip.contentOffset.x = 550
      await step("scroll the table's header", others: [-1, -105, -106, -107, -108])
      table.contentOffset.y = 300
      await step("scroll", others: [-1])
      ids[0].removeFirst(10)
      table.performBatchUpdates { [table] in
        table.deleteRows(at: (0..<10).map { [0, $0] }, with: .none)
      }
      await step("delete in a batch")
      UIView.animate(withDuration: 0.1) { [table] in
        table.contentOffset.y = 0
        table.layoutIfNeeded()
      }
      await step("back in an animation")
      table.isHidden = true
      await pause()
      if tracker.displayedRows != [] { violations.append("a hidden list displays rows") }
      table.isHidden = false
      await step("unhidden")
      return violations
    }

    /// - Parameter others: The rows of labels on screen; not compared by default.
    private func step(_ name: String, others: Set<Int>? = nil) async {
      await pause()
      await tracker.waitUntilIdle()
      await pause()
      let visible = table.indexPathsForVisibleRows ?? []
      let shown = Set(visible.map { ids[$0.section][$0.row] })
      let displayed = tracker.displayedRows
      if displayed.filter({ $0 >= 0 }) != shown {
        violations.append(
          "\(name): on screen are \(shown.sorted()), displayed \(displayed.sorted())")
      }
      let labels = displayed.filter { $0 < 0 }
      if let others, labels != others {
        violations.append("\(name): labels are \(others.sorted()), displayed \(labels.sorted())")
      }
    }

    /// Lets the run loop reach its end, Core Animation commit, and the main queue take its turns.
    private func pause() async {
      try? await Task.sleep(nanoseconds: 50_000_000)
      CATransaction.flush()
      await withCheckedContinuation { continuation in
        DispatchQueue.main.async { continuation.resume() }
      }
    }
  }
#endif
