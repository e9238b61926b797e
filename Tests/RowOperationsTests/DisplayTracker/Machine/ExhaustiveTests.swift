import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("Every short sequence of events, on every kind of machine")
struct ExhaustiveTests {
  static let rows = 3
  static let cells = 2

  static let variants: [MachineVariant] = [
    MachineVariant("when settled") {
      $0.scrollPolicy = .whenSettled
      $0.valueLimit = 1
    },
    MachineVariant("adaptive, one value kept") { $0.valueLimit = 1 },
    MachineVariant("shared loads", sharing: true) { $0.scrollPolicy = .immediate },
    MachineVariant("retried after a delay, with a timeout", slots: 1) {
      $0.scrollPolicy = .immediate
      $0.retry = .backoff(.constant(.milliseconds(100), limit: 1))
      $0.timeout = 200_000_000
    },
  ].map { variant in
    // Times that are multiples of each other, so that few of them differ.
    MachineVariant(variant.name, slots: variant.slots, sharing: variant.isSharing) {
      $0 = variant.settings
      $0.grace = 100_000_000
      $0.quietTime = 100_000_000
    }
  }

  /// And one in which some rows need no operation.
  static let allVariants = variants + [variants[0].withOddRows]

  /// Every event there is.
  ///
  /// Rows and cells are alike, so a new one is always the first that has not been mentioned.
  static func events(rows known: Int, cells knownCells: Int) -> [EventScript.Step] {
    let rows = 0..<min(known + 1, Self.rows)
    let cells = 0..<min(knownCells + 1, Self.cells)
    var events: [EventScript.Step] = [
      .passEnd, .time(.milliseconds(100)), .scrollWillBegin, .scrollDidMove, .scrollDidSettle,
      .suspend, .resume, .invalidateAll, .removeAll, .removeCachedValues,
      .prefetch(Array(rows)), .scrollWillEnd(landingOn: rows.reversed()), .reconcile(cells: []),
    ]
    for cell in cells {
      events += rows.map { .cellFor(row: $0, cell: cell) }
      events += [
        .willDisplay(row: 0, cell: cell), .didEndDisplaying(row: 0, cell: cell),
        .unbind(cell: cell), .deallocate(cell: cell), .reconcile(cells: [cell]),
      ]
    }
    for row in rows {
      events += [
        .prefetch([row]), .cancelPrefetch([row]), .scrollWillEnd(landingOn: [row]),
        .finish(row: row), .fail(row: row), .setValue(row: row), .retry(row: row),
        .invalidate([row]), .remove([row]),
      ]
    }
    return events
  }

  /// A sequence of events, and how many rows and cells it mentions.
  struct Path {
    var steps: [EventScript.Step] = []
    var rows = 0
    var cells = 0

    func appending(_ step: EventScript.Step) -> Path {
      let (rows, cells) = step.mentioned
      return Path(
        steps: steps + [step], rows: max(self.rows, rows), cells: max(self.cells, cells))
    }
  }

  /// Breadth first, going on from one representative of all sequences that lead to the same state.
  ///
  /// - Returns: The first sequence after which something does not hold, and what that is.
  static func search(
    depth: Int, make: () -> MachineDriver
  ) -> (script: EventScript, violations: [Violation])? {
    var seen: Set<CanonicalState> = []
    var level = [Path()]
    for length in 1...depth {
      var next: [Path] = []
      for path in level {
        var start = make()
        for step in path.steps { start.apply(step) }
        for event in events(rows: path.rows, cells: path.cells) {
          var driver = start
          driver.apply(event)
          guard driver.violations.isEmpty else {
            return (EventScript(steps: path.steps + [event]), driver.violations)
          }
          guard length < depth else { continue }
          let state = CanonicalState(driver, rows: rows, cells: cells)
          if seen.insert(state).inserted { next.append(path.appending(event)) }
        }
      }
      level = next
    }
    return nil
  }

  @Test("The invariants hold after all of them", arguments: allVariants)
  func invariants(variant: MachineVariant) {
    let found = Self.search(depth: WalkBudget.depth) { variant.driver }
    if let found { Issue.record("\(found.violations) after \(found.script)") }
  }
}

extension EventScript.Step {
  /// How many rows and cells there are at least if this one is mentioned.
  fileprivate var mentioned: (rows: Int, cells: Int) {
    switch self {
    case .cellFor(let row, let cell): (row + 1, cell + 1)
    case .willDisplay(_, let cell), .didEndDisplaying(_, let cell), .unbind(let cell),
      .deallocate(let cell):
      (0, cell + 1)
    case .reconcile(let cells): (0, (cells.max() ?? -1) + 1)
    case .prefetch(let rows), .cancelPrefetch(let rows), .scrollWillEnd(let rows),
      .invalidate(let rows), .remove(let rows):
      ((rows.max() ?? -1) + 1, 0)
    case .finish(let row), .fail(let row), .setValue(let row), .retry(let row): (row + 1, 0)
    case .scrollWillBegin, .scrollDidMove, .scrollDidSettle, .suspend, .resume, .invalidateAll,
      .removeAll, .removeCachedValues, .passEnd, .time:
      (0, 0)
    }
  }
}
