import Foundation

extension TrackerCore {
  static var timeOut: OperationError {
    OperationError(
      code: .timedOut,
      description: "The load took longer than the tracker's timeout. Retry it, or allow more time.")
  }

  static var missingFromBatch: OperationError {
    OperationError(
      code: .missingFromBatch,
      description: """
        The answer to a batch has no value for this row. Return a value for each row of \
        `batch.rows`, or throw an error.
        """)
  }

  func keep(_ error: any Error, of row: RowID) {
    if let error = error as? HTTPStatusError, !error.body.isEmpty { bodies.insert(row) }
    state.keep(error, of: row)
  }

  /// Drops the bodies of responses from the errors of rows off screen.
  func dropBodies() {
    for row in bodies where !state.engine.hasDisplay(row) {
      bodies.remove(row)
      guard var error = state.errors[row] as? HTTPStatusError else { continue }
      error.body = Data()
      state.keep(error, of: row)
    }
  }
}
