import RowOperationsTesting
import Testing

@testable import RowOperations
@testable import TestSupport

extension Adapters {
  @Suite("Rows by index path")
  @MainActor
  struct ListOrderTests {
    /// Reads the rows of an item in a list that counts its items.
    private func rows<Row>(
      _ reader: OrderReader<Row>, _ counts: [Int], _ section: Int, _ item: Int
    ) -> [Row] {
      let positions = ListPositions(counts)
      let item = ListPosition(section: section, row: item)
      guard let position = positions.position(of: item) else { return [] }
      #expect(positions.item(at: position) == item)
      var rows: [Row] = []
      reader.read().read(item, at: position) { rows.append($0) }
      return rows
    }

    @Test("A flat list of ids runs across sections, by the list's own item counts")
    func flat() {
      let (order, counts) = (OrderReader.flat { ["a", "b", "c", "d"] }, [1, 0, 2, 3])
      #expect(rows(order, counts, 0, 0) == ["a"])
      #expect(rows(order, counts, 2, 1) == ["c"])
      #expect(rows(order, counts, 3, 0) == ["d"])
      #expect(order.read().counts() == [4])
    }

    @Test("Index paths beyond the ids have no row and do not trap")
    func bounds() {
      let order = OrderReader.flat { ["a", "b"] }
      for (section, item) in [(0, 2), (0, 3), (1, 0), (-1, 0), (0, -1), (0, .max)] {
        #expect(rows(order, [3], section, item) == [])
      }
      #expect(ListPositions().all.isEmpty)
      #expect(ListPositions([.max]).all.count == .max)
    }

    @Test("Positions beyond the last item belong to the last section")
    func beyond() {
      var found: [ListItems] = []
      ListPositions([2, 0, 3]).forEachSection(at: 1..<8) { found.append($0) }
      #expect(found.map(\.section) == [0, 2])
      #expect(found.map(\.rows) == [1..<2, 0..<6])
      #expect(found.map(\.first) == [1, 2])
    }

    @Test("With ids by section, a section can end with items that have no row")
    func sections() {
      let (order, counts) = (OrderReader.sections { [["a"], [], ["b", "c"]] }, [2, 1, 3])
      #expect(rows(order, counts, 0, 0) == ["a"])
      #expect(rows(order, counts, 0, 1) == [])
      #expect(rows(order, counts, 1, 0) == [])
      #expect(rows(order, counts, 2, 1) == ["c"])
      #expect(rows(order, counts, 2, 2) == [])
      #expect(order.read().counts() == [1, 0, 2])
    }

    @Test("A section that the ids lack has no rows and does not trap")
    func lackingSections() {
      let plain = OrderReader.sections { [["a"]] }
      let nested = OrderReader<String>.sections({ [["a"]] }) { [$0] }
      let items = OrderReader<String>.items(of: .sections { [["a"]] }) { (id: String) in [id] }
      for order in [plain, nested, items] {
        #expect(rows(order, [1, 2], 0, 0) == ["a"])
        #expect(rows(order, [1, 2], 1, 0) == [])
        #expect(rows(order, [1, 2], 1, 1) == [])
      }
    }

    @Test("An item has one row, several rows or none")
    func severalRows() {
      let posts = [3, 0, 2]
      let flat = OrderReader<String>.flat({ posts }) { count in
        (0..<count).map { "\(count).\($0)" }
      }
      #expect(rows(flat, [4], 0, 0) == ["3.0", "3.1", "3.2"])
      #expect(rows(flat, [4], 0, 1) == [])
      #expect(rows(flat, [4], 0, 2) == ["2.0", "2.1"])
      #expect(rows(flat, [4], 0, 3) == [])
      let nested = OrderReader<String>.sections({ [[1], [2, 1]] }) { count in
        (0..<count).map { "\(count).\($0)" }
      }
      #expect(rows(nested, [1, 2], 1, 0) == ["2.0", "2.1"])
      #expect(rows(nested, [1, 2], 1, 1) == ["1.0"])
    }

    @Test("A row that is looked up is the row of its index path")
    func lookUp() {
      let order = OrderReader<String>.lookUp { $0[1] == 2 ? nil : "\($0[0]).\($0[1])" }
      #expect(rows(order, [1, 3], 1, 1) == ["1.1"])
      #expect(rows(order, [1, 3], 1, 2) == [])
    }
  }

  @Suite("A cell whose row is not that of its index path")
  @MainActor
  struct StaleCellTests {
    /// A list with a spinner at its end; the app binds that cell wrongly, to nil, or not at all.
    private func scrolledToSpinner(_ end: WatchedList.Binding) -> WatchedList {
      let view = WatchedList(rows: 60)
      view.binding = { $0 == 59 ? end : .row($0) }
      view.ids = Array(0..<59)
      view.list.layOut()
      view.look()
      view.list.jump(to: 30)
      view.look()
      view.list.jump(to: 59)
      return view
    }

    @Test("Such a cell is reported once, when two layouts in a row show it, and stays bound")
    func reported() async {
      await #expect(processExitsWith: .success) {
        Watchdog.start(Watchdog.patient)
        await StaleCellTests.checkReports()
      }
    }

    /// A layout of three rows and a spinner, whose cell is still bound to row 3.
    private static func staleLayout(
      of tracker: DisplayTracker<Int, TrackerRig.Loaded>
    ) -> ListLayout {
      let cell = SimulatedCell(number: 0)
      tracker.bind(cell, to: 3) { _, _ in }
      var layout = ListLayout()
      layout.sectionCount = 1
      layout.itemCount = { _ in 4 }
      layout.cells = [.init(cell, at: .init(row: 3))]
      return layout
    }

    private static func checkReports() {
      let codes = Log<OperationMisuse.Code>([])
      OperationDiagnostics.onMisuse = { codes.append($0.code) }
      let rig = TrackerRig()
      var reads = 0
      let read: @MainActor () -> [[Int]] = {
        reads += 1
        return [[1, 2, 3]]
      }
      let relay = ListRelay(trackers: [rig.tracker], ids: read)
      let layout = staleLayout(of: rig.tracker)
      relay.laidOut(layout)
      #expect(codes.value == [], "the list may still be changing")
      for _ in 0..<5 { relay.laidOut(layout) }
      #expect(codes.value == [.staleCell])
      #expect(rig.displayed == [3])
      #expect(reads == 1, "a cell that stays wrong causes one read of the ids")
    }

    @Test("A change of the data begins the search for such cells anew")
    func changedData() async {
      await #expect(processExitsWith: .success) {
        Watchdog.start(Watchdog.patient)
        await StaleCellTests.checkChangedData()
      }
    }

    private static func checkChangedData() {
      let codes = Log<OperationMisuse.Code>([])
      OperationDiagnostics.onMisuse = { codes.append($0.code) }
      let rig = TrackerRig()
      let relay = ListRelay(trackers: [rig.tracker], ids: { [[1, 2, 3]] })
      let layout = staleLayout(of: rig.tracker)
      for _ in 0..<3 {
        relay.dataChanged()
        relay.laidOut(layout)
      }
      #expect(codes.value == [])
      relay.laidOut(layout)
      #expect(codes.value == [.staleCell])
    }

    @Test("A spinner that is bound to nil is not reported")
    func unbound() async {
      await #expect(processExitsWith: .success) {
        Watchdog.start(Watchdog.patient)
        await StaleCellTests.checkSilence()
      }
    }

    private static func checkSilence() {
      let codes = Log<OperationMisuse.Code>([])
      OperationDiagnostics.onMisuse = { codes.append($0.code) }
      let view = StaleCellTests().scrolledToSpinner(.none)
      for _ in 0..<5 { view.look() }
      #expect(codes.value == [])
      #expect(view.rig.displayed == Set(view.list.visibleRows).subtracting([59]))
    }

    @Test("A wrong cell that is right in the next layout is not reported")
    func passing() {
      var check = BindingCheck()
      let cell = SimulatedCell(number: 0)
      let position = ListPosition(row: 4)
      #expect(check.laidOut([(cell, 7, position)]).count == 0)
      #expect(check.knows(cell, row: 7, at: position))
      #expect(check.laidOut([]).count == 0)
      #expect(check.laidOut([(cell, 7, position)]).count == 0)
      #expect(check.laidOut([(cell, 8, position)]).count == 0, "a different row is a new fault")
      #expect(check.laidOut([(cell, 8, position)]).count == 1)
      #expect(check.laidOut([(cell, 8, position)]).count == 0)
    }

    @Test("A row that occurs twice in the ids is right at both positions")
    func twice() {
      let rig = TrackerRig()
      let ids = [1, 2, 1]
      var reads = 0
      let read: @MainActor () -> [[Int]] = {
        reads += 1
        return [ids]
      }
      let relay = ListRelay(trackers: [rig.tracker], ids: read)
      let cells = (0..<3).map { SimulatedCell(number: $0) }
      for (cell, id) in zip(cells, ids) { rig.tracker.bind(cell, to: id) { _, _ in } }
      var layout = ListLayout()
      layout.sectionCount = 1
      layout.itemCount = { _ in 3 }
      layout.cells = cells.enumerated().map { .init($1, at: .init(row: $0)) }
      for _ in 0..<3 { relay.laidOut(layout) }
      rig.tracker.endPass()
      #expect(rig.displayed == [1, 2])
      #expect(reads == 1)
      #expect(rig.violations == [])
    }
  }
}
