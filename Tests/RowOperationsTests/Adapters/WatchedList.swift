import Foundation
import RowOperationsTesting
import Testing

@testable import RowOperations

/// A simulated list that forwards nothing: after each layout the relay sees the views on screen.
///
/// The rows are in sections of equal size, or in one section.
@MainActor
final class WatchedList {
  let rig: TrackerRig
  private(set) var relay: ListRelay<Int>
  let list: ListSimulator<Int>
  /// How often the ids were read.
  var reads: Int { box.reads }
  /// Called in the middle of a read of the ids.
  var whenRead: () -> Void = {}
  /// Views beside the cells, such as headers.
  var others: [AnyObject] = []
  /// How many items at the end of the last section, such as spinners, have no row.
  var spinners = 0
  /// Delegate calls that the app forwards in addition.
  var forwards: ((ListEvent<Int>) -> [ListEvent<Int>])?
  private let sectionSize: Int
  private let box = Box()
  let watcher = CountingWatcher()

  @MainActor
  private final class Box {
    weak var owner: WatchedList?
    var ids: [Int] = []
    var reads = 0
  }

  init(
    _ behavior: ListBehavior = .tableView, rows: Int = 1_000, sectionSize: Int = .max,
    configure: (inout TrackerConfiguration<Int, TrackerRig.Loaded>) -> Void = { _ in }
  ) {
    rig = TrackerRig(configure: configure)
    self.sectionSize = sectionSize
    box.ids = Array(0..<rows)
    let box = box
    relay = ListRelay(trackers: [rig.tracker]) {
      box.reads += 1
      box.owner?.whenRead()
      return Self.sections(of: box.ids, sectionSize)
    }
    list = ListSimulator(rows: Array(0..<rows), viewport: 600, behavior: behavior) { event in
      box.owner?.handle(event)
    }
    box.owner = self
    relay.watched(by: watcher)
  }

  private static func sections(of ids: [Int], _ size: Int) -> [[Int]] {
    guard size < ids.count else { return [ids] }
    return stride(from: 0, to: ids.count, by: size).map {
      Array(ids[$0..<min($0 + size, ids.count)])
    }
  }

  /// The app's model.
  var ids: [Int] {
    get { box.ids }
    set { box.ids = newValue }
  }

  private func handle(_ event: ListEvent<Int>) {
    switch event {
    case .cellFor(let cell, let row): bind(cell, to: row)
    default: break
    }
    for event in forwards?(event) ?? [] {
      switch event {
      case .willDisplay(let cell): relay.willDisplay(cell)
      case .didEndDisplaying(let cell, _): relay.didEndDisplaying(cell)
      case .didDisappear: relay.covered(.app)
      case .didAppear: relay.resume()
      default: break
      }
    }
  }

  /// How the app binds the cell of a row: to the row, to nil, or not at all.
  var binding: (Int) -> Binding = { .row($0) }

  enum Binding {
    case row(Int)
    case none
    case forgotten
  }

  private func bind(_ cell: SimulatedCell, to row: Int) {
    switch binding(row) {
    case .row(let row): rig.player.app.handle(.cellFor(cell, row))
    case .none: rig.tracker.bind(cell, to: nil) { _, _ in }
    case .forgotten: break
    }
  }

  /// The layout pass of the view, after the list's own layout, and the end of the pass.
  func look() {
    watcher.looks = 0
    relay.laidOut(layout)
    rig.tracker.endPass()
  }

  /// Looks at the views if a bind or a call has requested it.
  func lookIfWanted() { if watcher.looks > 0 { look() } }

  var layout: ListLayout {
    var layout = ListLayout()
    let sections = Self.sections(of: list.rows, sectionSize)
    layout.sectionCount = sections.count
    layout.itemCount = { [spinners] section in
      sections[section].count + (section == sections.count - 1 ? spinners : 0)
    }
    layout.contentSize = ContentSize(width: 320, height: Double(list.rows.count + spinners) * 44)
    // In no order, as UIKit returns them.
    layout.cells = list.visibleRows.shuffled().compactMap { row in
      guard let cell = list.cell(for: row), let index = list.rows.firstIndex(of: row) else {
        return nil
      }
      return ListLayout.Cell(cell, at: position(of: index))
    }
    layout.others = others
    return layout
  }

  private func position(of index: Int) -> ListPosition {
    guard sectionSize < list.rows.count else { return .init(row: index) }
    return .init(section: index / sectionSize, row: index % sectionSize)
  }

  /// Checks the conditions that hold after each look.
  func check(_ note: String = "", _ location: SourceLocation = #_sourceLocation) {
    #expect(rig.violations == [], "\(note)", sourceLocation: location)
    #expect(rig.player.app.wrongRows == 0, "\(note)", sourceLocation: location)
    #expect(rig.displayed == Set(list.visibleRows), "\(note)", sourceLocation: location)
  }
}
