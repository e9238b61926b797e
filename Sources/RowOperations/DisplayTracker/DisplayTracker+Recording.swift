extension DisplayTracker {
  /// A debug switch: writes everything that the tracker is told, by a list, an adapter or the app, as
  /// the text of an `EventScript` of the module RowOperationsTesting, so that what happened on a
  /// device can be replayed in a test.
  ///
  /// ```swift
  /// tracker.recordEvents { line in print(line) }
  /// // c0(a) W0(a) c1(b) W1(b) P[2,3,4] |
  /// // +16ms B M |
  /// ```
  ///
  /// Rows become numbers in the order in which they are first named and cells letters, so a recording
  /// gives nothing of your users away. Each line is a turn of the main queue. Switch it on before the
  /// list is first laid out: cells that were bound before are not in it.
  ///
  /// **Threading**: `write` is called on the main actor. What it asks of the tracker takes effect
  /// when it has returned.
  ///
  /// **Cost**: while it is switched on, a few strings for each event, and O(cells) for each turn.
  /// Otherwise nothing that can be measured.
  ///
  /// - Parameter write: Given each line; `nil` switches recording off.
  public func recordEvents(_ write: (@MainActor (String) -> Void)?) {
    recorder = write.map { write in
      EventRecorder { [weak self] line in
        guard let self else { return write(line) }
        callOut { write(line) }
      }
    }
  }

  func recordRetry(of load: LoadID) {
    guard let recorder, let row = machine.leader(of: load).flatMap(rows.row) else { return }
    recorder.note("y", row: row, at: time)
  }
}
