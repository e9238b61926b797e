import Foundation

/// The errors that rows show.
extension TrackerCore {
  static var timeOut: OperationError {
    OperationError(
      code: .timedOut,
      description: "The load took longer than the tracker's timeout. Retry it, or allow more time.")
  }

  @usableFromInline
  func error(of snapshot: Snapshot) -> (any Error)? {
    switch snapshot.failure {
    case .none: nil
    case .error: errors[snapshot.row] ?? CancellationError()
    case .timeOut: Self.timeOut
    }
  }

  func keepError(_ error: any Error, of row: RowID) {
    if let error = error as? HTTPStatusError, !error.body.isEmpty { bodies.insert(row) }
    if let old = errors.updateValue(error, forKey: row) { state.discarded.append(old) }
  }

  /// Drops the bodies of responses from the errors of rows off screen.
  func dropBodies() {
    for row in bodies where !state.engine.hasDisplay(row) {
      bodies.remove(row)
      guard var error = errors[row] as? HTTPStatusError else { continue }
      error.body = Data()
      keepError(error, of: row)
    }
  }
}
