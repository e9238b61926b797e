/// The phase of a row without its values.
@usableFromInline
package enum LoadPhase: Hashable, Sendable {
  case idle
  case waiting(afterFailure: Bool)
  /// Whether the operation has shown a value or a progress.
  case loading(hasStep: Bool)
  case loaded
  case failed

  package static let loading = LoadPhase.loading(hasStep: false)
  /// Waiting for the first attempt.
  package static let waiting = LoadPhase.waiting(afterFailure: false)
}

/// The content of a row between two of its changes.
struct PhaseVersion: Hashable, Sendable {
  let snapshot: Snapshot
  let change: UInt32
}

/// The content of a cell at one moment.
package struct Snapshot: Hashable, Sendable {
  /// That of the last attempt, while cells show it.
  package enum Failure: Hashable, Sendable {
    case none
    case error
    case timeOut
  }

  package let row: RowID
  package let phase: LoadPhase
  package let hasValue: Bool
  package let failure: Failure
  package var moment = RenderMoment.update

  static let idle = Snapshot(
    row: RowID(index: -1), phase: .idle, hasValue: false, failure: .none)
}
