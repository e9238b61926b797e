#if canImport(UIKit)
  import Foundation
  import RowOperationsTesting

  @testable import RowOperations
  @testable import UIKit

  /// Plays the raw trace of a list on a device to the package's own code for UIKit.
  ///
  /// A list of the stand-in shows what the trace says. After each layout the player checks that the
  /// rows on screen are displayed, and no others: on screen are the cells that the list named, and
  /// the other views whose frames are inside the bounds.
  @MainActor
  final class TracePlayer {
    /// The kind of list and the version of the system.
    private(set) var label = ""
    private(set) var violations: [String] = []
    private(set) var looks = 0
    private let phone = Phone()
    private let tracker: DisplayTracker<Int, Int>
    private var list: (any RecordedList)?
    private var tracking: ListTracking?
    private var sections: [[Int]] = []
    private var views: [String: TraceView] = [:]
    private var time = 0
    private var covers: Set<String> = []

    private struct TraceView {
      let view: UIView
      var row: Int?
      /// Whether only forwarded calls report it.
      var isForwarded = false
    }

    init() { tracker = phone.tracker { $0.cached = { $0 } } }

    func play(_ text: String) async {
      for line in text.split(separator: "\n") where violations.isEmpty {
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard words.count > 1, let now = Int(words[0]) else {
          violations.append("'\(line)' does not begin with a time and a report")
          return
        }
        if now > time {
          MainLoop.frame(milliseconds: now - time)
          await Phone.mainQueue()
        }
        time = now
        await perform(words[1], Array(words.dropFirst(2)), in: String(line))
      }
    }

    private func perform(_ report: String, _ words: [String], in line: String) async {
      switch report {
      case "trace": begin(words)
      case "counts": setCounts(words)
      case "rows", "item": setRows(words)
      case "bind": _ = bind(words[0], isCell: words.last == "cell")
      case "look": await look(words, line)
      case "offset": offset(words)
      case "drag": list?.panGestureRecognizer.change(to: .began)
      case "lift":
        list?.panGestureRecognizer.velocity = numbers(words[0]).point
        list?.panGestureRecognizer.change(to: .ended)
      case "target": tracking?.willEndDragging(to: numbers(words[0]).point)
      case "cover", "uncover": cover(words[0], report == "cover")
      case "resume":
        covers.remove("app")
        tracking?.resume()
      case "display", "end": forward(words[0], isOnScreen: report == "display")
      case "data": tracking?.dataChanged()
      default: violations.append("'\(line)' has no known report")
      }
    }

    // MARK: Reports

    private func begin(_ words: [String]) {
      label = words.dropFirst().joined(separator: " ")
      let frame = CGRect(x: 0, y: 0, width: 320, height: 600)
      switch words[1] {
      case "UITableView": list = RecordedTable(frame: frame)
      case "UICollectionView":
        list = RecordedCollection(
          frame: frame, collectionViewLayout: UICollectionViewFlowLayout())
      case "UIScrollView": list = RecordedScroll(frame: frame)
      default: violations.append("'\(words[1])' is no list of UIKit")
      }
      guard let list else { return }
      tracking = ListTracking(list, tracker, ids: { [weak self] in self?.sections ?? [] })
      phone.window.addSubview(list)
    }

    /// Makes the list's data: rows that the tracker has not read have numbers below zero.
    private func setCounts(_ words: [String]) {
      var position = 0
      sections = (words.first ?? "").split(separator: ",").compactMap { Int($0) }.map { count in
        defer { position += count }
        return (0..<count).map { -1 - position - $0 }
      }
    }

    private func setRows(_ words: [String]) {
      guard words.count > 1, let first = Int(words[0]),
        case .setOrder(let rows)? = try? EventScript("O\(words[1])").steps.first
      else { return }
      var start = 0
      for section in sections.indices {
        for (index, row) in rows.enumerated() {
          let item = first + index - start
          if sections[section].indices.contains(item) { sections[section][item] = row }
        }
        start += sections[section].count
      }
    }

    /// Binds the view of a word such as `a=5`.
    private func bind(_ word: String, isCell: Bool) -> UIView {
      let parts = word.split(separator: "=").map(String.init)
      let row = Int(parts.last ?? "")
      var known = views[parts[0]] ?? TraceView(view: newView(isCell: isCell))
      if views[parts[0]] == nil || known.row != row {
        known.row = row
        tracker.bind(known.view, to: row) { $0.tag = $1.value ?? -1 }
      }
      views[parts[0]] = known
      return known.view
    }

    private func newView(isCell: Bool) -> UIView {
      guard isCell else { return UIView() }
      switch list {
      case is UITableView: return UITableViewCell(style: .default, reuseIdentifier: nil)
      case is UICollectionView: return UICollectionViewCell(frame: .zero)
      default: return UIView()
      }
    }

    private func look(_ words: [String], _ line: String) async {
      guard let list, words.count > 3 else { return violations.append("'\(line)' is too short") }
      let (bounds, size) = (numbers(words[0]).rect, numbers(words[1], "x"))
      list.frame.size = bounds.size
      list.contentSize = CGSize(width: size[0], height: size[1])
      if list.contentOffset != bounds.origin { list.contentOffset = bounds.origin }
      var content = RecordedContent()
      content.counts = words[3].split(separator: ",").compactMap { Int($0) }
      (content.isDragging, content.isDecelerating) = (
        list.content.isDragging, list.content.isDecelerating
      )
      content.isUncommitted = words.contains("unsettled")
      var shown: [Int: UIView] = [:]
      var all: [UIView] = []
      for word in words.dropFirst(4) where word.contains("=") {
        let parts = word.split(separator: ":").map(String.init)
        guard parts.count == 2 else {
          return violations.append("'\(line)' has a view without frame")
        }
        let name = parts[0].split(separator: "@", omittingEmptySubsequences: false).map(String.init)
        let (view, frame) = (bind(name[0], isCell: name.count > 1), numbers(parts[1]).rect)
        all.append(view)
        view.frame = frame
        if view.superview !== list { list.addSubview(view) }
        if name.count > 1 {
          let path = paths([name[1]]).first ?? []
          if path.count == 2 { content.cells[path] = view } else { content.strayCells.append(view) }
          if !frame.overlaps(bounds) { violations.append("'\(line)' names a cell off screen") }
        }
        let known = views.first { $0.value.view === view }
        if let row = known?.value.row, name.count > 1 || frame.overlaps(bounds) {
          shown[row] = view
        }
      }
      for view in list.subviews where views.values.contains(where: { $0.view === view }) {
        if !all.contains(where: { $0 === view }) { view.removeFromSuperview() }
      }
      list.content = content
      // The list was laid out.
      list.setNeedsLayout()
      await phone.turns(2)
      check(shown, line)
    }

    private func check(_ onScreen: [Int: UIView], _ line: String) {
      looks += 1
      let forwarded = views.values.filter(\.isForwarded).compactMap(\.row)
      let expected = covers.isEmpty ? Set(onScreen.keys).union(forwarded) : []
      if tracker.displayedRows != expected {
        violations.append(
          "after '\(line)': on screen \(expected.sorted()), displayed \(tracker.displayedRows.sorted())"
        )
      }
      violations += tracker.violations().map { "after '\(line)': \($0)" }
      if covers.isEmpty, onScreen.contains(where: { $0.value.tag != $0.key }) {
        violations.append("after '\(line)': a view shows another row")
      }
      for (path, cell) in list?.content.cells ?? [:] {
        let row = views.values.first { $0.view === cell }?.row
        guard let row, sections.indices.contains(path[0]), path[1] < sections[path[0]].count,
          sections[path[0]][path[1]] != row
        else { continue }
        violations.append("after '\(line)': the cell at \(path) is bound to row \(row)")
      }
    }

    private func offset(_ words: [String]) {
      list?.content.isDragging = words.last == "drag"
      list?.content.isDecelerating = words.last == "slow"
      list?.contentOffset = numbers(words[0]).point
    }

    private func cover(_ reason: String, _ isCovered: Bool) {
      if isCovered { covers.insert(reason) } else { covers.remove(reason) }
      guard let list else { return }
      switch reason {
      case "window":
        if isCovered { list.removeFromSuperview() } else { phone.window.addSubview(list) }
      case "hidden": list.isHidden = isCovered
      case "background":
        guard let scene = phone.window.windowScene else { return }
        if isCovered {
          UIApplication.shared.enterBackground(scene)
        } else {
          UIApplication.shared.enterForeground(scene)
        }
      default: if isCovered { tracking?.suspend() } else { tracking?.resume() }
      }
    }

    private func forward(_ name: String, isOnScreen: Bool) {
      guard let view = views[name]?.view else { return }
      let isInList = list.map { view.isDescendant(of: $0) } ?? false
      views[name]?.isForwarded = isOnScreen && !isInList
      if isOnScreen { tracking?.willDisplay(view) } else { tracking?.didEndDisplaying(view) }
    }

    // MARK: Words

    private func numbers(_ word: String, _ separator: Character = ",") -> [Double] {
      let numbers = word.split(separator: separator).compactMap { Double($0) }
      return numbers + Array(repeating: 0, count: max(4 - numbers.count, 0))
    }

    private func paths(_ words: [String]) -> [IndexPath] {
      (words.first ?? "").split(separator: ",").map { path in
        IndexPath(indexes: path.split(separator: ".").compactMap { Int($0) })
      }
    }
  }

  extension [Double] {
    fileprivate var point: CGPoint { CGPoint(x: self[0], y: self[1]) }
    fileprivate var rect: CGRect {
      CGRect(x: self[0], y: self[1], width: self[2], height: self[3])
    }
  }
#endif
