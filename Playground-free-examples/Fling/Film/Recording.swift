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

  /// In place of a frame until the first screen is loaded.
  static let beforeFirstFrame = "loading the first rows…"

  /// Beyond this share of time in late frames, a run says little.
  static let mostLate = 1.0 / 3

  /// The share of the run's time that passed in frames more than 50 ms late.
  ///
  /// On a busy machine frames come late, and the list hears late of its loads. On two cores, eight
  /// busy processes beside the run made a fourth of its time pass so, and its blank time a tenth
  /// longer. With 20 it was more than half of the time, and the blank time two or three times as
  /// long.
  var lateShare: Double {
    let intervals = zip(frames.dropFirst(), frames).map { $0.time - $1.time }
    let late = intervals.filter { $0 > 1.0 / 60 + 0.05 }.reduce(0, +)
    return intervals.isEmpty ? 0 : late / intervals.reduce(0, +)
  }

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
