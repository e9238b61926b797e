import RowOperationsTesting
import Testing

@testable import RowOperations
@testable import TestSupport

@Suite("Views in hosts", .timeLimit(.minutes(10)))
@MainActor
struct HostTests {
  private let screen = Screen()
  private let cell = SimulatedCell(number: 0)
  private let views = (1...6).map { SimulatedCell(number: $0) }

  /// Binds a view in a host and records its renders.
  private func bind(
    _ view: SimulatedCell, to row: Int?, in host: SimulatedCell, of rig: TrackerRig
  ) {
    rig.tracker.bind(view, to: row, in: host, render: screen.render)
  }

  private func bind(_ cell: SimulatedCell, to row: Int?, of rig: TrackerRig) {
    rig.tracker.bind(cell, to: row, render: screen.render)
  }

  private func arrive(_ rows: [Int], in rig: TrackerRig) {
    for row in rows { rig.arrive(row) }
    rig.tracker.endPass()
  }

  // MARK: Displays

  @Test("An avatar loads and is rendered while its cell is displayed")
  func avatar() {
    let rig = TrackerRig()
    let avatar = views[0]
    bind(cell, to: 1, of: rig)
    bind(avatar, to: 2, in: cell, of: rig)
    rig.tracker.endPass()
    #expect(rig.displayed == [] && rig.tracker.metrics.started == 0)
    rig.tracker.willDisplay(cell)
    #expect(rig.displayed == [1, 2])
    rig.tracker.endPass()
    arrive([1, 2], in: rig)
    #expect(screen.kinds(of: avatar) == [.waiting, .loading, .loaded])
    #expect(screen.values(of: avatar) == [2])
    #expect(screen.values(of: cell) == [1])
    rig.tracker.didEndDisplaying(cell)
    #expect(rig.displayed == [])
    #expect(rig.violations == [])
  }

  @Test("A carousel's cell is displayed while both the carousel and its own reports say so")
  func carousel() {
    let rig = TrackerRig()
    for index in 0..<3 { bind(views[index], to: index + 1, in: cell, of: rig) }
    // Only the first two views have reports of their own.
    rig.tracker.willDisplay(views[0])
    rig.tracker.didEndDisplaying(views[1])
    #expect(rig.displayed == [])
    rig.tracker.willDisplay(cell)
    #expect(rig.displayed == [1, 3])
    rig.tracker.didEndDisplaying(views[0])
    rig.tracker.willDisplay(views[1])
    #expect(rig.displayed == [2, 3])
    rig.tracker.didEndDisplaying(cell)
    #expect(rig.displayed == [])
    for _ in 0..<3 { rig.tracker.endPass() }
    rig.tracker.willDisplay(cell)
    #expect(rig.displayed == [2, 3], "a view that left sideways stays off screen")
    #expect(rig.violations == [])
  }

  @Test("A view in nested hosts is displayed while all its hosts are displayed")
  func nested() {
    let rig = TrackerRig()
    bind(cell, to: 1, of: rig)
    bind(views[0], to: 2, in: cell, of: rig)
    bind(views[1], to: 3, in: views[0], of: rig)
    bind(views[2], to: 4, in: views[1], of: rig)
    rig.tracker.willDisplay(cell)
    #expect(rig.displayed == [1, 2, 3, 4])
    rig.tracker.didEndDisplaying(views[0])
    #expect(rig.displayed == [1])
    rig.tracker.willDisplay(views[0])
    #expect(rig.displayed == [1, 2, 3, 4])
    rig.tracker.didEndDisplaying(cell)
    #expect(rig.displayed == [])
    bind(cell, to: 9, of: rig)
    for view in views.prefix(3) { #expect(screen.kinds(of: view) == [.waiting, .idle]) }
    rig.tracker.willDisplay(cell)
    #expect(rig.displayed == [9])
    #expect(rig.violations == [])
  }

  // MARK: Recycling

  @Test("A view whose host is bound anew during the view's render is cleared once, after it")
  func reboundDuringRender() {
    let rig = TrackerRig()
    var shown: [LoadPhase] = []
    bind(cell, to: 1, of: rig)
    rig.tracker.bind(views[0], to: 2, in: cell) { [cell] _, phase in
      if phase.value != nil { rig.tracker.bind(cell, to: 9) { _, _ in } }
      shown.append(phase.kind)
    }
    rig.tracker.willDisplay(cell)
    rig.tracker.endPass()
    arrive([2], in: rig)
    #expect(shown == [.waiting, .loading, .loaded, .idle])
    #expect(rig.violations == [])
  }

  @Test(
    "A host that is bound to another row clears its views for good",
    arguments: [3, nil])
  func rebound(next: Int?) {
    let rig = TrackerRig()
    let (loaded, late) = (views[0], views[1])
    bind(cell, to: 1, of: rig)
    bind(loaded, to: 10, in: cell, of: rig)
    bind(late, to: 11, in: cell, of: rig)
    rig.tracker.willDisplay(cell)
    rig.tracker.endPass()
    arrive([10], in: rig)
    bind(cell, to: next, of: rig)
    #expect(screen.kinds(of: loaded) == [.waiting, .loading, .loaded, .idle])
    #expect(screen.kinds(of: late) == [.waiting, .loading, .idle])
    let expected: Set<Int> = next.map { [$0] } ?? []
    #expect(rig.displayed == expected)
    arrive([11], in: rig)
    rig.tracker.setValue(TrackerRig.Loaded(row: 10, generation: 99), for: 10)
    for _ in 0..<3 { rig.tracker.endPass() }
    rig.tracker.didEndDisplaying(cell)
    rig.tracker.willDisplay(cell)
    rig.tracker.endPass()
    #expect(screen.kinds(of: loaded).count == 4 && screen.kinds(of: late).count == 3)
    #expect(rig.violations == [])
  }

  @Test("A host that is bound to its own row again keeps its views")
  func reboundToTheSameRow() {
    let rig = TrackerRig()
    bind(cell, to: 1, of: rig)
    bind(views[0], to: 2, in: cell, of: rig)
    rig.tracker.willDisplay(cell)
    bind(cell, to: 1, of: rig)
    #expect(rig.displayed == [1, 2])
    #expect(screen.idles(of: views[0]) == 0)
    #expect(rig.violations == [])
  }

  @Test("A recycled post shows only the values of its new rows")
  func recycledPost() {
    let rig = TrackerRig { $0.slots = UpdateSlots(10) }
    let (avatar, card) = (views[0], views[5])
    let pictures = Array(views[1...4])
    bind(cell, to: 100, of: rig)
    bind(avatar, to: 1, in: cell, of: rig)
    for (index, view) in pictures.enumerated() { bind(view, to: 11 + index, in: cell, of: rig) }
    bind(card, to: 20, in: cell, of: rig)
    rig.tracker.willDisplay(cell)
    #expect(rig.displayed == [100, 1, 11, 12, 13, 14, 20])
    rig.tracker.endPass()
    arrive([100, 1, 11, 12], in: rig)

    bind(cell, to: 200, of: rig)
    bind(avatar, to: 2, in: cell, of: rig)
    bind(pictures[0], to: 21, in: cell, of: rig)
    #expect(rig.displayed == [200, 2, 21])
    // All values of the old post but one picture arrive late.
    arrive([13, 20], in: rig)
    rig.clock.advance(by: .milliseconds(150))
    rig.tracker.endPass()
    #expect(rig.recorder.cancelled == [14])
    arrive([200, 2, 21], in: rig)
    for view in views { #expect(screen.idles(of: view) == 1) }
    #expect(screen.values(of: cell) == [100, 200])
    #expect(screen.values(of: avatar) == [1, 2])
    #expect(screen.values(of: pictures[0]) == [11, 21])
    #expect(screen.values(of: pictures[1]) == [12])
    for view in [pictures[2], pictures[3], card] { #expect(screen.values(of: view) == []) }
    for view in pictures.dropFirst() + [card] { #expect(screen.kinds(of: view).last == .idle) }
    #expect(rig.violations == [])
  }

  // MARK: Moving

  @Test("A view that is bound in another host, or without one, moves at once")
  func moved() {
    let rig = TrackerRig()
    let (left, right, view) = (cell, views[0], views[1])
    bind(view, to: 5, in: left, of: rig)
    rig.tracker.willDisplay(right)
    #expect(rig.displayed == [])
    bind(view, to: 5, in: right, of: rig)
    #expect(rig.displayed == [5])
    bind(view, to: 5, in: left, of: rig)
    #expect(rig.displayed == [])
    rig.tracker.willDisplay(left)
    #expect(rig.displayed == [5])
    bind(view, to: 5, of: rig)
    #expect(rig.displayed == [], "the view has never reported its own display")
    rig.tracker.willDisplay(view)
    #expect(rig.displayed == [5])
    rig.tracker.didEndDisplaying(left)
    rig.tracker.didEndDisplaying(right)
    #expect(rig.displayed == [5])
    bind(left, to: 1, of: rig)
    #expect(screen.idles(of: view) == 0, "the view is no longer in that host")
    #expect(rig.violations == [])
  }

  // MARK: Dead and impossible hosts

  @Test("The views of a deallocated host are not displayed and can move to another host")
  func deadHost() {
    let rig = TrackerRig()
    var host: SimulatedCell? = SimulatedCell(number: 9)
    if let host {
      bind(views[0], to: 1, in: host, of: rig)
      rig.tracker.willDisplay(host)
    }
    #expect(rig.displayed == [1])
    host = nil
    for _ in 0..<3 { rig.tracker.endPass() }
    #expect(rig.displayed == [])
    rig.tracker.willDisplay(views[0])
    #expect(rig.displayed == [], "the view's own report does not replace the host")
    let heir = SimulatedCell(number: 10)
    rig.tracker.willDisplay(heir)
    bind(views[0], to: 1, in: heir, of: rig)
    #expect(rig.displayed == [1])
    #expect(rig.violations == [])
  }

  @Test("A host that is the view itself or inside it is ignored and reported")
  func circles() {
    Misuses.inside { misuses in
      let rig = TrackerRig()
      let (outer, middle, inner) = (cell, views[0], views[1])
      bind(outer, to: 1, in: outer, of: rig)
      #expect(rig.displayed == [])
      rig.tracker.willDisplay(outer)
      #expect(rig.displayed == [1], "the view is bound without a host")
      bind(middle, to: 2, in: outer, of: rig)
      bind(inner, to: 3, in: middle, of: rig)
      bind(outer, to: 1, in: inner, of: rig)
      #expect(rig.displayed == [1, 2, 3])
      rig.tracker.didEndDisplaying(outer)
      #expect(rig.displayed == [])
      #expect(rig.violations == [])
      #expect(misuses.codes == [.hostCircle, .hostCircle])
    }
  }

  // MARK: Trackers and loads

  @Test("Two trackers with views in one host each need its events")
  func twoTrackers() {
    let (avatars, pictures) = (TrackerRig(), TrackerRig())
    bind(cell, to: 1, of: avatars)
    bind(views[0], to: 2, in: cell, of: avatars)
    bind(views[1], to: 3, in: cell, of: pictures)
    avatars.tracker.willDisplay(cell)
    #expect(avatars.displayed == [1, 2] && pictures.displayed == [])
    pictures.tracker.willDisplay(cell)
    #expect(pictures.displayed == [3])
    bind(cell, to: 9, of: avatars)
    #expect(screen.idles(of: views[0]) == 1)
    #expect(screen.idles(of: views[1]) == 0, "the host is not bound in that tracker")
    pictures.tracker.unbind(cell)
    #expect(screen.idles(of: views[1]) == 1)
    #expect(avatars.displayed == [9] && pictures.displayed == [])
    #expect(avatars.violations == [] && pictures.violations == [])
  }
}
