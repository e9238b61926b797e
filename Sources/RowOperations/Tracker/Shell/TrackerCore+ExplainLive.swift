extension TrackerCore {
  /// For a row with a value; empty without streams.
  func explanationOfStream(of row: RowID) -> String {
    guard let stream = state.engine.streams[row], let limit = state.engine.settings.streams?.limit
    else {
      return ""
    }
    switch stream.stage {
    case .open:
      let age = (time - stream.openedAt).text
      return state.engine.rows[row].listening == .awaiting
        ? "; its stream has opened \(age) ago and has no element yet"
        : ", and live since \(age)"
    case .queued where state.engine.streams.areHeld:
      return state.engine.gate.policy == .whenSettled
        ? "; it listens once the list rests" : "; it leaves the screen too soon to listen"
    case .queued:
      return limit == 0
        ? "; it does not listen, since liveLimit is 0"
        : ", and listens once fewer than \(limit) \(limit == 1 ? "row is" : "rows are") live"
    case .paused(let end):
      return stream.failures == 0
        ? "; its stream opens in \((end - time).text)"
        : "; its stream has failed and opens again in \((end - time).text): \(error(of: row))"
    case .suspended: return "; its stream opens after resume()"
    case .ended: return "; its stream has ended and opens again on the row's next display"
    case .failed:
      return "; its stream has failed, and opens on the row's next display: \(error(of: row))"
    }
  }
}
