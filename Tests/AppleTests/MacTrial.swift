#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  import AppKit
  import RowOperations

  /// A real `NSTableView` in a window; its delegate forwards nothing.
  @MainActor
  final class MacTableTrial: NSObject, NSTableViewDataSource, NSTableViewDelegate {
    private var ids = Array(0..<1_000)
    private let tracker = DisplayTracker<Int, Int> { $0.row }
    private let table = NSTableView()
    private let scroll = NSScrollView(frame: NSRect(x: 0, y: 0, width: 320, height: 600))
    private let window = NSWindow(
      contentRect: NSRect(x: 0, y: 0, width: 320, height: 600), styleMask: [.titled],
      backing: .buffered, defer: false)
    private var violations: [String] = []

    override init() {
      super.init()
      table.addTableColumn(NSTableColumn(identifier: .init("row")))
      table.rowHeight = 40
      table.dataSource = self
      table.delegate = self
      scroll.documentView = table
      window.contentView = scroll
      ListTracking(table, tracker, ids: { [weak self] in self?.ids ?? [] })
      window.orderFront(nil)
    }

    func numberOfRows(in table: NSTableView) -> Int { ids.count }

    func tableView(
      _ table: NSTableView, viewFor column: NSTableColumn?, row: Int
    ) -> NSView? {
      let name = NSUserInterfaceItemIdentifier("cell")
      let reused = table.makeView(withIdentifier: name, owner: nil) as? NSTextField
      let cell = reused ?? NSTextField(labelWithString: "…")
      cell.identifier = name
      tracker.bind(cell, to: ids[row]) { $0.stringValue = $1.value.map(String.init) ?? "…" }
      return cell
    }

    /// Runs all steps.
    ///
    /// - Returns: The expectations that failed, in words.
    func run() async -> [String] {
      await step("first layout") {}
      await step("scroll") { self.table.scrollRowToVisible(500) }
      await step("delete on screen") {
        self.ids.removeSubrange(495..<498)
        self.table.removeRows(at: IndexSet(495..<498))
      }
      await step("scroll back") { self.table.scrollRowToVisible(0) }
      await step("reload") {
        self.ids = Array(0..<7)
        self.table.reloadData()
      }
      return violations
    }

    private func step(_ name: String, _ change: () -> Void) async {
      change()
      window.layoutIfNeeded()
      await withCheckedContinuation { continuation in
        DispatchQueue.main.async { continuation.resume() }
      }
      let rows = table.rows(in: table.visibleRect)
      let shown = Set((rows.location..<rows.location + rows.length).map { ids[$0] })
      if tracker.displayedRows != shown {
        violations.append(
          "\(name): on screen are \(shown.sorted()), displayed \(tracker.displayedRows.sorted())")
      }
    }
  }
#endif
