import Foundation
import Testing

@testable import RowOperations

extension Adapters {
  @Suite("Rows that land")
  struct LandingTests {
    private func row(
      _ section: Int, _ item: Int, x: Double = 0, y: Double, width: Double = 100
    ) -> RowFrame {
      RowFrame(
        path: IndexPath(indexes: [section, item]),
        frame: CGRect(x: x, y: y, width: width, height: 50))
    }

    private let part = CGRect(x: 0, y: 100, width: 300, height: 100)

    private func paths(_ rows: [RowFrame]) -> [[Int]] { rows.paths(in: part).map(Array.init) }

    @Test("Rows that will be visible in part or in full land, in reading order [17]")
    func order() {
      let rows = [
        row(0, 3, x: 200, y: 100), row(0, 5, y: 150), row(0, 1, y: 100),
        row(0, 2, x: 100, y: 100), row(0, 0, y: 60),
      ]
      #expect(paths(rows) == [[0, 0], [0, 1], [0, 2], [0, 3], [0, 5]])
    }

    @Test("Rows that a layout places outside the requested rectangle do not land")
    func outside() {
      let rows = [
        row(0, 0, y: 50), row(0, 1, y: 199), row(0, 2, y: 200), row(0, 3, x: 300, y: 120),
        row(0, 4, x: -100, y: 120), row(0, 5, x: -99, y: 120),
      ]
      #expect(paths(rows) == [[0, 5], [0, 1]])
    }

    @Test("A row that is placed twice lands once, at its first place")
    func twice() {
      let rows = [row(1, 0, y: 160), row(0, 9, y: 150), row(1, 0, y: 110)]
      #expect(paths(rows) == [[1, 0], [0, 9]])
    }

    @Test("No row lands beyond the end of the content")
    func empty() {
      #expect(paths([]) == [])
    }
  }
}
