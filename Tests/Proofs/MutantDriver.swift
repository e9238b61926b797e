import RowOperations
import RowOperationsTesting

/// An engine with a deliberate fault in its driver, of a kind that is common in apps.
package final class MutantDriver: EngineDriver {
  package enum Fault: String, CaseIterable, Sendable {
    case endsByIndexPath
    case cancelPrefetchKillsVisibleLoad
    case noGenerationCompare
    case cancelsAtOnce
    case leavingCellEndsTheLoad
    case gateStaysShut
    case deadCellIsInherited
    case rendersWithoutSerial
    case generationsRestart
    case prefetchLeavesSlotsIdle
    case promotionRestarts
    case worksOffTheOldestFirst
    case lingeringLoadsAreFree
    case neverCancels
    case failuresStick
    case removedRowsStay
    case viewsOutliveTheirHosts
    case recycledHostsKeepTheirViews
    case offScreenCellsAreRendered
    case retriesForEver
    case networkComesBackUnheard
    case stepsOutliveTheirLoads
    case coveredRowsLoad
    case coversEndDisplays
    case goneRowsTakeAnswers
    case missingRowsAreFilledIn
    case failuresOfBatchesAreValues
    case listsMoveTogether
  }

  private let fault: Fault
  /// The last generation before they began anew.
  private var forgottenGenerations: UInt64 = 0
  /// Renders that are performed after a delay.
  private var lateRenders: [(cell: Int, shown: Shown)] = []

  package init(_ fault: Fault, _ variant: EngineVariant) {
    self.fault = fault
    var settings = variant.settings
    if fault == .failuresStick { settings.retry = .never }
    if fault == .neverCancels { settings.grace = .longestTime }
    let cause = variant.cause
    super.init(
      settings: settings, slots: variant.slots,
      cause: { row in
        fault == .retriesForEver
          ? FailureCause(kind: .random(in: .min ... .max))
          : cause(row)
      })
  }

  package override func apply(_ step: EventScript.Step) {
    switch (fault, step) {
    case (.endsByIndexPath, .didEndDisplaying(let row, _)):
      let shown = shown.first { $0.value.row == row }
      super.apply(.didEndDisplaying(row: row, cell: shown?.key ?? -1))
    case (.cancelPrefetchKillsVisibleLoad, .cancelPrefetch(let rows)):
      super.apply(step)
      for row in rows { restart(row) }
    case (.cancelsAtOnce, .didEndDisplaying(let row?, let cell)):
      super.apply(step)
      if let id = rowIDs[row], engine.rows[id].displays == 0, cellIDs[cell] != nil {
        restart(row)
      }
    case (.leavingCellEndsTheLoad, .didEndDisplaying(_, let cell)):
      endAll(withRowOf: cell)
    case (.gateStaysShut, .passEnd):
      for motion in engine.gate.motions { engine.take(.scrollDidMove(motion.list), at: now) }
      super.apply(step)
    case (.listsMoveTogether, .listScrollWillBegin): super.apply(.scrollWillBegin)
    case (.listsMoveTogether, .listScrollDidMove): super.apply(.scrollDidMove)
    case (.listsMoveTogether, .listScrollWillEnd(let rows, _)):
      super.apply(.scrollWillEnd(landingOn: rows))
    case (.listsMoveTogether, .listScrollDidSettle): super.apply(.scrollDidSettle)
    case (.deadCellIsInherited, .deallocate), (.removedRowsStay, .remove),
      (.networkComesBackUnheard, .networkDidReturn), (.coveredRowsLoad, .cover):
      break
    case (.coversEndDisplays, .cover(let cell)):
      super.apply(.didEndDisplaying(row: nil, cell: cell))
    case (.generationsRestart, .removeAll):
      super.apply(step)
      forgottenGenerations = engine.lastSerial
    case (.promotionRestarts, .willDisplay(_, let cell)):
      super.apply(step)
      if let row = shown[cell]?.row { restart(row) }
    case (.viewsOutliveTheirHosts, .viewFor(let row?, let view, _)):
      // The view counts as a cell that came on screen by itself.
      super.apply(step)
      bind(view, to: row)
      super.apply(.willDisplay(row: row, cell: view))
    case (.recycledHostsKeepTheirViews, .cellFor(_, let cell)):
      let views = shown.filter { $0.key != cell }
      super.apply(step)
      for view in views { shown[view.key] = view.value }
      audit()
    case (.rendersWithoutSerial, .passEnd):
      let late = lateRenders
      lateRenders = []
      super.apply(step)
      for render in late where shown[render.cell] != nil { shown[render.cell] = render.shown }
      audit()
    default:
      super.apply(step)
    }
  }

  package override func generation(of run: RunState) -> UInt64 {
    super.generation(of: run) - forgottenGenerations
  }

  /// Cancels the load of a row and starts it again.
  private func restart(_ row: Int) {
    guard case .loading = phase(of: row) else { return }
    super.apply(.setValue(row: row))
    super.apply(.invalidate([row]))
  }

  private func endAll(withRowOf cell: Int) {
    guard let row = shown[cell]?.row else { return }
    for cell in shown.filter({ $0.value.row == row }).keys {
      super.apply(.didEndDisplaying(row: row, cell: cell))
    }
  }

  package override func perform(_ effect: TrackerEngine.Effect) {
    if fault == .stepsOutliveTheirLoads, case .dropStep = effect { return }
    if fault == .rendersWithoutSerial, case .render(let cell) = effect { recordRender(of: cell) }
    super.perform(effect)
  }

  private func recordRender(of id: CellID) {
    guard let cell = cellIDs.first(where: { $0.value == id })?.key, let row = shown[cell]?.row
    else { return }
    lateRenders.append((cell, content(of: row)))
  }

  package override func commit() {
    changeAnswers()
    if fault == .noGenerationCompare {
      // The value of a cancelled operation counts as the row's value.
      for (run, _) in inbox {
        guard let known = runs[run], isCancelled(run), let id = rowIDs[known.row] else { continue }
        keep(known.generation, for: id, row: known.row)
      }
    }
    super.commit()
    if fault == .offScreenCellsAreRendered {
      for id in Array(cellIDs.values) where engine.cells[id].row != nil { render(id) }
    }
  }

  /// Mistakes with the answers to batches.
  private func changeAnswers() {
    for (batch, answer) in answers {
      let members = engine.batches.members(of: batch)
      switch fault {
      case .goneRowsTakeAnswers:
        // The answer to a batch counts for rows that have left it for good, too.
        for run in members where isCancelled(run) {
          guard let known = runs[run], let id = rowIDs[known.row] else { continue }
          keep(known.generation, for: id, row: known.row)
        }
      case .missingRowsAreFilledIn:
        guard !answer.values.contains(.failure) else { continue }
        for run in members { answers[batch]?[run] = .value }
      case .failuresOfBatchesAreValues:
        for run in members where answer[run] == .failure { answers[batch]?[run] = .value }
      default: break
      }
    }
  }

  package override func admit() {
    switch fault {
    case .prefetchLeavesSlotsIdle:
      while ledger.hasFree, let (row, urgency) = engine.nextLoad(at: now) {
        guard urgency > .zero || ledger.running < ledger.count - 1 else { break }
        engine.admit(row, at: now)
      }
    case .worksOffTheOldestFirst:
      while ledger.hasFree, let row = engine.waitingByPriority.last { engine.admit(row, at: now) }
    case .lingeringLoadsAreFree:
      while engine.runningLoads < ledger.count,
        let row = engine.nextLoad(at: now)?.row
      { engine.admit(row, at: now) }
      super.admit()
    default:
      super.admit()
    }
  }
}
