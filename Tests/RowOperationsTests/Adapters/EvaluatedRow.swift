@testable import RowOperations

/// A row of a SwiftUI list without SwiftUI: its body is evaluated when the row is made, when its
/// list is evaluated, and once after its state has changed.
@MainActor
final class EvaluatedRow: ListedRow {
  private(set) var row: Int
  private(set) var rig: TrackerRig
  /// The phase that each evaluation of the body showed.
  private(set) var shown: [RowPhase<TrackerRig.Loaded>] = []
  private var isStale = false
  private var presence: RowPresence<Int, TrackerRig.Loaded>?

  /// Makes a row and evaluates its body before it appears.
  init(_ row: Int, in rig: TrackerRig) {
    self.row = row
    self.rig = rig
    presence = RowPresence { [unowned self] in isStale = true }
    evaluate()
  }

  var kinds: [LoadPhase] { shown.map(\.kind) }

  private func evaluate() {
    isStale = false
    if let presence { shown.append(presence.phase(of: row, in: rig.tracker)) }
  }

  /// The host evaluates the body if the state has changed.
  func update() { if isStale { evaluate() } }

  /// The list is evaluated and gives the view a row, perhaps the same one.
  func place(_ row: Int, in rig: TrackerRig? = nil) {
    self.row = row
    self.rig = rig ?? self.rig
    evaluate()
  }

  func appear() {
    presence?.appeared(row, in: rig.tracker)
    update()
  }

  func disappear() { presence?.disappeared() }

  func scroll(isVisible: Bool) {
    presence?.scrolled(isVisible: isVisible, row, in: rig.tracker)
    update()
  }

  func listCovered(_ isCovered: Bool) {
    presence?.listCovered(isCovered)
    update()
  }

  func stretch(along axis: ScrollAxis) -> ClosedRange<Double>? { nil }

  func isInside(_ list: any RowListing) -> Bool? { nil }

  /// The state of the view ends.
  func end() { presence = nil }

  /// A turn ends, then the host evaluates the body if the state has changed.
  func endPass() {
    rig.tracker.endPass()
    update()
  }

  /// Loads the row to its end.
  func load() {
    endPass()
    rig.arrive(row)
    endPass()
  }
}
