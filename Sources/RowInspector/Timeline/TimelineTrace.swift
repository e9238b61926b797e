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
    let loads = strips.strips.filter { $0.kind == .loading }
    let tracks = inTracks(loads)
    events += tracks.flatMap { load, track in
      [event(load, "row \(load.position)", .loads, track)]
        + stages(of: load).map { event($0.strip, $0.name, .loads, track) }
        + marks(of: load).map { moment($0, track) }
    }
    for (kind, process) in [
      (TimelineStrips.Strip.Kind.waiting, Process.waiting), (.shown, .screen), (.live, .live),
    ] {
      events += inTracks(strips.strips.filter { $0.kind == kind })
        .map { event($0, "row \($0.position)", process, $1) }
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    // There is nothing in it that could not be encoded.
    let data = (try? encoder.encode(File(traceEvents: events))) ?? Data()
    return String(decoding: data, as: UTF8.self)
  }

  /// Gives each strip the first track that is free.
  private func inTracks(
    _ strips: [TimelineStrips.Strip]
  ) -> [(strip: TimelineStrips.Strip, track: Int)] {
    var ends: [Double] = []
    return strips.sorted { ($0.start, $0.position) < ($1.start, $1.position) }.map { strip in
      let track = ends.firstIndex { $0 <= strip.start } ?? ends.count
      if track == ends.count { ends.append(strip.end) } else { ends[track] = strip.end }
      return (strip, track + 1)
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

  private func moment(_ mark: TimelineStrips.Mark, _ track: Int) -> Event {
    Event(
      name: "\(mark.kind)", ph: "i", ts: mark.time * 1e6, pid: Process.loads.rawValue, tid: track)
  }
}
