extension TrackerState {
  var hasStreams: Bool { mutating get { !engine.streams.isEmpty } }

  mutating func stream(_ id: StreamID) -> LiveStream? {
    guard Int(id.row.index) < streams.count, let open = streams[Int(id.row.index)],
      open.serial == id.serial
    else { return nil }
    return open.stream
  }

  mutating func keepStream(_ stream: LiveStream, as id: StreamID) {
    streams.extend(to: Int(id.row.index), with: nil)
    streams[Int(id.row.index)] = OpenStream(serial: id.serial, stream: stream)
  }

  mutating func takeStream(_ id: StreamID) -> LiveStream? {
    guard let stream = stream(id) else { return nil }
    streams[Int(id.row.index)] = nil
    return stream
  }

  /// The stream that the load of a row has opened.
  mutating func openedStream(of row: RowID) -> LiveStream? {
    engine.streams[row]?.opener.flatMap { operation(of: $0)?.stream }
  }

  /// The error is kept if the row shows it.
  mutating func streamFailed(_ row: RowID, _ error: any Error) {
    if engine.failure(of: row) == .error { keepError(error, of: row) }
  }
}
