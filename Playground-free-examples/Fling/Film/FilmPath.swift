/// A scroll as straight pieces, few of them.
struct FilmPath: Equatable, Sendable {
  struct Point: Equatable, Sendable {
    /// In seconds.
    let time: Double
    /// In points.
    let offset: Double
  }

  private(set) var points: [Point] = []

  /// The path through some points, without those that lie closer to it than a tolerance.
  ///
  /// By Ramer, Douglas and Peucker: of the points between two ends the farthest one stays, and both
  /// halves are treated alike.
  ///
  /// - Parameter tolerance: In points, at the same time.
  init(_ all: [Point], tolerance: Double) {
    guard let first = all.first else { return }
    points = [first]
    // The ends of pieces that are not yet drawn, the next one on top.
    var ends = all.count > 1 ? [all.count - 1] : []
    var start = 0
    while let end = ends.last {
      let farthest = (start + 1..<max(end, start + 1)).map { index in
        let line = Self.offset(at: all[index].time, from: all[start], to: all[end])
        return (index: index, distance: abs(line - all[index].offset))
      }.max { $0.distance < $1.distance }
      if let farthest, farthest.distance > tolerance {
        ends.append(farthest.index)
      } else {
        points.append(all[end])
        start = end
        ends.removeLast()
      }
    }
  }

  /// Where the list is at a time.
  func offset(at time: Double) -> Double {
    guard let last = points.last else { return 0 }
    guard let next = points.firstIndex(where: { $0.time > time }) else { return last.offset }
    return next == 0
      ? points[0].offset : Self.offset(at: time, from: points[next - 1], to: points[next])
  }

  private static func offset(at time: Double, from start: Point, to end: Point) -> Double {
    guard end.time > start.time else { return start.offset }
    let part = (time - start.time) / (end.time - start.time)
    return start.offset + part * (end.offset - start.offset)
  }
}
