/// An operation on the timeline: the load of a row, or of all rows of a batch.
struct TimelineRequest {
  /// The loads of its rows, from top to bottom.
  let loads: [TimelineStrips.Strip]

  var start: Double { loads.map(\.start).min() ?? 0 }
  /// The end of its last load; a row that leaves ends its own before.
  var end: Double { loads.map(\.end).max() ?? 0 }
  /// The load that has gone on to the end.
  var last: TimelineStrips.Strip? { loads.max { $0.end < $1.end } }

  /// The rows in words, such as `0–13, 20`.
  var rows: String {
    loads.map(\.position).ranges(holes: 2).map { range in
      range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound)–\(range.upperBound)"
    }.joined(separator: ", ")
  }
}

extension TimelineStrips {
  /// The operations, in the order of their starts.
  var requests: [TimelineRequest] {
    let loads = strips.filter { $0.kind == .loading }
    let batches = Dictionary(grouping: loads.filter { $0.batch != nil }, by: \.batch).values
    return (loads.filter { $0.batch == nil }.map { [$0] } + batches)
      .map { TimelineRequest(loads: $0.sorted { $0.position < $1.position }) }
      .sorted { ($0.start, $0.loads[0].position) < ($1.start, $1.loads[0].position) }
  }
}
