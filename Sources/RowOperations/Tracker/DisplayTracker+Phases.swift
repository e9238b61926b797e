extension DisplayTracker {
  /// The current phase of a row, as a new binding shows it; O(1).
  ///
  /// From iOS 17, macOS 14, tvOS 17 and watchOS 10 on, and on Linux, it takes part in the tracking
  /// of Observation, whose observers are notified at the end of a turn, after its renders.
  public func phase(of row: Row) -> RowPhase<Value> {
    let row = store.rows.renamed.name(of: row) ?? row
    #if canImport(Observation)
      if #available(iOS 17, macOS 14, tvOS 17, watchOS 10, *),
        store.observers.track(row, from: version(of: row))
      {
        core.state.engine.reportsPhases = true
      }
    #endif
    return untrackedPhase(of: row)
  }

  /// The current phase of a row, then the newest after each turn that changes it.
  ///
  /// ```swift
  /// tracker.prefetch([photo.id])
  /// for await phase in tracker.phases(of: photo.id) { cell.show(phase.value) }
  /// ```
  ///
  /// A slow reader gets the newest phase alone. The stream neither claims the row nor retains the
  /// tracker, and ends with it. O(1) for each change.
  public func phases(of row: Row) -> AsyncStream<RowPhase<Value>> {
    let row = store.rows.renamed.name(of: row) ?? row
    return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { stream in
      let observer = PhaseObserver(seen: version(of: row), stream: stream)
      // The stream holds its observer until it ends.
      stream.onTermination = { _ in releaseHere(observer) }
      stream.yield(untrackedPhase(of: row))
      store.observers.add(observer, to: row)
      core.state.engine.reportsPhases = true
    }
  }

  package func untrackedPhase(of row: Row) -> RowPhase<Value> {
    guard let id = knownID(of: row) else { return .waiting(previous: nil) }
    return RowPhase(core.content(of: id))
  }

  private func version(of row: Row) -> PhaseVersion? {
    knownID(of: row).map { core.state.engine.version(of: $0) }
  }
}
