import RowOperations

/// Plays an ``EventScript`` to a tracker, as a list and its app do.
///
/// ```swift
/// let clock = ManualClock()
/// configuration.clock = clock
/// let player = ScriptPlayer(tracker, clock: clock, row: { $0 }, rowOfValue: { Int($0) ?? -1 })
/// player.play(try EventScript("c0 W0 P[1…9] |"))
/// ```
///
/// The test performs the steps of loads (`s5`, `p5`, `F5`, `f5`, `m5`) and those that set values
/// (`v5`): set ``onLoadStep``.
///
/// **Threading**: main actor. Steps take effect at once, except for the work of the end of a pass.
@MainActor
public final class ScriptPlayer<Row: Hashable & Sendable, Value: Sendable> {
  /// The list of the tracker, which watches the contents of the cells.
  public let app: TrackedList<Row, Value>
  /// Called for the steps of loads and for those that set a value.
  public var onLoadStep: ((EventScript.Step) -> Void)?

  private let clock: ManualClock?
  private let row: (Int) -> Row
  private var cells: [Int: SimulatedCell] = [:]
  private var lists = ScriptedLists<Row>()

  private var tracker: DisplayTracker<Row, Value> { app.tracker }

  /// Makes a player.
  ///
  /// - Parameters:
  ///   - tracker: The tracker that receives the steps.
  ///   - clock: The tracker's clock, for steps in which time passes.
  ///   - row: Returns the row of a number.
  ///   - rowOfValue: Returns the row that a value was loaded for.
  public init(
    _ tracker: DisplayTracker<Row, Value>, clock: ManualClock? = nil,
    row: @escaping (Int) -> Row, rowOfValue: @escaping (Value) -> Row
  ) {
    app = TrackedList(tracker, rowOfValue: rowOfValue)
    self.clock = clock
    self.row = row
  }

  /// Plays all steps of a script.
  public func play(_ script: EventScript) { for step in script.steps { play(step) } }

  /// The content of a cell; `nil` if the cell does not exist or shows nothing.
  public func content(ofCell number: Int) -> (row: Row, phase: RowPhase<Value>)? {
    cells[number].flatMap(app.content(of:))
  }

  /// Plays one step.
  public func play(_ step: EventScript.Step) {
    switch step {
    case .cellFor(let row, let number): app.handle(.cellFor(cell(number), self.row(row)))
    case .viewFor(let row, let view, let host):
      app.bind(cell(view), to: row.map(self.row), in: cell(host))
    case .unbind(let number): app.handle(.unbind(cell(number)))
    case .deallocate(let number): cells[number] = nil
    case .show, .report, .finish, .fail, .miss, .element, .endStream, .failStream, .setValue:
      onLoadStep?(step)
    case .time(let time): clock?.advance(by: time)
    case .listRows(let rows, let position, let list):
      lists.record(rows.map { [self.row($0)] }, at: position, list: list)
    case .itemRows(let rows, let position, let list):
      lists.record([rows.map(row)], at: position, list: list)
    case .showPositions(let shown, let all, let section, let list):
      let (spans, isOtherData) = lists.show(shown, of: all, section: section, list: list)
      tracker.show(spans, ofList: list, isOtherData: isOtherData) {
        RowSource(count: .max) { [lists] positions, take in
          for position in positions {
            for row in lists.rows(at: position, list: list) { take(position, row) }
          }
        }
      }
    default:
      if let input = step.map(row: row, cell: { cell($0) as AnyObject }) { tracker.receive(input) }
    }
  }

  private func cell(_ number: Int) -> SimulatedCell {
    let cell = cells[number] ?? SimulatedCell(number: number)
    cells[number] = cell
    return cell
  }
}

extension DisplayTracker {
  /// Takes the turn that the main queue would take next, so that a test need not wait.
  ///
  /// It commits arrivals, evaluates, starts loads, and renders.
  public func endPass() { core.takeTurn() }
}
