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
  /// The contents of the list's own cells.
  let app: TrackedList<Int, TrackerRig.Loaded>
  private(set) var relay: ListRelay
  let list: ListSimulator<Int>
  /// How often the ids were read.
  var reads: Int { box.reads }
  /// Called in the middle of a read of the ids.
  var whenRead: () -> Void = {}
  /// Views beside the cells, such as headers.
  var others: [AnyObject] = []
  /// Delegate calls that the app forwards in addition.
  var forwards: ((ListEvent<Int>) -> [ListEvent<Int>])?
  /// Whether the relay follows the list's scrolls.
  var reportsScrolls = false
  private var isDragged = false
  private let sectionSize: Int
  private let box = Box()
  private var random = SeededGenerator(seed: 0)
  let watcher = CountingWatcher()

  @MainActor
  private final class Box {
    weak var owner: WatchedList?
    var ids: [Int] = []
    var reads = 0
  }

  convenience init(
    _ behavior: ListBehavior = .tableView, rows: Int = 1_000, sectionSize: Int = .max,
    configure: (inout TrackerConfiguration<Int, TrackerRig.Loaded>) -> Void = { _ in }
  ) {
    self.init(
      behavior, ids: Array(0..<rows), sectionSize: sectionSize,
      on: TrackerRig(configure: configure))
  }

  /// Makes a list that may share its tracker with others.
  init(_ behavior: ListBehavior, ids: [Int], sectionSize: Int = .max, on rig: TrackerRig) {
    self.rig = rig
    self.sectionSize = sectionSize
    app = TrackedList(rig.tracker, rowOfValue: \.row)
    box.ids = ids
    let box = box
    let sections = OrderReader.sections {
      box.reads += 1
      box.owner?.whenRead()
      return Self.sections(of: box.ids, sectionSize)
    }
    relay = ListRelay(rig.tracker, ids: sections)
    list = ListSimulator(rows: ids, viewport: 600, behavior: behavior) { event in
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
    // The animation of a jump is no drag.
    case .scrollWillBegin: isDragged = list.isMoving
    case .scrollDidMove where reportsScrolls: reportOffset()
    case .scrollWillEnd(let rows):
      isDragged = false
      if reportsScrolls { reportLanding(on: rows) }
    default: break
    }
    for event in forwards?(event) ?? [] {
      switch event {
      case .willDisplay(let cell): relay.willDisplay(cell)
      case .didEndDisplaying(let cell, _): relay.didEndDisplaying(cell)
      case .didDisappear: relay.cover(.suspended)
      case .didAppear: relay.resume()
      default: break
      }
    }
  }

  private func reportOffset() {
    relay.offsetChanged(
      .init(
        offset: CGPoint(x: 0, y: list.offset), isDragging: isDragged,
        isDecelerating: list.isMoving && !isDragged, time: rig.clock.now.elapsed.nanoseconds))
  }

  private func reportLanding(on rows: [Int]) {
    guard let first = rows.first.flatMap(list.rows.firstIndex) else { return }
    let part = CGRect(x: 0, y: Double(first) * 44, width: 320, height: list.viewport)
    relay.fingerLifted(
      at: CGPoint(x: 0, y: list.offset), restingAt: part.origin, landingOn: part, isExact: true
    ) { part in
      list.rowFrames(around: part) { index in
        let position = position(of: index)
        return IndexPath(indexes: [position.section, position.row])
      }
    }
  }

  /// The rows whose cells the app binds to nil.
  var rowsWithoutBinding: Set<Int> = []

  private func bind(_ cell: SimulatedCell, to row: Int) {
    if rowsWithoutBinding.contains(row) {
      rig.tracker.bind(cell, to: nil) { _, _ in }
    } else {
      app.handle(.cellFor(cell, row))
    }
  }

  /// The layout pass of the view, after the list's own layout, and the end of the pass.
  func look() {
    layOut()
    rig.tracker.endPass()
  }

  /// The layout pass of the view, after the list's own layout.
  func layOut() {
    watcher.looks = 0
    relay.laidOut(layout)
  }

  /// Looks at the views if a bind or a call has requested it.
  func lookIfWanted() { if watcher.looks > 0 { look() } }

  var layout: ListLayout {
    var layout = ListLayout()
    let sections = Self.sections(of: list.rows, sectionSize)
    layout.sectionCount = sections.count
    layout.itemCount = { sections[$0].count }
    layout.contentSize = CGSize(width: 320, height: Double(list.rows.count) * 44)
    // In no order, as UIKit returns them.
    layout.cells = list.visibleRows.shuffled(using: &random).compactMap { row in
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
    #expect(app.wrongRows == 0, "\(note)", sourceLocation: location)
    #expect(rig.displayed == Set(list.visibleRows), "\(note)", sourceLocation: location)
  }
}

extension ListLayout {
  /// A layout of one section that has some of its cells on screen.
  init(rows count: Int, cells: [Cell] = []) {
    self.init()
    sectionCount = 1
    itemCount = { _ in count }
    self.cells = cells
  }
}

extension ListSimulator<Int> {
  /// The frames of the rows around a part, as a view's layout returns them: more than it was
  /// asked for, the last one first.
  func rowFrames(around part: CGRect, path: (Int) -> IndexPath) -> [RowFrame] {
    let first = max(Int(part.minY / 44) - 3, 0)
    return (first..<max(min(first + 24, rows.count), first)).reversed().map {
      RowFrame(
        path: path($0), frame: CGRect(x: 0, y: Double($0) * 44, width: 320, height: 44))
    }
  }
}
