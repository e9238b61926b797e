import Foundation
import RowOperationsTesting

@testable import RowOperations

/// Plays the raw trace of a list on a device to a relay and a tracker, and checks after each layout
/// that the rows on screen are displayed, and no others.
@MainActor
final class TracePlayer {
  /// The kind of list and the version of the system.
  private(set) var label = ""
  private(set) var violations: [String] = []
  private(set) var looks = 0
  private let clock = ManualClock()
  private let tracker: DisplayTracker<Int, Int>
  private let watcher = TraceWatcher()
  private var relay: ListRelay<Int>?
  private var sections: [[Int]] = []
  private var views: [String: TraceView] = [:]
  private var time = 0
  private var isCovered = false

  init() {
    var configuration = TrackerConfiguration<Int, Int>()
    configuration.clock = clock
    configuration.cached = { $0 }
    tracker = DisplayTracker(configuration: configuration) { $0.row }
    relay = ListRelay(trackers: [tracker]) { [weak self] in self?.sections ?? [] }
    relay?.watched(by: watcher)
  }

  func play(_ text: String) {
    for line in text.split(separator: "\n") where violations.isEmpty {
      let words = line.split(separator: " ").map(String.init)
      guard words.count > 1, let now = Int(words[0]) else {
        violations.append("'\(line)' does not begin with a time and a report")
        return
      }
      clock.advance(by: .milliseconds(now - time))
      time = now
      perform(words[1], Array(words.dropFirst(2)), in: String(line))
    }
  }

  private func perform(_ report: String, _ words: [String], in line: String) {
    switch report {
    case "trace": label = words.dropFirst().joined(separator: " ")
    case "order": setOrder(words)
    case "bind": if let word = words.first { bind(word) }
    case "look": look(words, line)
    case "offset": offset(words)
    case "drag": relay?.dragBegan()
    case "lift": lift(words)
    case "cover":
      isCovered = true
      relay?.covered(.window)
    case "uncover":
      isCovered = false
      relay?.uncovered(.window)
    case "resume": relay?.resume()
    case "display": relay?.willDisplay(view(words[0]), isListed: true)
    case "end": relay?.didEndDisplaying(view(words[0]))
    case "prefetch": relay?.prefetch(at: paths(words.first), isDataConstrained: false)
    case "cancel": relay?.cancelPrefetch(at: paths(words.first))
    case "data": relay?.dataChanged()
    default: violations.append("'\(line)' has no known report")
    }
  }

  // MARK: Reports

  private func setOrder(_ words: [String]) {
    guard words.count > 1,
      case .setOrder(let rows)? = try? EventScript("O\(words[0])").steps.first
    else { return }
    var rest = rows[...]
    sections = words[1].split(separator: ",").compactMap { Int($0) }.map { count in
      defer { rest = rest.dropFirst(count) }
      return Array(rest.prefix(count))
    }
  }

  @discardableResult
  private func bind(_ word: String) -> TraceView {
    let parts = word.split(separator: "=").map(String.init)
    let (view, row) = (view(parts[0]), Int(parts.last ?? ""))
    if view.row != row || row == nil {
      view.row = row
      tracker.bind(view, to: row) { view, phase in
        if let value = phase.value, value != view.row { view.wrongRows += 1 }
      }
    }
    return view
  }

  private func look(_ words: [String], _ line: String) {
    var layout = words[1] == "-" ? ListLayout.uncounted() : ListLayout()
    let size = numbers(words[0], "x")
    layout.contentSize = ContentSize(width: size[0], height: size[1])
    if words[1] != "-" {
      let counts = words[1].split(separator: ",").compactMap { Int($0) }
      layout.sectionCount = counts.count
      layout.itemCount = { counts.indices.contains($0) ? counts[$0] : 0 }
    }
    var shown: Set<Int> = []
    for word in words.dropFirst(2) {
      switch word {
      case "unsettled": layout.isSettled = false
      case "constrained": layout.isDataConstrained = true
      default:
        let parts = word.split(separator: "@", omittingEmptySubsequences: false).map(String.init)
        let view = bind(parts[0])
        if let row = view.row { shown.insert(row) }
        if parts.count == 1 {
          layout.others.append(view)
        } else {
          let place = parts[1].split(separator: ".").compactMap { Int($0) }
          let position =
            place.count == 2
            ? PrefetchWindow.Position(section: place[0], row: place[1]) : nil
          layout.cells.append(.init(view, at: position))
        }
      }
    }
    relay?.laidOut(layout)
    tracker.endPass()
    check(isCovered ? [] : shown, line)
  }

  private func check(_ shown: Set<Int>, _ line: String) {
    looks += 1
    if tracker.displayedRows != shown {
      violations.append(
        "after '\(line)': on screen \(shown.sorted()), displayed \(tracker.displayedRows.sorted())")
    }
    violations += tracker.violations().map { "after '\(line)': \($0)" }
    if views.values.contains(where: { $0.wrongRows > 0 }) {
      violations.append("after '\(line)': a view shows another row")
    }
  }

  private func offset(_ words: [String]) {
    let point = numbers(words[0], ",")
    relay?.offsetChanged(
      .init(
        x: point[0], y: point[1], isDragging: words.last == "drag",
        isDecelerating: words.last == "slow", time: Int64(time) * 1_000_000))
  }

  private func lift(_ words: [String]) {
    let (from, to) = (numbers(words[0], ","), numbers(words[1], ","))
    let size = numbers(words[2], "x")
    let frame = RestingFrame(
      origin: .init(x: to[0], y: to[1]), width: size[0], height: size[1])
    relay?.fingerLifted(
      at: .init(x: from[0], y: from[1]), landingOn: frame, isExact: words[3] == "exact"
    ) { frame in
      self.paths(words.count > 4 ? words[4] : nil).map {
        RowFrame(path: $0, x: frame.origin.x, y: frame.origin.y, width: 1, height: 1)
      }
    }
  }

  // MARK: Words

  private func view(_ name: String) -> TraceView {
    if let known = views[name] { return known }
    let view = TraceView()
    views[name] = view
    return view
  }

  private func numbers(_ word: String, _ separator: Character) -> [Double] {
    let numbers = word.split(separator: separator).compactMap { Double($0) }
    return numbers.count == 2 ? numbers : [0, 0]
  }

  private func paths(_ word: String?) -> [IndexPath] {
    (word ?? "").split(separator: ",").map { path in
      IndexPath(indexes: path.split(separator: ".").compactMap { Int($0) })
    }
  }
}

@MainActor
private final class TraceView {
  var row: Int?
  var wrongRows = 0
}

@MainActor
private final class TraceWatcher: ListWatching {
  let listName = "trace"
  let now: Int64 = 0

  func lookSoon() {}
  func isListed(_ view: AnyObject) -> Bool { true }
  func isOnScreen(_ view: AnyObject) -> Bool { true }
  func stop() {}
}
