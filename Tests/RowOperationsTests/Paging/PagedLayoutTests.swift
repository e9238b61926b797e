import Dispatch
import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("Pages that follow the layouts of a list", .timeLimit(.minutes(10)))
@MainActor
struct PagedLayoutTests {
  private let rig = TrackerRig()

  /// Where the cell of a row is.
  private struct Place {
    let row: Int
    var position: ListPosition?
    var isInner = false
  }

  /// Lays cells out, and says whether a page loads then.
  private func loadsPage(
    _ layout: ListLayout, rows: [[Int]], cells places: [Place]
  ) async -> Bool {
    let pages = Pagination(after: 1) { (cursor: Int?) in
      await Task.yield()
      return cursor
    } receive: { _, _ in
      nil
    }
    let relay = ListRelay(rig.tracker, ids: .sections { rows })
    relay.watched(by: CountingWatcher())
    relay.pages = [pages]
    var layout = layout
    for place in places {
      let cell = SimulatedCell(number: place.row)
      rig.tracker.bind(cell, to: place.row) { _, _ in }
      layout.cells.append(.init(cell, at: place.position, isInner: place.isInner))
    }
    relay.laidOut(layout)
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async { continuation.resume() }
    }
    relay.stop()
    if case .idle = pages.phase { return false }
    return true
  }

  @Test("A view that does not count its items is near the end if the rows on screen are")
  func uncounted() async {
    for (first, loads) in [(0, false), (20, false), (28, true)] {
      let cells = (first..<first + 2).map { Place(row: $0) }
      let found = await loadsPage(.uncounted(), rows: [Array(0..<30)], cells: cells)
      #expect(found == loads, "from row \(first)")
    }
  }

  @Test("A section that scrolls by itself is on screen as a whole")
  func innerSection() async {
    var layout = ListLayout()
    layout.sectionCount = 2
    layout.itemCount = { [3, 20][$0] }
    for isInner in [true, false] {
      let cells = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1)].map { section, item in
        Place(
          row: section * 3 + item, position: .init(section: section, row: item),
          isInner: isInner && section == 1)
      }
      let rows = [Array(0..<3), Array(3..<23)]
      let found = await loadsPage(layout, rows: rows, cells: cells)
      #expect(found == isInner)
    }
  }
}
