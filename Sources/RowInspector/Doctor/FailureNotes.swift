import RowOperations

struct FailureNotes<Row: Hashable & Sendable>: Sendable {
  struct Group: Sendable {
    let error: String
    var count = 0
    var longestSeries = 0
    var row: Row
  }

  private static var limit: Int { 32 }

  private var groups: [String: Group] = [:]
  private var series = RecentTable<Row, Int>()
  private var ends = 0

  mutating func record(_ event: TrackerEvent<Row>) {
    switch event.kind {
    case .finished:
      ends += 1
      series[event.row] = nil
    case .failed(_, let error):
      ends += 1
      let length = (series[event.row] ?? 0) + 1
      series[event.row] = length
      let text = Self.text(of: error)
      guard groups[text] != nil || groups.count < Self.limit else { return }
      var group = groups[text] ?? Group(error: text, row: event.row)
      group.count += 1
      if length > group.longestSeries {
        group.longestSeries = length
        group.row = event.row
      }
      groups[text] = group
    default: break
    }
  }

  /// The error of most failed loads, if it is a fault and no accident.
  var repeated: (group: Group, ofLoads: Int)? {
    let faults = groups.values.filter { group in
      group.longestSeries >= 3 || group.count >= 5 && group.count * 5 >= ends
    }
    return faults.max { ($0.count, $0.error) < ($1.count, $1.error) }.map { ($0, ends) }
  }

  private static func text(of error: any Error) -> String {
    let line = String(describing: error).split(whereSeparator: \.isNewline).first ?? ""
    if line.count > 80 { return line.prefix(79) + "…" }
    return String(line.hasSuffix(".") ? line.dropLast() : line)
  }
}
