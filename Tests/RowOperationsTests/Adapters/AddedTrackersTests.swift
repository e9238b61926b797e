import Foundation
import RowOperationsTesting
import Testing

@testable import RowOperations

extension Adapters {
  @Suite("Trackers of a list whose rows are not the list's ids", .timeLimit(.minutes(10)))
  @MainActor
  struct AddedTrackersTests {
    private func rows(
      _ reader: OrderReader<String>, at items: [ListPosition]
    ) -> [String] {
      let model = reader.read()
      var rows: [String] = []
      for (position, item) in items.enumerated() {
        model.read(item, at: position) { rows.append($0) }
      }
      return rows
    }

    private func names(_ id: Int) -> [String] { id == 7 ? [] : ["\(id)", "\(id)!"] }

    @Test("The items of a list in order are read by their ids, and beyond them there is nothing")
    func flat() {
      let reader = OrderReader<String>.flat({ [6, 7, 8] }, rows: names)
      let added = OrderReader<String>.items(of: reader.items, rows: names)
      #expect(reader.items.type == Int.self)
      #expect(added.read().counts() == [3])
      let items = (0..<4).map { ListPosition(row: $0) }
      #expect(rows(added, at: items) == ["6", "6!", "8", "8!"])
      #expect(rows(added, at: items) == rows(reader, at: items))
    }

    @Test("The items of sections are read by their places in them")
    func sections() {
      let reader = OrderReader<String>.sections({ [[1], [], [2, 3]] }, rows: names)
      let added = OrderReader<String>.items(of: reader.items, rows: names)
      #expect(added.read().counts() == [1, 0, 2])
      let items = [(2, 1), (0, 0), (1, 0), (3, 0), (2, 5)].map {
        ListPosition(section: $0.0, row: $0.1)
      }
      #expect(rows(added, at: items) == ["3", "3!", "1", "1!"])
    }

    @Test("The rows of a list without ids are looked up one by one")
    func lookUp() {
      let reader = OrderReader<Int>.lookUp { $0[1] < 2 ? $0[1] : nil }
      let added = OrderReader<String>.items(of: reader.items, rows: names)
      #expect(rows(added, at: (0..<3).map { ListPosition(row: $0) }) == ["0", "0!", "1", "1!"])
    }

    @Test("Trackers with other rows follow the list, and load what is on screen")
    func follow() async {
      let view = WatchedList(rows: 100)
      let names = DisplayTracker<String, String> { $0.row }
      let relay = ListRelay(
        names, rows: .items(of: view.relay.items, rows: { (id: Int) in ["name \(id)"] }))
      let watcher = CountingWatcher()
      relay.watched(by: watcher)
      let labels = (0..<200).map { SimulatedCell(number: 1_000 + $0) }
      view.list.layOut()
      view.list.jump(to: 40)
      for (cell, row) in zip(view.list.visibleCells, view.list.visibleRows) {
        names.bind(labels[row], to: "name \(row)", in: cell) { _, _ in }
      }
      view.look()
      relay.laidOut(view.layout)
      names.endPass()
      #expect(names.displayedRows == Set(view.list.visibleRows.map { "name \($0)" }))
      await names.waitUntilIdle()
      // The rows next to the screen are prefetched, as a window of the items holds them.
      let below = (view.list.visibleRows.last ?? 0) + 1
      #expect(names.phase(of: "name \(below)") == .loaded("name \(below)"))
    }
  }
}

@Suite("The lists around a row")
@MainActor
struct EnclosingListsTests {
  @Test("A row belongs to the nearest list that has its tracker, else to the nearest")
  func nearest() {
    let (posts, avatars, other) = (
      TrackerRig().tracker, TrackerRig().tracker, TrackerRig().tracker
    )
    let (outer, middle, inner) = (RowList<Int>(), RowList<Int>(), RowList<Int>())
    let none = EnclosingLists()
    #expect(none.list(of: posts) == nil && none.nearest == nil)
    let one = none.inside(outer, of: [avatars])
    #expect(one.list(of: posts) === outer)
    let two = one.inside(middle, of: [posts])
    #expect(two.list(of: posts) === middle && two.list(of: avatars) === outer)
    #expect(two.list(of: other) === middle && two.nearest === middle)
    let three = two.inside(inner, of: [posts])
    #expect(three.list(of: posts) === inner && three.list(of: avatars) === outer)
  }

  @Test("The lists around two rows are equal if they are the same lists with the same trackers")
  func equality() {
    let (posts, avatars) = (TrackerRig().tracker, TrackerRig().tracker)
    let (feed, other) = (RowList<Int>(), RowList<Int>())
    let lists = EnclosingLists().inside(feed, of: [posts])
    #expect(lists == EnclosingLists().inside(feed, of: [posts]))
    #expect(lists != EnclosingLists().inside(feed, of: [avatars]))
    #expect(lists != EnclosingLists().inside(other, of: [posts]))
    #expect(lists != lists.inside(feed, of: [posts]))
  }
}
