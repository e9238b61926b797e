import Foundation
import RowOperationsTesting

@testable import RowOperations
@testable import TestSupport

/// A random walk over a tracker with an app that makes random calls from all its code.
///
/// Calls are made while a step is taken, and each step makes a bounded number of them.
@MainActor
final class CallerWalk {
  typealias Tracker = DisplayTracker<Int, Content>

  /// The code that makes a call.
  enum Origin: CaseIterable, Sendable {
    case step, render, cached, cost, operation, event, commit
    case contentDeinit, errorDeinit, captureDeinit, cellDeinit
  }

  let clock = ManualClock()
  let tracker: Tracker
  /// Descriptions of wrong renders.
  private(set) var mistakes: Set<String> = []
  private(set) var origins: Set<Origin> = []

  private let link: CallLink
  private var random: SeededGenerator
  private let mixesRowsUp: Bool
  private var isAtRest = false
  /// How many more calls the app's code can make in this step.
  private var budget = 0

  private var cells: [CallingCell] = []
  private var lastNumber = 0
  /// The newest binding of each cell that was rendered, by the cell's number.
  private var bindings: [Int: Int] = [:]
  private var renderedBindings: Set<Int> = []
  /// The description of each cell's last phase, by the cell's number.
  private var shown: [Int: String] = [:]
  private var loads: [WaitingLoad] = []

  init(seed: UInt64, mixesRowsUp: Bool = false) {
    var random = SeededGenerator(seed: seed)
    let link = CallLink()
    let configuration = Self.configuration(link, using: &random)
    tracker = Tracker(
      configuration: configuration,
      operation: { token in
        link.call(from: .operation)
        return link.walk?.operation(for: token)
      })
    self.mixesRowsUp = mixesRowsUp
    self.link = link
    self.random = random
    link.walk = self
    for _ in 0..<8 { cells.append(newCell()) }
  }

  private static func configuration(
    _ link: CallLink, using random: inout SeededGenerator
  ) -> TrackerConfiguration<Int, Content> {
    var configuration = TrackerConfiguration<Int, Content>()
    configuration.slots = UpdateSlots(Int.random(in: 1...4, using: &random))
    configuration.scrollPolicy =
      [.adaptive, .immediate, .whenSettled].randomElement(using: &random) ?? .adaptive
    configuration.grace = Bool.random(using: &random) ? .zero : .milliseconds(150)
    configuration.timeout = Bool.random(using: &random) ? nil : .milliseconds(400)
    configuration.prefetchWindow.limit = Int.random(in: 0...8, using: &random)
    configuration.retry = retry(Int.random(in: 0..<3, using: &random))
    configuration.retention = retention(Int.random(in: 0..<4, using: &random), link)
    if Bool.random(using: &random) {
      configuration.cached = { row in
        link.call(from: .cached)
        return link.walk?.cachedContent(of: row)
      }
    }
    configuration.onEvent = { _ in link.call(from: .event) }
    configuration.onCommit = { _ in link.call(from: .commit) }
    return configuration
  }

  private static func retry(_ choice: Int) -> RetryPolicy {
    switch choice {
    case 0: .never
    case 1: .onNextDisplay
    default: .backoff(.constant(.milliseconds(50), limit: 2))
    }
  }

  private static func retention(_ choice: Int, _ link: CallLink) -> Retention<Content> {
    switch choice {
    case 0: .none
    case 1: .count(3)
    case 2: .all
    default:
      .cost(limit: 5) { _ in
        MainActor.assumeIsolated { link.call(from: .cost) }
        return 1
      }
    }
  }

  // MARK: The walk

  /// Takes steps, then ends all loads without further calls.
  func run(steps: Int) async {
    for _ in 0..<steps {
      step()
      if roll(3) == 0 { await tracker.pendingTurns() }
    }
    await rest()
  }

  private func step() {
    link.permit.open()
    budget = 10
    act(from: .step)
    if roll(2) == 0 { tracker.endPass() }
    budget = 0
    link.permit.close()
  }

  private func rest() async {
    isAtRest = true
    while !loads.isEmpty { end(loads.removeLast(), with: .value) }
    while !tracker.core.isIdle {
      clock.advance(by: .seconds(1))
      tracker.endPass()
      await Task.yield()
    }
    for _ in 0..<4 { tracker.endPass() }
  }

  /// Drops all cells and rows.
  func empty() {
    cells = []
    tracker.removeAll()
    for _ in 0..<20 { tracker.endPass() }
  }

  private func roll(_ sides: Int) -> Int { Int.random(in: 0..<sides, using: &random) }

  private func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  // MARK: Calls

  /// Sometimes makes a random call.
  func call(from origin: Origin) {
    guard budget > 0, roll(3) == 0 else { return }
    budget -= 1
    act(from: origin)
  }

  private func act(from origin: Origin) {
    origins.insert(origin)
    let choice = roll(40)
    switch choice {
    case ..<16: actOnCell(choice)
    case ..<32: actOnRows(choice)
    default: actOnTime(choice)
    }
  }

  private func actOnCell(_ choice: Int) {
    let cell = cells[roll(cells.count)]
    switch choice {
    case 0..<5: bind(cell, to: roll(12) + (roll(4) == 0 ? 12 : 0))
    case 5: bind(cell, to: nil)
    case 6..<9: bind(cell, to: roll(6) == 0 ? nil : roll(12), in: cells[roll(cells.count)])
    case 9..<12: tracker.willDisplay(cell)
    case 12: tracker.didEndDisplaying(cell)
    case 13: tracker.unbind(cell)
    case 14: tracker.reconcile(displayedCells: cells.filter { $0.number % 2 == 0 })
    default: replaceCell()
    }
  }

  private func actOnRows(_ choice: Int) {
    let row = roll(12) + (roll(4) == 0 ? 12 : 0)
    let rows = (0..<roll(4)).map { _ in roll(12) }
    switch choice {
    case 16..<18: tracker.prefetch(rows)
    case 18: tracker.cancelPrefetch(rows)
    case 19..<22: tracker.setValue(content(of: row), for: row)
    case 22..<24: tracker.invalidate(rows)
    case 24: tracker.invalidateAll()
    case 25: tracker.retry(row)
    case 26: tracker.retryFailed()
    case 27..<29: tracker.remove(rows)
    case 29: if roll(4) == 0 { tracker.removeAll() }
    // The other row of a pair.
    case 30: tracker.rename(row, to: (row + 12) % 24)
    default: tracker.removeCachedValues()
    }
  }

  private func actOnTime(_ choice: Int) {
    switch choice {
    case 32: tracker.scrollWillBegin()
    case 33: tracker.scrollDidMove()
    case 34: tracker.scrollWillEnd(landingOn: (0..<roll(4)).map { _ in roll(12) })
    case 35: tracker.scrollDidSettle()
    case 36: roll(2) == 0 ? tracker.suspend() : tracker.resume()
    case 37: clock.advance(by: .milliseconds(roll(200)))
    case 38: if !loads.isEmpty { end(loads.remove(at: roll(loads.count)), with: randomEnd()) }
    default: tracker.endPass()
    }
  }

  // MARK: Cells

  private func newCell() -> CallingCell { CallingCell(number: nextNumber(), link) }

  /// Replaces a cell by another one; the old cell can live on.
  private func replaceCell() {
    let index = roll(cells.count)
    // The old cell outlives the change of the array, since its deinit can read the array.
    withExtendedLifetime(cells[index]) { cells[index] = newCell() }
  }

  /// Reports the end of a cell from its deinit, or omits it.
  func leave(_ cell: CallingCell) {
    switch roll(3) {
    case 0: tracker.didEndDisplaying(cell)
    case 1: tracker.unbind(cell)
    default: break
    }
    call(from: .cellDeinit)
  }

  private func bind(_ cell: CallingCell, to row: Int?, in host: CallingCell? = nil) {
    let binding = nextNumber()
    let caller = roll(2) == 0 ? Caller(link, .captureDeinit) : nil
    let render: @MainActor (CallingCell, RowPhase<Content>) -> Void = { [weak self] cell, phase in
      withExtendedLifetime(caller) {}
      self?.rendered(cell, for: row, phase, as: binding)
    }
    if let host {
      tracker.bind(cell, to: row, in: host, render: render)
    } else {
      tracker.bind(cell, to: row, render: render)
    }
  }

  private func rendered(
    _ cell: CallingCell, for row: Int?, _ phase: RowPhase<Content>, as binding: Int
  ) {
    // The bind makes the first render.
    if renderedBindings.insert(binding).inserted { bindings[cell.number] = binding }
    if bindings[cell.number] != binding {
      mistakes.insert("cell \(cell.number) was rendered for its previous row")
    }
    if let value = phase.value {
      let expected = mixesRowsUp ? row.map { $0 + 2 } : row
      if value.row % 12 != expected.map({ $0 % 12 }) {
        mistakes.insert("cell \(cell.number) showed a value of row \(value.row)")
      }
    }
    shown[cell.number] = describe(phase)
    call(from: .render)
  }

  private func describe(_ phase: RowPhase<Content>) -> String {
    let value = phase.value.map { "value \($0.number)" } ?? "no value"
    return "\(phase.kind), \(value), \(phase.error == nil ? "no error" : "an error")"
  }

  /// Cells on screen that do not show their rows' phases.
  var staleCells: [String] {
    cells.compactMap { cell in
      guard let row = displayedRow(of: cell) else { return nil }
      let (old, new) = (shown[cell.number] ?? "nothing", describe(tracker.phase(of: row)))
      return old == new ? nil : "cell \(cell.number) shows \(old), row \(row) has \(new)"
    }
  }

  private func displayedRow(of cell: CallingCell) -> Int? {
    guard let id = tracker.core.state.cells.id(at: cell), tracker.core.state.cells.isAlive(id)
    else { return nil }
    let state = tracker.core.engine.cells[id]
    guard state.isDisplayed, let row = state.row else { return nil }
    return tracker.store.rows[row]
  }

  // MARK: Loads

  private enum End {
    case value, error
  }

  private func randomEnd() -> End { roll(3) == 0 ? .error : .value }

  private func content(of row: Int) -> Content {
    Content(row: row, number: nextNumber(), caller: Caller(link, .contentDeinit))
  }

  func cachedContent(of row: Int) -> Content? { roll(4) == 0 ? content(of: row) : nil }

  func operation(for token: RowToken<Int>) -> UpdateOperation<Int, Content>? {
    let load = WaitingLoad(token: token)
    switch isAtRest ? 1 : roll(6) {
    case 0:
      return nil
    case 1, 2:
      end(load, with: .value)
    case 3:
      end(load, with: .error)
    default:
      loads.append(load)
    }
    return load
  }

  private func end(_ load: WaitingLoad, with end: End) {
    switch end {
    case .value:
      load.finishIfUndecided(with: .success(content(of: load.token.row)))
    case .error:
      load.finishIfUndecided(with: .failure(Broken(caller: Caller(link, .errorDeinit))))
    }
    load.gate.open()
  }
}
