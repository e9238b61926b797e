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

/// The content of a cell at one moment.
@usableFromInline
package struct Snapshot: Hashable, Sendable {
  /// That of the last attempt, while cells show it.
  @usableFromInline
  package enum Failure: Hashable, Sendable {
    case none
    case error
    case timeOut
  }

  @usableFromInline package let row: RowID
  @usableFromInline package let phase: LoadPhase
  @usableFromInline package let hasValue: Bool
  @usableFromInline package let failure: Failure
  @usableFromInline package var moment = RenderMoment.update

  static let idle = Snapshot(
    row: RowID(index: -1), phase: .idle, hasValue: false, failure: .none)
}
