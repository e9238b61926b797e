import RowOperations

/// The tracker's events and the rows on screen, step by step.
@MainActor
final class Ledger {
  private(set) var steps: [Step] = []
  private var loaded: Set<FileName> = []
  private var loadedBefore: Set<FileName> = []
  private var givenUp: Set<FileName> = []
  private var givenUpBefore: Set<FileName> = []

  var step: Step {
    get { steps[steps.count - 1] }
    set { steps[steps.count - 1] = newValue }
  }

  func begin(_ step: Step) {
    steps.append(step)
    loadedBefore = loaded
    givenUpBefore = givenUp
  }

  func note(_ event: TrackerEvent<FileName>) {
    switch event.kind {
    case .started:
      step.started += 1
      if loaded.contains(event.row) { step.again += 1 }
      if givenUpBefore.contains(event.row) { step.resumed.insert(event.row) }
    case .finished:
      loaded.insert(event.row)
      givenUp.remove(event.row)
    case .evicted: loaded.remove(event.row)
    case .cancelled, .leftWaiting:
      step.cancelled += 1
      givenUp.insert(event.row)
    case .landing: step.landings += 1
    default: break
    }
  }

  func frame(_ sight: Inspector.Sight) {
    step.frames += 1
    for row in sight.rows where step.shown.insert(row).inserted && !loadedBefore.contains(row) {
      step.fresh.insert(row)
    }
    step.wrong.formUnion(sight.wrong)
    step.previews.formUnion(sight.previews)
  }
}
