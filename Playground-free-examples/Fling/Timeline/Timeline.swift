import RowOperations

/// The events of a run's rows, as stretches and moments of time, in seconds.
struct Timeline {
  /// A stretch of time in one row's life.
  struct Strip: Hashable {
    enum Kind: Hashable, CaseIterable {
      case waiting, loading
      /// On screen, with its value.
      case shown
    }

    let kind: Kind
    let row: Int
    let start: Double
    let end: Double
  }

  /// A moment in one row's life.
  struct Mark: Hashable {
    enum Kind: Hashable, CaseIterable { case applied, cancelled, failed }

    let kind: Kind
    let row: Int
    let time: Double
  }

  /// Which rows are on screen from a time on.
  struct Viewport: Hashable {
    let time: Double
    let rows: ClosedRange<Int>?
  }

  /// A moment with a few words.
  struct Note: Hashable {
    let words: String
    let time: Double
  }

  private(set) var strips: [Strip] = []
  private(set) var marks: [Mark] = []
  private(set) var viewports: [Viewport] = []
  private(set) var notes: [Note] = []
  private(set) var lastTime = 0.0
  /// The starts of strips that go on, by row.
  private var open: [Strip.Kind: [Int: Double]] = [:]
  /// The rows of the loads that run.
  private var loads: [UInt64: (row: Int, start: Double)] = [:]
  /// How many cells show each row.
  private var displays: [Int: Int] = [:]
  private var loaded: Set<Int> = []

  mutating func record(_ event: TrackerEvent<Int>) {
    let (row, time) = (event.row, event.time / .seconds(1))
    lastTime = max(lastTime, time)
    switch event.kind {
    case .displayed:
      displays[row, default: 0] += 1
      if loaded.contains(row) { begin(.shown, row, at: time) }
      recordViewport(at: time)
    case .endedDisplaying:
      displays[row, default: 1] -= 1
      if displays[row] == 0 {
        displays[row] = nil
        end(.shown, row, at: time)
      }
      recordViewport(at: time)
    case .waiting: begin(.waiting, row, at: time)
    case .leftWaiting: end(.waiting, row, at: time)
    case .started(let generation):
      end(.waiting, row, at: time)
      loads[generation] = (row, time)
    case .finished(let generation):
      end(generation, at: time, .applied)
      loaded.insert(row)
      if displays[row] != nil { begin(.shown, row, at: time) }
    case .failed(let generation, _): end(generation, at: time, .failed)
    case .cancelled(let generation): end(generation, at: time, .cancelled)
    case .evicted:
      loaded.remove(row)
      end(.shown, row, at: time)
    default: break
    }
  }

  mutating func note(_ words: String, at time: Duration) {
    notes.append(Note(words: words, time: time / .seconds(1)))
    lastTime = max(lastTime, time / .seconds(1))
  }

  /// All of it; strips that go on end at the last moment.
  func closed() -> Timeline {
    var closed = self
    for (kind, rows) in open {
      for row in rows.keys { closed.end(kind, row, at: lastTime) }
    }
    for generation in loads.keys { closed.end(generation, at: lastTime, nil) }
    return closed
  }

  private mutating func recordViewport(at time: Double) {
    let rows = displays.keys.min().flatMap { first in displays.keys.max().map { first...$0 } }
    // Of the steps of one pass, only the last shows which rows are on screen.
    if let last = viewports.last, time - last.time < 0.001 {
      viewports[viewports.count - 1] = Viewport(time: last.time, rows: rows)
    } else {
      viewports.append(Viewport(time: time, rows: rows))
    }
  }

  private mutating func begin(_ kind: Strip.Kind, _ row: Int, at time: Double) {
    if open[kind]?[row] == nil { open[kind, default: [:]][row] = time }
  }

  private mutating func end(_ kind: Strip.Kind, _ row: Int, at time: Double) {
    guard let start = open[kind]?.removeValue(forKey: row) else { return }
    strips.append(Strip(kind: kind, row: row, start: start, end: time))
  }

  private mutating func end(_ generation: UInt64, at time: Double, _ kind: Mark.Kind?) {
    guard let load = loads.removeValue(forKey: generation) else { return }
    strips.append(Strip(kind: .loading, row: load.row, start: load.start, end: time))
    if let kind { marks.append(Mark(kind: kind, row: load.row, time: time)) }
  }
}
