import Foundation
import RowOperationsTesting

/// The course of a real run of the example `fling`, without the ends of its loads.
///
/// The course is the same for every loader. The folder `Recordings` describes the files.
struct RecordedCourse: Sendable {
  /// The events of a moment.
  struct Frame: Sendable {
    /// In nanoseconds since the first layout.
    let time: Int64
    let events: [ListEvent<Int>]
    /// The rows on screen afterwards.
    let rows: Range<Int>
    /// Whether the list rests afterwards.
    let isAtRest: Bool
  }

  /// The name of the file: the latency, and other options that are not the defaults.
  let name: String
  let frames: [Frame]

  /// A list in the middle of its course.
  fileprivate struct State {
    var time = Duration.zero
    var events: [ListEvent<Int>] = []
    /// The row of each cell on screen.
    var displayed: [Int: Int] = [:]
    var isAtRest = true

    var frame: Frame {
      let rows = Set(displayed.values)
      guard let first = rows.min(), let last = rows.max(), last - first == rows.count - 1 else {
        fatalError("The rows on screen at \(time) are not one range.")
      }
      return Frame(
        time: Int64(time / .nanoseconds(1)), events: events, rows: first..<last + 1,
        isAtRest: isAtRest)
    }
  }

  /// - Parameter text: A recording, each turn of which is a frame.
  init(name: String, _ text: String) throws {
    var frames: [Frame] = []
    var state = State()
    let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
    for step in try EventScript(lines.joined(separator: " ")).steps {
      switch step {
      case .time(let time): state.time += time
      case .passEnd:
        frames.append(state.frame)
        state.events = []
      default: state.add(step)
      }
    }
    (self.name, self.frames) = (name, frames)
  }

  /// The times of the loads in the run.
  var loads: LoadModel {
    let ends = name.split(separator: "-").prefix(2).compactMap { Int($0) }
    return .spread(ends[0], to: ends[1])
  }

  static let all: [RecordedCourse] = {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Recordings")
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        .filter { $0.hasSuffix(".recording") }
        .map { name in
          let file = folder.appendingPathComponent(name)
          return try RecordedCourse(
            name: file.deletingPathExtension().lastPathComponent,
            String(decoding: Data(contentsOf: file), as: UTF8.self))
        }
    } catch {
      fatalError("The recordings in \(folder.path) cannot be read: \(error)")
    }
  }()
}

extension RecordedCourse.State {
  fileprivate mutating func add(_ step: EventScript.Step) {
    switch step {
    case .cellFor(let row, let cell):
      events.append(.cellFor(SimulatedCell(number: cell), row))
    case .willDisplay(let row, let cell):
      displayed[cell] = row
      events.append(.willDisplay(SimulatedCell(number: cell)))
    case .didEndDisplaying(let row, let cell):
      displayed[cell] = nil
      events.append(.didEndDisplaying(SimulatedCell(number: cell), index: row ?? -1))
    case .prefetch(let rows): events.append(.prefetch(rows))
    case .cancelPrefetch(let rows): events.append(.cancelPrefetch(rows))
    case .scrollWillBegin:
      isAtRest = false
      events.append(.scrollWillBegin)
    case .scrollDidMove: events.append(.scrollDidMove)
    case .scrollWillEnd(let rows): events.append(.scrollWillEnd(landingOn: rows))
    case .scrollDidSettle:
      isAtRest = true
      events.append(.scrollDidSettle)
    default: fatalError("'\(step)' is no event of a list.")
    }
  }
}
