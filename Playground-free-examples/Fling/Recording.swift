import RowOperations

/// How a row on screen looks.
enum RowLook: Int, CaseIterable, Sendable {
  /// No load waits or runs for the row.
  case notWanted
  case waiting
  case loading
  case shown
  case failed

  /// In a legend.
  var name: String {
    switch self {
    case .notWanted: "not wanted"
    case .waiting: "waits"
    case .loading: "loads"
    case .shown: "shows"
    case .failed: "failed"
    }
  }

  /// Whether the row shows no value, be it failed or not.
  var isBlank: Bool { self != .shown }

  static func blankText(_ count: Int) -> String {
    count == 1 ? "1 row blank" : "\(count) rows blank"
  }
}

/// The rows that wait and the rows that load, by the events of a feed.
struct RowLoads: Sendable {
  private var waiting: Set<Int> = []
  /// The generation of each row's load.
  private var running: [Int: UInt64] = [:]

  mutating func record(_ event: TrackerEvent<Int>) {
    switch event.kind {
    case .waiting: waiting.insert(event.row)
    case .leftWaiting: waiting.remove(event.row)
    case .started(let generation):
      waiting.remove(event.row)
      running[event.row] = generation
    case .finished(let generation), .failed(let generation, _), .cancelled(let generation):
      if running[event.row] == generation { running[event.row] = nil }
    case .displayed, .endedDisplaying, .prefetched, .landing, .joined, .ran, .stopped, .refused,
      .evicted, .listening, .stoppedListening:
      break
    }
  }

  /// The look of a row without a value and without an error.
  func look(of row: Int) -> RowLook {
    if running[row] != nil { return .loading }
    return waiting.contains(row) ? .waiting : .notWanted
  }
}

/// The frames of one run.
struct Recording: Sendable {
  /// The screen at one moment.
  struct Frame: Equatable, Sendable {
    /// In seconds since the run began.
    let time: Double
    /// The upper edge of the viewport, in points.
    let offset: Double
    let firstRow: Int
    /// Of the rows on screen, top to bottom.
    let looks: [RowLook]
  }

  let name: String
  /// In points.
  let rowHeight: Double
  /// In points.
  let viewport: Double
  private(set) var frames: [Frame] = []
  /// How long how many rows on screen were blank, up to each frame.
  private(set) var blankRowSeconds: [Double] = []

  init(name: String, rowHeight: Double, viewport: Double) {
    self.name = name
    self.rowHeight = rowHeight
    self.viewport = viewport
  }

  /// How many rows are blank, of those whose middle is on screen.
  ///
  /// Of a row at the edge, a person may see the space between two rows alone.
  func blankRows(in frame: Frame) -> Int {
    frame.looks.indices.count { index in
      let middle = (Double(frame.firstRow + index) + 0.5) * rowHeight - frame.offset
      return (0..<viewport).contains(middle) && frame.looks[index].isBlank
    }
  }

  /// Adds a frame, later than those before.
  mutating func append(_ frame: Frame) {
    let before = frames.last.map { Double(blankRows(in: $0)) * (frame.time - $0.time) } ?? 0
    blankRowSeconds.append((blankRowSeconds.last ?? 0) + before)
    frames.append(frame)
  }

  /// Whether any row ever showed its value.
  var showsRows: Bool { frames.contains { $0.looks.contains(.shown) } }

  /// In place of a frame until the first screen is loaded.
  static let beforeFirstFrame = "loading the first rows…"

  /// The index of the frame on screen at a time; the first one before it.
  func index(at time: Double) -> Int {
    var (low, high) = (0, frames.count)
    while low < high {
      let middle = (low + high) / 2
      if frames[middle].time <= time { low = middle + 1 } else { high = middle }
    }
    return max(low - 1, 0)
  }
}
