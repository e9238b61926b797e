extension TrackerCore {
  struct OpenStream {
    let serial: UInt32
    let stream: LiveStream
  }

  func stream(_ id: StreamID) -> LiveStream? {
    guard let open = streams[id.row], open.serial == id.serial else { return nil }
    return open.stream
  }

  func takeStream(_ id: StreamID) -> LiveStream? {
    guard let stream = stream(id) else { return nil }
    streams[id.row] = nil
    return stream
  }

  /// Opens a stream, or goes on with the one that the row's load has opened.
  func open(_ id: StreamID) {
    let opened = state.engine.streams[id.row]?.opener.flatMap { operation(of: $0)?.stream }
    guard let stream = opened ?? call({ closures.openStream(id.row, qualityOfService) }) else {
      return
    }
    // The app's closures may have ended the stream.
    guard state.engine.streams.isOpen(id) else { return stream.close() }
    streams[id.row] = OpenStream(serial: id.serial, stream: stream)
    let owesFirst = state.engine.streams[id.row]?.owedLoad != nil
    stream.report(to: inbox, as: id, owesFirst: owesFirst)
  }

  /// Passes news to the engine, and commits the due elements.
  ///
  /// - Returns: The errors of ended streams, which count if the turn shows them.
  func takeElements(of streams: [StreamID], at now: Int64) -> [(RowID, any Error)] {
    var errors: [(RowID, any Error)] = []
    for id in streams {
      guard let stream = stream(id) else { continue }
      let news = stream.takeNews()
      let end = news.end.map { StreamEnd($0, isRetryable: isRetryable) }
      recordNews(news, of: id.row)
      let input = TrackerEngine.Input.streamHas(id, element: news.hasElement, end: end)
      guard state.engine.take(input, at: now), let end = news.end else { continue }
      errors.append((id.row, end.error))
    }
    for id in state.engine.dueStreams(at: now) {
      guard let stream = stream(id) else { continue }
      call {
        closures.takeElement(stream, id.row) { state.engine.take(.element(id, cost: $0), at: now) }
      }
    }
    return errors
  }

  private func isRetryable(_ error: any Error) -> Bool { call { closures.isRetryable(error) } }

  private func recordNews(_ news: StreamNews, of row: RowID) {
    if news.hasElement { record(.element(row: row)) }
    switch news.end {
    case .ended: record(.endStream(row: row))
    case .failed: record(.failStream(row: row))
    case nil: break
    }
  }
}

extension StreamEnd {
  fileprivate init(_ end: StreamNews.End, isRetryable: (any Error) -> Bool) {
    switch end {
    case .ended: self = .ended
    case .failed(let error): self = .failed(FailureCause(error, isRetryable: isRetryable(error)))
    }
  }
}
