import Foundation

/// Writes a run in the Chrome trace event format.
///
/// The format is described in "Trace Event Format" by the Chromium project: "X" is a stretch of
/// time in a track, "i" a moment, "M" a name; times are in microseconds.
struct TimelineTrace {
  private struct Event: Encodable {
    var name: String
    var ph: String
    var ts: Double?
    var dur: Double?
    var pid: Int
    var tid: Int
    var args: [String: String]?
  }

  private struct File: Encodable {
    let traceEvents: [Event]
    let displayTimeUnit = "ms"

    enum CodingKeys: CodingKey { case traceEvents, displayTimeUnit }
  }

  private enum Process: Int, CaseIterable {
    case loads = 1
    case waiting
    case screen
    case live

    var name: String {
      switch self {
      case .loads: "Loads"
      case .waiting: "Waiting rows"
      case .screen: "On screen, loaded"
      case .live: "Live rows"
      }
    }
  }

  private let strips: TimelineStrips
  private let byPosition: [Int: [TimelineStrips.Strip]]
  private let marksByPosition: [Int: [TimelineStrips.Mark]]

  init(_ strips: TimelineStrips) {
    self.strips = strips
    byPosition = Dictionary(grouping: strips.strips, by: \.position)
    marksByPosition = Dictionary(grouping: strips.marks, by: \.position)
  }

  var json: String {
    var events = Process.allCases.map { process in
      Event(
        name: "process_name", ph: "M", pid: process.rawValue, tid: 0, args: ["name": process.name])
    }
    events += inTracks(strips.requests, start: \.start, end: \.end).flatMap(eventsOfLoads)
    for (kind, process) in [
      (TimelineStrips.Strip.Kind.waiting, Process.waiting), (.shown, .screen), (.live, .live),
    ] {
      let ofKind = strips.strips.filter { $0.kind == kind }
        .sorted { ($0.start, $0.position) < ($1.start, $1.position) }
      events += inTracks(ofKind, start: \.start, end: \.end)
        .map { event($0, "row \($0.position)", process, $1) }
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    // There is nothing in it that could not be encoded.
    let data = (try? encoder.encode(File(traceEvents: events))) ?? Data()
    return String(decoding: data, as: UTF8.self)
  }

  /// A load, or the loads of a batch as one, with their stages and ends.
  private func eventsOfLoads(_ request: TimelineRequest, _ track: Int) -> [Event] {
    guard let last = request.last else { return [] }
    let count = request.loads.count
    var whole = event(last, "row \(last.position)", .loads, track)
    if count > 1 {
      whole.name = "\(count) rows"
      whole.args = ["rows": request.rows]
    }
    return [whole] + stages(of: last).map { event($0.strip, $0.name, .loads, track) }
      + request.loads.flatMap { load in
        marks(of: load).map { moment($0, of: count > 1 ? load : nil, track) }
      }
  }

  /// Gives each item the first track that is free, in the order of their starts.
  private func inTracks<Item>(
    _ items: [Item], start: (Item) -> Double, end: (Item) -> Double
  ) -> [(Item, track: Int)] {
    var ends: [Double] = []
    return items.map { item in
      let track = ends.firstIndex { $0 <= start(item) } ?? ends.count
      if track == ends.count { ends.append(end(item)) } else { ends[track] = end(item) }
      return (item, track + 1)
    }
  }

  private func stages(
    of load: TimelineStrips.Strip
  ) -> [(strip: TimelineStrips.Strip, name: String)] {
    byPosition[load.position, default: []].compactMap { strip in
      guard case .stage(let name) = strip.kind, strip.isStage(of: load) else { return nil }
      return (strip, name)
    }
  }

  private func marks(of load: TimelineStrips.Strip) -> [TimelineStrips.Mark] {
    marksByPosition[load.position, default: []].filter { $0.time == load.end }
  }

  private func event(
    _ strip: TimelineStrips.Strip, _ name: String, _ process: Process, _ track: Int
  ) -> Event {
    Event(
      name: name, ph: "X", ts: strip.start * 1e6, dur: (strip.end - strip.start) * 1e6,
      pid: process.rawValue, tid: track)
  }

  /// - Parameter load: The load of a batch that the moment belongs to.
  private func moment(
    _ mark: TimelineStrips.Mark, of load: TimelineStrips.Strip?, _ track: Int
  ) -> Event {
    Event(
      name: "\(mark.kind)", ph: "i", ts: mark.time * 1e6, pid: Process.loads.rawValue, tid: track,
      args: load.map { ["row": "\($0.position)"] })
  }
}
