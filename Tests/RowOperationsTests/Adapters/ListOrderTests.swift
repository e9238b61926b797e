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
      let items = ListItems(section: section, rows: item.row..<item.row + 1, first: position)
      reader.read().read(items) { rows.append($1) }
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
      for order in [plain, plain.rows { [$0] }] {
        #expect(rows(order, [1, 2], 0, 0) == ["a"])
        #expect(rows(order, [1, 2], 1, 0) == [])
        #expect(rows(order, [1, 2], 1, 1) == [])
      }
    }

    @Test("An item has one row, several rows or none")
    func severalRows() {
      let posts = [3, 0, 2]
      let flat = OrderReader.flat { posts }.rows { count in
        (0..<count).map { "\(count).\($0)" }
      }
      #expect(rows(flat, [4], 0, 0) == ["3.0", "3.1", "3.2"])
      #expect(rows(flat, [4], 0, 1) == [])
      #expect(rows(flat, [4], 0, 2) == ["2.0", "2.1"])
      #expect(rows(flat, [4], 0, 3) == [])
      let nested = OrderReader.sections { [[1], [2, 1]] }.rows { count in
        (0..<count).map { "\(count).\($0)" }
      }
      #expect(rows(nested, [1, 2], 1, 0) == ["2.0", "2.1"])
      #expect(rows(nested, [1, 2], 1, 1) == ["1.0"])
    }

    @Test("A source of items gives the rows of each item, in order, at its position")
    func sourceOfItems() {
      let source = RowSource<Int>([9, 2, 0, 3].dropFirst()) { item in
        (0..<item).map { 10 * item + $0 }
      }
      var read: [[Int]] = []
      for positions in [0..<3, 2..<3] {
        source.read(positions) { read.append([$0, $1]) }
      }
      let last = [[2, 30], [2, 31], [2, 32]]
      #expect(source.count == 3 && read == [[0, 20], [0, 21]] + last + last)
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
    /// A layout of three rows and a spinner, whose cell is still bound to row 3.
    private func staleLayout(
      of tracker: DisplayTracker<Int, TrackerRig.Loaded>
    ) -> ListLayout {
      let cell = SimulatedCell(number: 0)
      tracker.bind(cell, to: 3) { _, _ in }
      return ListLayout(rows: 4, cells: [.init(cell, at: .init(row: 3))])
    }

    @Test("Such a cell is reported once, when two layouts in a row show it")
    func reported() {
      Misuses.inside { misuses in
        let rig = TrackerRig()
        var reads = 0
        let read: @MainActor () -> [[Int]] = {
          reads += 1
          return [[1, 2, 3]]
        }
        let relay = ListRelay(rig.tracker, ids: .sections(read))
        let layout = staleLayout(of: rig.tracker)
        relay.laidOut(layout)
        #expect(misuses.codes == [], "the list may still be changing")
        for _ in 0..<5 { relay.laidOut(layout) }
        #expect(misuses.codes == [.staleCell])
        #expect(rig.displayed == [3])
        #expect(reads == 1, "a cell that stays wrong causes one read of the ids")
      }
    }

    @Test("A cell whose row is nowhere near is not reported")
    func nowhereNear() {
      Misuses.inside { misuses in
        let rig = TrackerRig()
        let relay = ListRelay(rig.tracker, ids: .sections { [[1, 2, 3]] })
        let cell = SimulatedCell(number: 0)
        rig.tracker.bind(cell, to: 99) { _, _ in }
        let layout = ListLayout(rows: 3, cells: [.init(cell, at: .init(row: 2))])
        for _ in 0..<5 { relay.laidOut(layout) }
        #expect(misuses.codes == [])
      }
    }

    @Test("A change of the data begins the search anew")
    func changedData() {
      Misuses.inside { misuses in
        let rig = TrackerRig()
        let relay = ListRelay(rig.tracker, ids: .sections { [[1, 2, 3]] })
        let layout = staleLayout(of: rig.tracker)
        for _ in 0..<3 {
          relay.dataChanged()
          relay.laidOut(layout)
        }
        #expect(misuses.codes == [])
        relay.laidOut(layout)
        #expect(misuses.codes == [.staleCell])
      }
    }

    @Test("A spinner at the end of the list, whose cell the app binds to nil, is never reported")
    func spinner() {
      Misuses.inside { misuses in
        let view = WatchedList(rows: 60)
        view.rowsWithoutBinding = [59]
        view.ids = Array(0..<59)
        view.list.layOut()
        for row in [30, 59] {
          view.look()
          view.list.jump(to: row)
        }
        for _ in 0..<5 { view.look() }
        #expect(misuses.codes == [])
        #expect(view.rig.displayed == Set(view.list.visibleRows).subtracting([59]))
      }
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
      let relay = ListRelay(rig.tracker, ids: .sections(read))
      let cells = (0..<3).map { SimulatedCell(number: $0) }
      for (cell, id) in zip(cells, ids) { rig.tracker.bind(cell, to: id) { _, _ in } }
      let layout = ListLayout(
        rows: 3, cells: cells.enumerated().map { .init($1, at: .init(row: $0)) })
      for _ in 0..<3 { relay.laidOut(layout) }
      rig.tracker.endPass()
      #expect(rig.displayed == [1, 2])
      #expect(reads == 1)
      #expect(rig.violations == [])
    }
  }
}
