extension TrackerCore {
  struct OpenStream {
    let serial: UInt32
    let stream: RowStream
  }

  func stream(_ id: StreamID) -> RowStream? {
    guard let open = streams[id.row], open.serial == id.serial else { return nil }
    return open.stream
  }

  func takeStream(_ id: StreamID) -> RowStream? {
    guard let stream = stream(id) else { return nil }
    streams[id.row] = nil
    return stream
  }

  func open(_ id: StreamID) {
    let opened = state.engine.streams[id.row]?.opener.flatMap { operation(of: $0)?.tracked.stream }
    guard let stream = opened ?? call({ store.openStream(id.row, qualityOfService) }) else {
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
  func takeElements(of news: [UpdateNews], at now: Int64) -> [(RowID, any Error)] {
    var errors: [(RowID, any Error)] = []
    for case .stream(let id) in news {
      guard let stream = stream(id) else { continue }
      let news = stream.takeNews()
      let end = news.end.map(streamEnd)
      recordNews(news, of: id.row)
      let input = TrackerEngine.News.streamHas(id, element: news.hasElement, end: end)
      guard state.engine.take(input, at: now), let end = news.end else { continue }
      errors.append((id.row, end.error))
    }
    for id in state.engine.dueStreams(at: now) {
      guard let value = stream(id)?.takeElement() else { continue }
      let cost = cost(of: value)
      if state.engine.take(.element(id, cost: cost), at: now) { state.keep(value, of: id.row) }
    }
    return errors
  }

  private func streamEnd(_ end: StreamNews.End) -> StreamEnd {
    switch end {
    case .ended: .ended
    case .failed(let error):
      .failed(cause(of: error))
    }
  }

  private func recordNews(_ news: StreamNews, of row: RowID) {
    if news.hasElement { record(.element(row: row)) }
    switch news.end {
    case .ended: record(.endStream(row: row))
    case .failed: record(.failStream(row: row))
    case nil: break
    }
  }
}
