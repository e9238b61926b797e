import Foundation
import RowOperationsTesting
import Testing

@testable import RowOperations
@testable import TestSupport

extension Adapters {
  @Suite("The text of a trace")
  @MainActor
  struct ListTraceTests {
    @Test("Each line begins with the whole milliseconds since the first one")
    func times() {
      let now = Box<Int64>(5_000_000)
      var lines: [String] = []
      let trace = ListTrace<Int>("list", now: { now.value }) { lines.append($0) }
      #expect(lines.first?.hasPrefix("0 trace 2 list ") == true)
      for _ in 0..<2 {
        now.change { $0 += 999_999 }
        trace.event("data")
      }
      now.change { $0 += 2 }
      trace.event("data")
      #expect(lines.dropFirst() == ["0 data", "1 data", "2 data"])
    }

    @Test("Rows of consecutive items are in one line, and each reading is written once")
    func readings() {
      var lines: [String] = []
      var trace = ListTrace<String>("list", now: { 0 }) { lines.append($0) }
      lines = []
      for (position, rows) in [
        (8, ["d", "a"]), (3, ["a"]), (4, ["b"]), (6, ["c"]), (7, []), (9, ["b"]), (10, ["e"]),
      ] {
        trace.rowsRead(rows, at: position)
      }
      trace.endReading()
      #expect(
        lines == [
          "0 rows 3 [1,2]", "0 rows 6 [3]", "0 item 7 []", "0 item 8 [0,1]", "0 rows 9 [2,4]",
        ])
      trace.endReading()
      #expect(lines.count == 5)
    }

    @Test("A layout has its counts and flags, and the row, the place and the frame of each view")
    func layout() {
      var lines: [String] = []
      var trace = ListTrace<Int>("list", now: { 0 }) { lines.append($0) }
      let views = (0..<3).map { SimulatedCell(number: $0) }
      var layout = ListLayout()
      layout.sectionCount = 2
      layout.itemCount = { [4, 7][$0] }
      layout.cells = [.init(views[0], at: .init(section: 1, row: 2)), .init(views[1], at: nil)]
      layout.others = [views[2]]
      let watcher = CountingWatcher()
      let rows = [0: 50, 2: 60]
      func write() -> String? {
        trace.laidOut(layout, in: watcher) { view in
          (view as? SimulatedCell).flatMap { rows[$0.number] }
        }
        return lines.last
      }
      #expect(write() == "0 look  4,7 a=0@1.2: b=-@: c=1:")
      layout.isSettled = false
      #expect(write() == "0 look  4,7 a=0@1.2: b=-@: c=1: unsettled")
      layout.isDataConstrained = true
      #expect(write() == "0 look  4,7 a=0@1.2: b=-@: c=1: unsettled constrained")
      layout = .uncounted()
      layout.cells = [.init(views[0], at: nil)]
      #expect(write() == "0 look  - a=0@:")
      trace.bound(views[1], to: 60, isCell: true)
      #expect(lines.last == "0 bind b=1 cell")
      trace.bound(views[1], to: nil, isCell: false)
      #expect(lines.last == "0 bind b=- view")
    }

    @Test("A frame in a trace has its origin and its size")
    func frame() {
      #expect(CGRect(x: 1, y: -2.5, width: 3, height: 4).traceText == "1.0,-2.5,3.0,4.0")
    }
  }
}
