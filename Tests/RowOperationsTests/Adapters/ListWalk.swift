import Proofs
import RowOperationsTesting

@testable import RowOperations

/// A random walk of lists that share a tracker, with some rows in several of them.
///
/// The first list is a feed, and each other one shows favourites of the feed beside rows of its
/// own. Loads end when the walk says so, on a clock that stands still between frames.
@MainActor
final class ListWalk {
  private struct Member {
    let view: WatchedList
    /// The reasons for which the list is out of sight.
    var covers: Set<Cover> = []

    var isInWindow: Bool { !covers.contains(.noWindow) }

    @MainActor var rowsInSight: [Int] { covers.isEmpty ? view.list.visibleRows : [] }
  }

  let rig: TrackerRig
  private(set) var violations: [String] = []
  /// The changes so far.
  private(set) var log: [String] = []
  private let recording: RecordedInputs
  /// `nil` in place of a list that was removed.
  private var members: [Member?] = []
  private var random: SeededGenerator
  private var nextRow = 10_000
  private let seed: UInt64
  private let forwards: ((ListEvent<Int>) -> [ListEvent<Int>])?

  /// - Parameter forwards: The delegate calls that the app forwards for an event of a list.
  init(
    seed: UInt64, lists: Int, forwards: ((ListEvent<Int>) -> [ListEvent<Int>])? = nil
  ) {
    (self.seed, self.forwards) = (seed, forwards)
    random = SeededGenerator(seed: seed)
    rig = TrackerRig { configuration in
      configuration.slots = UpdateSlots(Int(seed % 5) + 1)
      configuration.scrollPolicy = [.adaptive, .immediate, .whenSettled][Int(seed % 3)]
      configuration.retention = [.count(40), .count(10), .none][Int(seed / 3 % 3)]
      configuration.prefetchWindow.limit = 16
    }
    rig.tracker.holdOperations()
    // The naive model has no spread.
    rig.tracker.core.state.engine.settings.healSpread = 0
    recording = RecordedInputs(of: rig.tracker)
    members = Array(repeating: nil, count: lists)
  }

  private func draw(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

  private func draw(_ range: ClosedRange<Double>) -> Double {
    Double.random(in: range, using: &random)
  }

  private func newRow() -> Int {
    defer { nextRow += 1 }
    return nextRow
  }

  // MARK: Steps

  /// Makes a random change of a list and ends some loads, in one pass.
  func step() {
    let number = draw(0..<members.count)
    let change =
      members[number] == nil ? Change.addList : Change.allCases.randomElement(using: &random)
    if let change {
      log.append("\(change) \(number)")
      make(change, number)
    }
    endLoads()
    endPass(number)
    check()
  }

  private func endLoads() {
    for _ in 0..<draw(0..<4) {
      guard let load = rig.tracker.bodies.randomElement(using: &random) else { return }
      end(load, fails: draw(0..<8) == 0)
    }
  }

  private func end(_ load: LoadBody<Int>, fails: Bool = false) {
    _ = rig.tracker.endLoad(of: load.token.row) { token in
      fails
        ? .failure(TrackerRig.Failure(row: token.row))
        : .success(TrackerRig.Loaded(row: token.row, generation: token.generation))
    }
  }

  /// Lets a frame pass, and lays out the changed list and those that want it.
  private func endPass(_ changed: Int? = nil, frame: Duration = .milliseconds(16)) {
    rig.clock.advance(by: frame)
    var changed = Set([changed].compactMap(\.self))
    for number in members.indices {
      guard let list = members[number]?.view.list, list.isMoving else { continue }
      list.advance(by: frame)
      changed.insert(number)
    }
    layOut(changed)
    rig.tracker.endPass()
  }

  /// Lays out lists in windows.
  private func layOut(_ changed: Set<Int>) {
    for pass in 0..<10 {
      let wanting = members.indices.filter { number in
        guard let member = members[number], member.isInWindow else { return false }
        return member.view.watcher.looks > 0 || pass == 0 && changed.contains(number)
      }
      if wanting.isEmpty { return }
      for number in wanting { members[number]?.view.layOut() }
    }
    violations.append("a list looks again and again")
  }

  // MARK: Changes

  private enum Change: CaseIterable {
    case jump, animatedJump, drag, fling, wait
    case insert, delete, swap, reload, reloadRow, reconfigureRow, resize
    case push, suspend, removeList, addList
    case removeRow, invalidate, invalidateAll, setValue, retryFailed, dropValues
  }

  private func make(_ change: Change, _ number: Int) {
    guard let member = members[number] else { return addList(number) }
    let (view, list, tracker) = (member.view, member.view.list, rig.tracker)
    let (row, shown) = (anyRow(of: list), list.visibleRows.randomElement(using: &random))
    switch change {
    case .jump: row.map { list.jump(to: $0) }
    case .animatedJump, .drag, .fling:
      if member.isInWindow { scroll(list, change) }
    case .wait: rig.clock.advance(by: .milliseconds(draw(20..<400)))
    case .insert: insert(into: number, view)
    case .delete: delete(from: view)
    case .swap: swap(in: view)
    case .reload:
      view.ids.shuffle(using: &random)
      list.reload(view.ids)
      view.relay.dataChanged()
    case .reloadRow: shown.map { list.reloadRow($0) }
    case .reconfigureRow: shown.map { list.reconfigureRow($0) }
    case .resize: list.resize(to: draw(100...500))
    case .push: toggle(.noWindow, number)
    case .suspend: toggle(.suspended, number)
    case .removeList, .addList: if draw(0..<2) == 0 { removeList(number) }
    case .removeRow: shown.map { removeRow($0) }
    case .invalidate: shown.map { tracker.invalidate([$0]) }
    case .invalidateAll: tracker.invalidateAll()
    case .setValue:
      shown.map { tracker.setValue(TrackerRig.Loaded(row: $0, generation: 0), for: $0) }
    case .retryFailed: tracker.retryFailed()
    case .dropValues: tracker.removeCachedValues()
    }
  }

  private func anyRow(of list: ListSimulator<Int>) -> Int? {
    list.rows.randomElement(using: &random)
  }

  private func scroll(_ list: ListSimulator<Int>, _ change: Change) {
    if change == .animatedJump, let row = anyRow(of: list) { return list.jump(to: row, frames: 5) }
    list.beginDrag()
    list.drag(by: draw(-300...300))
    list.endDrag(velocity: change == .fling ? draw(-5...5) : 0)
  }

  /// Inserts a new row, or one that another list shows, too.
  private func insert(into number: Int, _ view: WatchedList) {
    let shared = members.indices.filter { $0 != number }.compactMap { members[$0]?.view.ids }
      .flatMap(\.self).filter { !view.ids.contains($0) }.randomElement(using: &random)
    let row = draw(0..<2) == 0 ? shared ?? newRow() : newRow()
    view.ids.insert(row, at: draw(0..<view.ids.count + 1))
    view.list.update(to: view.ids)
  }

  private func delete(from view: WatchedList) {
    guard view.ids.count > 30 else { return }
    let first = draw(0..<view.ids.count - 10)
    view.ids.removeSubrange(first..<first + draw(1..<10))
    view.list.update(to: view.ids)
  }

  private func swap(in view: WatchedList) {
    guard !view.ids.isEmpty else { return }
    view.ids.swapAt(draw(0..<view.ids.count), draw(0..<view.ids.count))
    view.list.update(to: view.ids)
    // The app reports changes of rows that are off screen.
    view.relay.dataChanged()
  }

  /// The app removes a row from all lists and from the tracker.
  private func removeRow(_ row: Int) {
    for case let member? in members where member.view.ids.contains(row) {
      member.view.ids.removeAll { $0 == row }
      member.view.list.delete([row])
      member.view.relay.dataChanged()
    }
    rig.tracker.remove([row])
  }

  // MARK: Lists that come and go

  private func addList(_ number: Int) {
    var ids = Array(0..<90)
    if number > 0 {
      ids = stride(from: 0, to: 90, by: 3) + (0..<30).map { _ in newRow() }
      ids.shuffle(using: &random)
    }
    let behavior: ListBehavior = draw(0..<2) == 0 ? .tableView : .collectionView
    let view = WatchedList(
      behavior, ids: ids, sectionSize: draw(0..<2) == 0 ? .max : draw(1..<30), on: rig)
    view.reportsScrolls = true
    view.forwards = forwards
    members[number] = Member(view: view)
    view.list.resize(to: draw(100...500))
  }

  private func toggle(_ cover: Cover, _ number: Int) {
    guard let member = members[number] else { return }
    if member.covers.contains(cover) {
      members[number]?.covers.remove(cover)
      member.view.relay.cover(cover, if: false)
    } else {
      members[number]?.covers.insert(cover)
      hide(number) {
        member.view.list.stop()
        member.view.relay.cover(cover)
      }
    }
  }

  private func removeList(_ number: Int) {
    hide(number) {
      members[number]?.view.relay.stop()
      members[number] = nil
    }
  }

  /// Takes a list from sight, which must end its own claims and nothing else.
  private func hide(_ number: Int, _ body: () -> Void) {
    let others = members.indices.filter { $0 != number }
    let (claims, loads) = (claims(of: others), displayedLoads(of: others))
    let landings = landings(of: others)
    body()
    let lostLandings = landings.subtracting(self.landings(of: others)).sorted()
    if !lostLandings.isEmpty { complain("another list does not land on \(lostLandings) any more") }
    rig.tracker.endPass()
    let lostClaims = claims.subtracting(self.claims(of: others)).sorted()
    let lostLoads = loads.subtracting(displayedLoads(of: others)).sorted()
    if !lostClaims.isEmpty { complain("another list has lost its claims of \(lostClaims)") }
    if !lostLoads.isEmpty { complain("another list has lost its loads of \(lostLoads)") }
  }

  // MARK: Truth

  private func complain(_ text: String) { violations.append("seed \(seed), after \(log): \(text)") }

  /// The rows that lists display, and the prefetched ones that each comes to next.
  ///
  /// Each list may claim so many. Those farther away may yield to nearer rows of another list.
  private func claims(of numbers: [Int]) -> Set<Int> {
    let shown = numbers.compactMap { members[$0] }
    return rig.displayed.intersection(shown.flatMap(\.rowsInSight))
      .union(prefetched.intersection(shown.flatMap { rowsAhead(of: $0) }))
  }

  private func rowsAhead(of member: Member) -> [Int] {
    let most = rig.tracker.configuration.prefetchWindow.limit / 2 / members.count
    return member.view.relay.links.flatMap { link -> [Int] in
      guard let window = rig.tracker.core.state.engine.window(of: link.list) else { return [] }
      let (first, last) = (window.shown.lowerBound, window.shown.upperBound)
      let count = min(most, window.shown.count)
      let positions = window.isForward ? last..<last + count : first - count..<first
      return positions.flatMap { rig.tracker.rows(at: $0, inList: link.list) }
    }
  }

  /// The rows on which lists in sight land.
  private func landings(of numbers: [Int]) -> Set<Int> {
    let lists = numbers.compactMap { members[$0] }.filter(\.covers.isEmpty)
      .flatMap { $0.view.relay.links.map(\.list) }
    let motions = rig.tracker.core.state.engine.gate.motions.filter { lists.contains($0.list) }
    return Set(motions.flatMap(\.landing).compactMap { rig.tracker.store.rows[$0] })
  }

  private func displayedLoads(of numbers: [Int]) -> Set<Int> {
    Set(
      numbers.compactMap { members[$0] }.flatMap(\.rowsInSight).filter {
        rig.phase(of: $0) == .loading
      })
  }

  private var prefetched: Set<Int> {
    let rows = rig.tracker.core.state.engine.rows
    return Set(
      rows.ids.filter { rows[$0].isPrefetched }.compactMap { rig.tracker.store.rows[$0] })
  }

  /// The rows on screen in a list, and those at a distance from them.
  private func rows(of member: Member, within distance: Int) -> ArraySlice<Int> {
    let (rows, count) = (member.view.list.rows, member.rowsInSight.count)
    guard let top = member.rowsInSight.first.flatMap(rows.firstIndex) else { return [] }
    return rows[max(top - distance, 0)..<min(top + count + distance, rows.count)]
  }

  private func check() {
    let known = members.compactMap(\.self)
    for member in known where member.view.app.wrongRows > 0 { complain("a cell shows a wrong row") }
    let shown = Set(known.flatMap(\.rowsInSight))
    if rig.displayed != shown {
      complain("\(rig.displayed.sorted()) are displayed, not \(shown.sorted())")
    }
    let limit = rig.tracker.configuration.prefetchWindow.limit
    let near = known.flatMap { rows(of: $0, within: limit + $0.rowsInSight.count) }
    let far = prefetched.subtracting(near).sorted()
    if !far.isEmpty { complain("\(far) are prefetched, near no list in sight") }
    for member in known { check(member) }
    violations += rig.tracker.audit().map { "seed \(seed), after \(log): \($0)" }
  }

  /// Checks that a list in sight has a window at its own rows, and any other list has none, and
  /// that a list at rest has no row on screen that the scroll policy holds back.
  private func check(_ member: Member) {
    for link in member.view.relay.links
    where !rig.tracker.core.state.engine.gate.isMoving(link.list) {
      let held = member.rowsInSight.filter(isHeld)
      if !held.isEmpty { complain("list \(link.list) rests, and \(held) are held back") }
    }
    for link in member.view.relay.links {
      let window = rig.tracker.core.state.engine.window(of: link.list)
      let rows = window?.shown.flatMap { rig.tracker.rows(at: $0, inList: link.list) } ?? []
      if rows != member.rowsInSight {
        complain("list \(link.list) has a window at \(rows), not at \(member.rowsInSight)")
      }
    }
  }

  private func isHeld(_ row: Int) -> Bool {
    var engine = rig.tracker.core.engine
    guard let id = rig.tracker.knownID(of: row) else { return false }
    switch engine.place(of: id, at: engine.lastTurn) {
    case .held, .heldUntilRest: return true
    case .inLine, .gathering, .stopped, .laneIsFull, nil: return false
    }
  }

  // MARK: Rest

  /// Brings all lists into sight and to rest, and ends all loads.
  func finish() {
    for number in members.indices {
      log.append("finish \(number)")
      if members[number] == nil { addList(number) }
      for cover in [Cover.noWindow, .suspended]
      where members[number]?.covers.contains(cover) == true {
        toggle(cover, number)
      }
      members[number]?.view.list.stop()
    }
    for number in members.indices { endPass(number) }
    for _ in 0..<200 where !isAtRest {
      for load in rig.tracker.bodies { end(load) }
      endPass(frame: .milliseconds(50))
    }
    check()
    if !isAtRest { complain("the tracker does not come to rest") }
    for case let member? in members {
      let blank = member.view.app.pendingRows(in: member.view.list)
      if !blank.isEmpty { complain("\(blank) show nothing") }
    }
  }

  /// Whether nothing is left to do without an input.
  private var isAtRest: Bool {
    let core = rig.tracker.core
    return core.state.engine.runs.count == 0 && !core.engine.turns.isRequested
      && core.state.engine.nextDeadline == nil
      && members.allSatisfy { $0?.view.watcher.looks ?? 0 == 0 }
  }

  // MARK: The recording

  /// Plays the recording of the walk to the engine and to the naive model beside it.
  func replay() throws -> [String] {
    try recording.differences(from: rig.tracker).map { "seed \(seed): \($0)" }
  }
}
