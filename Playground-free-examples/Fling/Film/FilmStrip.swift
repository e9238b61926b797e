/// A recording, as a film shows it: its scroll as a path, and the looks and figures at ticks.
struct FilmStrip: Sendable {
  static let ticksPerSecond = 20

  let name: String
  let rowHeight: Double
  let viewport: Double
  let path: FilmPath
  /// How each row that was ever on screen looks.
  private(set) var rows: [Int: FilmTrack<RowLook>] = [:]
  private(set) var blankRows = FilmTrack<Int>()
  /// How long how many rows were blank so far, in tenths of a second.
  private(set) var blankTenths = FilmTrack<Int>()
  /// The last tick.
  let end: Int

  /// - Parameter tolerance: How far the scroll may be off, in points.
  init(_ recording: Recording, tolerance: Double = 1) {
    name = recording.name
    rowHeight = recording.rowHeight
    viewport = recording.viewport
    path = FilmPath(
      recording.frames.map { FilmPath.Point(time: $0.time, offset: $0.offset) },
      tolerance: tolerance)
    end = Self.tick(recording.frames.last?.time ?? 0)
    // The frame before, and the time in which each row was seen last.
    var before: Recording.Frame?
    var seen: [Int: Double] = [:]
    for (frame, blankTime) in zip(recording.frames, recording.blankRowSeconds) {
      for (index, look) in frame.looks.enumerated() {
        let row = frame.firstRow + index
        // A row that comes back changed between its two times on screen.
        let time = seen[row].map { $0 == before?.time ? frame.time : (frame.time + $0) / 2 }
        rows[row, default: FilmTrack()].append(look, at: Self.tick(time ?? frame.time))
        seen[row] = frame.time
      }
      blankRows.append(recording.blankRows(in: frame), at: Self.tick(frame.time))
      blankTenths.append(Int((blankTime * 10).rounded()), at: Self.tick(frame.time))
      before = frame
    }
  }

  private static func tick(_ time: Double) -> Int { Int(time * Double(ticksPerSecond)) }
}

extension FilmStrip {
  /// The middle of the longest stretch in which most rows are blank here and not there.
  func tick(ofLargestDifferenceTo other: FilmStrip) -> Int {
    let differences = (0...max(end, other.end)).map { tick in
      (blankRows.value(at: tick) ?? 0) - (other.blankRows.value(at: tick) ?? 0)
    }
    let most = differences.max() ?? 0
    var longest = 0..<0
    var start = 0
    for tick in 0...differences.count {
      if tick < differences.count, differences[tick] == most { continue }
      if tick - start > longest.count { longest = start..<tick }
      start = tick + 1
    }
    return (longest.lowerBound + longest.upperBound) / 2
  }
}
