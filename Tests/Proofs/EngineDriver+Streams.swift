import RowOperationsTesting

@testable import RowOperations

/// The streams of live rows, as the shell has them.
extension EngineDriver {
  /// A stream, from its opening to its end.
  package struct Stream: Hashable, Sendable {
    package let id: StreamID
    /// Whether it has an element that the engine has not committed.
    package var hasElement = false
    /// Whether the engine has not heard of its newest element or of its end.
    package var hasNews = false
    /// Whether it has ended, and whether that was without an error.
    package var end: Bool?
  }

  private var isLoad: Bool { engine.settings.streams?.isLoad == true }

  /// Takes an element or the end of a row's stream.
  ///
  /// - Parameter end: Whether the stream ends without an error; `nil` if it goes on.
  func streamStep(of row: Int, end: Bool?) {
    if let run = opener(of: row) {
      if inbox.contains(where: { $0.run == run }) {
        // The load has its first element; what follows waits for the row to listen.
        if end == nil { leftovers[run, default: Leftover()].hasElement = true }
        if let end, leftovers[run]?.end == nil { leftovers[run, default: Leftover()].end = end }
      } else {
        self.end(run, withValue: end == nil)
      }
      return
    }
    guard streams[row] != nil, streams[row]?.end == nil else { return }
    if end == nil { streams[row]?.hasElement = true } else { streams[row]?.end = end }
    streams[row]?.hasNews = true
  }

  /// The newest load of a row that takes the first element of a stream, until it has ended.
  private func opener(of row: Int) -> RunID? {
    guard isLoad, streams[row] == nil else { return nil }
    let current = runs.filter { run in
      run.value.row == row && engine.runs.contains(run.key)
        && engine.runs[run.key].stage == .current
    }
    return current.max { $0.value.generation < $1.value.generation }?.key
  }

  func open(_ id: StreamID) {
    guard let row = rowNumbers[id.row] else { return }
    if streams[row] != nil {
      violations.append(Violation(.oneLoadPerRow, "row \(row) has two streams"))
    }
    var stream = Stream(id: id)
    if let opener = engine.streams[id.row]?.opener, let left = leftovers.removeValue(forKey: opener)
    {
      (stream.hasElement, stream.end, stream.hasNews) = (left.hasElement, left.end, true)
      inputCame()
    }
    streams[row] = stream
    decisions.append(.open(row: row))
  }

  func close(_ id: StreamID) {
    guard let stream = streams.first(where: { $0.value.id == id }) else { return }
    streams[stream.key] = nil
    decisions.append(.close(row: stream.key))
  }

  /// Passes the news of streams on, and commits the elements that are due.
  func takeElements() {
    for (row, stream) in streams.sorted(by: { $0.key < $1.key }) where stream.hasNews {
      streams[row]?.hasNews = false
      let end = stream.end.map { $0 ? StreamEnd.ended : .failed(cause(row)) }
      engine.take(.streamHas(stream.id, element: stream.hasElement, end: end), at: now)
    }
    for id in engine.dueStreams(at: now) {
      guard let row = rowNumbers[id.row], streams[row]?.id == id else { continue }
      guard engine.take(.element(id, cost: 1), at: now) else {
        violations.append(Violation(.newestShown, "an element of row \(row) is refused"))
        continue
      }
      if streams[row]?.hasElement != true {
        violations.append(Violation(.newestShown, "row \(row) commits an element that it lacks"))
      }
      streams[row]?.hasElement = false
      keepLocalEdit(of: id.row, row)
      decisions.append(.element(row: row))
    }
  }

  /// Checks that the streams are those of the engine.
  func checkStreams() {
    for (row, stream) in streams where !engine.streams.isOpen(stream.id) {
      violations.append(
        Violation(.noUnclaimedWork, "the stream of row \(row) is open against the engine"))
    }
    if streams.count != engine.streams.open {
      violations.append(
        Violation(
          .stateAgrees, "\(streams.count) streams are open, \(engine.streams.open) by the engine"))
    }
  }
}
