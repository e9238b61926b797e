import RowOperations

/// The events of rows, as stretches and moments of time.
struct TimelineStrips {
  /// A stretch of time in one row's life; times in seconds.
  struct Strip: Hashable {
    enum Kind: Hashable {
      case waiting
      /// An operation runs; its time outside of stages stays in this colour.
      case loading
      case stage(String)
      /// On screen, with its value.
      case shown
      /// The row listens to its stream.
      case live
    }

    let kind: Kind
    let position: Int
    let start: Double
    let end: Double
    /// The number of the batch that loads the row.
    var batch: UInt64?
  }

  /// A moment in one row's life.
  struct Mark: Hashable {
    enum Kind: Hashable, CaseIterable { case applied, cancelled, failed }

    let kind: Kind
    let position: Int
    let time: Double
  }

  /// Which rows are on screen from a time on, in ranges without large holes.
  struct Viewport: Hashable {
    let time: Double
    let rows: [ClosedRange<Int>]
  }

  /// A moment that the app marks.
  struct Note: Hashable {
    let words: String
    let time: Double
  }

  /// Where and when a strip begins.
  private struct Beginning {
    let position: Int
    let time: Double
  }

  private struct Load {
    let position: Int
    let start: Double
    let batch: UInt64?
    var stages: [(name: String, start: Double, end: Double)] = []
  }

  private(set) var strips: [Strip] = []
  private(set) var marks: [Mark] = []
  private(set) var viewports: [Viewport] = []
  private(set) var notes: [Note] = []
  private(set) var lastTime = 0.0
  // By the numbers of rows, which stay the same when a row moves in the list.
  /// The strips that go on, by row.
  private var open: [Strip.Kind: [Int: Beginning]] = [:]
  private var loads: [UInt64: Load] = [:]
  /// The batches of loads that are about to start.
  private var batches: [UInt64: UInt64] = [:]
  /// How many cells show each row, and where.
  private var displays: [Int: (count: Int, position: Int)] = [:]
  private var hasValue: Set<Int> = []

  /// - Parameters:
  ///   - row: The number of the event's row.
  ///   - position: The row's place in the list. A strip stays where it began.
  mutating func record<Row>(_ event: TrackerEvent<Row>, of row: Int, at position: Int) {
    let time = event.time.milliseconds / 1000
    lastTime = max(lastTime, time)
    let now = Beginning(position: position, time: time)
    switch event.kind {
    case .prefetched, .landing, .stopped, .refused: break
    case .displayed: displayed(row, now)
    case .endedDisplaying: ended(row, at: time)
    case .waiting: begin(.waiting, row, now)
    case .leftWaiting: end(.waiting, row, at: time)
    case .joined(let generation, let batch): batches[generation] = batch
    case .started(let generation):
      end(.waiting, row, at: time)
      let batch = batches.removeValue(forKey: generation)
      loads[generation] = Load(position: position, start: time, batch: batch)
    case .ran(let stage, let generation, let start):
      loads[generation]?.stages.append((stage.name, start.milliseconds / 1000, time))
    case .finished(let generation):
      end(generation, at: time, .applied)
      hasValue.insert(row)
      if displays[row] != nil { begin(.shown, row, now) }
    case .failed(let generation, _): end(generation, at: time, .failed)
    case .cancelled(let generation): end(generation, at: time, .cancelled)
    case .evicted:
      hasValue.remove(row)
      end(.shown, row, at: time)
    case .listening: begin(.live, row, now)
    case .stoppedListening: end(.live, row, at: time)
    }
  }

  private mutating func displayed(_ row: Int, _ now: Beginning) {
    displays[row] = (displays[row, default: (0, 0)].count + 1, now.position)
    if hasValue.contains(row) { begin(.shown, row, now) }
    recordViewport(at: now.time)
  }

  private mutating func ended(_ row: Int, at time: Double) {
    displays[row]?.count -= 1
    if displays[row]?.count == 0 {
      displays[row] = nil
      end(.shown, row, at: time)
    }
    recordViewport(at: time)
  }

  mutating func note(_ words: String, at time: Duration) {
    notes.append(Note(words: words, time: time.milliseconds / 1000))
    lastTime = max(lastTime, time.milliseconds / 1000)
  }

  private mutating func recordViewport(at time: Double) {
    // Of the steps of one pass, only the last shows which rows are on screen.
    let rows = displays.values.map(\.position).ranges(holes: 10)
    if let last = viewports.last, time - last.time < 0.001 {
      viewports[viewports.count - 1] = Viewport(time: last.time, rows: rows)
    } else {
      viewports.append(Viewport(time: time, rows: rows))
    }
  }

  private mutating func begin(_ kind: Strip.Kind, _ row: Int, _ now: Beginning) {
    if open[kind]?[row] == nil { open[kind, default: [:]][row] = now }
  }

  private mutating func end(_ kind: Strip.Kind, _ row: Int, at time: Double) {
    guard let beginning = open[kind]?.removeValue(forKey: row) else { return }
    strips.append(
      Strip(kind: kind, position: beginning.position, start: beginning.time, end: time))
  }

  private mutating func end(_ generation: UInt64, at time: Double, _ kind: Mark.Kind?) {
    guard var load = loads.removeValue(forKey: generation) else { return }
    // A cancelled one has yet to say in which stages it was; they are not waited for.
    strips.append(
      Strip(
        kind: .loading, position: load.position, start: load.start, end: time, batch: load.batch))
    load.stages.sort { $0.start < $1.start }
    for stage in load.stages {
      strips.append(
        Strip(
          kind: .stage(stage.name), position: load.position, start: max(stage.start, load.start),
          end: min(stage.end, time)))
    }
    if let kind { marks.append(Mark(kind: kind, position: load.position, time: time)) }
  }

  /// All of it; strips that go on end at the last moment.
  func closed() -> TimelineStrips {
    var closed = self
    for (kind, rows) in open {
      for row in rows.keys { closed.end(kind, row, at: lastTime) }
    }
    for generation in loads.keys { closed.end(generation, at: lastTime, nil) }
    return closed
  }
}

extension [TimelineStrips] {
  /// The stages that are worth drawing, in the order in which they were first seen: of
  /// average length they can be seen, and it is not one alone that fills its loads.
  ///
  /// - Parameter isVisible: Whether a stretch of so many seconds can be seen.
  func stages(where isVisible: (Double) -> Bool) -> [String] {
    var names: [String] = []
    var lengths: [String: [Double]] = [:]
    var rests: [Double] = []
    for run in self {
      let strips = Dictionary(grouping: run.strips, by: \.position)
      for strip in run.strips {
        if case .stage(let name) = strip.kind {
          if lengths[name] == nil { names.append(name) }
          lengths[name, default: []].append(strip.length)
        } else if strip.kind == .loading {
          let stages = strips[strip.position, default: []].filter { $0.isStage(of: strip) }
          guard !stages.isEmpty else { continue }
          rests.append(stages.reduce(strip.length) { $0 - $1.length })
        }
      }
    }
    let visible = names.filter { isVisible(lengths[$0, default: []].average) }
    return visible.count > 1 || isVisible(rests.average) ? visible : []
  }
}

extension TimelineStrips.Strip {
  fileprivate var length: Double { end - start }

  /// Whether this is a stage of a load.
  func isStage(of load: Self) -> Bool {
    guard case .stage = kind else { return false }
    return position == load.position && start >= load.start && end <= load.end
  }
}

extension [Double] {
  fileprivate var average: Double { isEmpty ? 0 : reduce(0, +) / Double(count) }
}

extension Sequence<Int> {
  /// The numbers as ranges, in order, with no hole as long as `limit` in any of them.
  func ranges(holes limit: Int) -> [ClosedRange<Int>] {
    var ranges: [ClosedRange<Int>] = []
    for number in Set(self).sorted() {
      if let last = ranges.last, number - last.upperBound < limit {
        ranges[ranges.count - 1] = last.lowerBound...number
      } else {
        ranges.append(number...number)
      }
    }
    return ranges
  }
}
