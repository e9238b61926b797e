import RowOperationsTesting

@testable import RowOperations

/// A breadth-first search over all sequences of inputs up to a length.
///
/// The search continues from one representative of all sequences that lead to the same state.
package struct Search {
  package let rows: Int
  package let cells: Int
  /// Whether cells can be inside each other.
  package let withHosts: Bool
  /// Whether loads have several rows, so that answers may lack some.
  package let withBatches: Bool
  /// Whether code of the app, called by the first render or effect after an input, makes a call
  /// itself.
  package let withCalls: Bool
  /// Whether streams of rows have elements and end.
  package let withStreams: Bool
  /// Whether a list with a number shows the rows in order, and moves beside the one without.
  package let withLists: Bool
  /// Whether rows are renamed, also to known ones.
  package let withRenames: Bool

  package init(
    rows: Int, cells: Int, withHosts: Bool = false, withBatches: Bool = false,
    withCalls: Bool = false, withStreams: Bool = false, withLists: Bool = false,
    withRenames: Bool = false
  ) {
    self.withBatches = withBatches
    self.rows = rows
    self.cells = cells
    self.withHosts = withHosts
    self.withCalls = withCalls
    self.withStreams = withStreams
    self.withLists = withLists
    self.withRenames = withRenames
  }

  /// An input, and the call that the app's code makes during its first effect.
  private struct Event {
    let step: EventScript.Step
    var call: EventScript.Step?

    var text: String { call.map { "\(step){\($0)}" } ?? "\(step)" }
  }

  /// A sequence of inputs with the number of rows and cells in it.
  private struct Path {
    var events: [Event] = []
    var rows = 0
    var cells = 0

    func appending(_ event: Event) -> Path {
      var path = self
      path.events.append(event)
      for step in [event.step, event.call].compactMap(\.self) {
        let (rows, cells) = step.mentioned
        path.rows = max(path.rows, rows)
        path.cells = max(path.cells, cells)
      }
      return path
    }

    var text: String { events.map(\.text).joined(separator: " ") }
  }

  /// - Returns: The first sequence that breaks an invariant, with calls in braces, and its
  ///   violations.
  package func run(
    depth: Int, make: () -> EngineDriver
  ) -> (script: String, violations: [Violation])? {
    var seen: Set<CanonicalState> = []
    let start = make()
    if withLists {
      start.apply(.listRows(Array(0..<rows), at: 0, list: 1))
      start.apply(.showPositions(0..<1, of: 0..<rows, section: nil, list: 1))
    }
    var level = [(Path(), start)]
    for length in 1...depth {
      var next: [(Path, EngineDriver)] = []
      for (path, start) in level {
        for event in events(rows: path.rows, cells: path.cells) {
          let driver = EngineDriver(copying: start)
          if let call = event.call { driver.nested = [call] }
          driver.apply(event.step)
          // Without an effect the app's code is not called.
          if event.call != nil, !driver.nested.isEmpty { continue }
          guard driver.violations.isEmpty else {
            return (path.appending(event).text, driver.violations)
          }
          guard length < depth else { continue }
          let state = CanonicalState(driver, rows: rows, cells: cells)
          if seen.insert(state).inserted { next.append((path.appending(event), driver)) }
        }
      }
      level = next
    }
    return nil
  }

  /// Every possible input, and with calls every possible call in a turn, a display or a render.
  private func events(rows: Int, cells: Int) -> [Event] {
    let steps = steps(rows: rows, cells: cells)
    guard withCalls else { return steps.map { Event(step: $0) } }
    return steps.flatMap { step in
      let callers: Bool =
        switch step {
        case .passEnd, .willDisplay, .remove, .setValue, .cellFor: true
        default: false
        }
      return [Event(step: step)] + (callers ? steps.map { Event(step: step, call: $0) } : [])
    }
  }

  /// Every possible input.
  ///
  /// Rows are interchangeable without lists, and so are cells, so a new one is always the first
  /// unused number.
  private func steps(rows known: Int, cells knownCells: Int) -> [EventScript.Step] {
    let rows = 0..<(withLists ? self.rows : min(known + 1, self.rows))
    let cells = 0..<min(knownCells + 1, self.cells)
    var events: [EventScript.Step] = [
      .passEnd, .time(.milliseconds(100)), .scrollWillBegin, .scrollDidMove, .scrollDidSettle,
      .suspend, .resume, .networkDidReturn, .invalidateAll, .removeAll, .removeCachedValues,
      .prefetch(Array(rows)), .scrollWillEnd(landingOn: rows.reversed()), .reconcile(cells: []),
    ]
    if withLists {
      events += [
        .listScrollWillBegin(list: 1), .listScrollDidMove(list: 1), .listScrollDidSettle(list: 1),
        .listScrollWillEnd(landingOn: rows.reversed(), list: 1),
      ]
      events += rows.flatMap { row in
        [
          .listScrollWillEnd(landingOn: [row], list: 1),
          .showPositions(row..<row + 1, of: 0..<self.rows, section: nil, list: 1),
        ]
      }
    }
    for cell in cells {
      events += rows.map { .cellFor(row: $0, cell: cell) }
      events += [
        .willDisplay(row: nil, cell: cell), .didEndDisplaying(row: nil, cell: cell),
        .cover(cell: cell),
        .unbind(cell: cell), .deallocate(cell: cell), .reconcile(cells: [cell]),
      ]
      guard withHosts else { continue }
      for host in cells {
        events += rows.map { .viewFor(row: $0, view: cell, host: host) }
        events.append(.viewFor(row: nil, view: cell, host: host))
      }
    }
    for row in rows {
      events += [
        .prefetch([row]), .cancelPrefetch([row]), .scrollWillEnd(landingOn: [row]),
        .show(row: row), .report(row: row), .finish(row: row), .fail(row: row), .setValue(row: row),
        .retry(row: row),
        .invalidate([row]), .remove([row]),
      ]
      if withBatches { events.append(.miss(row: row)) }
      if withRenames { events += rows.map { .rename(row, to: $0) } }
      guard withStreams else { continue }
      events += [.element(row: row), .endStream(row: row), .failStream(row: row)]
    }
    return events
  }
}

extension EventScript.Step {
  /// The smallest number of rows and cells that contains those of the step.
  fileprivate var mentioned: (rows: Int, cells: Int) {
    var (rows, cells) = (0, 0)
    _ = map(
      row: { row -> Int? in
        rows = max(rows, row + 1)
        return row
      },
      cell: { cell -> Int in
        cells = max(cells, cell + 1)
        return cell
      })
    return (rows, cells)
  }
}
