import RowOperations

/// A folder's list: lines that show its rows, and a tracker that measures the rows of these lines.
@MainActor
final class Browser {
  /// A cell: a line on screen, which other rows use again.
  final class Line {
    fileprivate(set) var entry: Folder.Entry
    fileprivate(set) var phase = RowPhase<Tally>.idle

    fileprivate init(_ entry: Folder.Entry) { self.entry = entry }
  }

  private(set) var folder: Folder
  /// The rows, in the order in which they are shown.
  private(set) var rows: [Folder.Entry] = []
  private(set) var isBySize = true
  /// The sizes so far, by path.
  private(set) var sizes: [String: Tally] = [:]
  /// The paths whose sizes are whole.
  private(set) var measured: Set<String> = []
  /// The lines on screen, from top to bottom.
  private(set) var lines: [Line] = []
  /// The place of the first line, and the one that keys act on.
  private(set) var top = 0
  private(set) var cursor = 0
  /// Why the last key did nothing.
  private(set) var message: String?
  /// Called when a layout is due.
  var onChange: () -> Void = {}

  private let isLive: Bool
  private var height = 1
  /// Whether the cursor follows its row; until it moves, it stays on the first line.
  private var isCursorMoved = false
  private var prefetched: [String] = []
  /// The order that the tracker knows.
  private var order: [String] = []
  /// Rows that were measured since the last layout.
  private var ended: Set<String> = []

  private lazy var tracker: DisplayTracker<String, Tally> = {
    var configuration = TrackerConfiguration<String, Tally>()
    // More walks at once would only make the disk seek.
    configuration.slots = UpdateSlots(4)
    configuration.retention = .all
    configuration.onEvent = { [weak self] event in
      guard case .finished = event.kind else { return }
      self?.measured.insert(event.row)
      self?.ended.insert(event.row)
      self?.onChange()
    }
    guard isLive else {
      return DisplayTracker(configuration: configuration, update: Tally.measure)
    }
    return DisplayTracker(
      configuration: configuration, update: Tally.measure, updates: { Tally.changes(of: $0.row) })
  }()

  init(_ folder: Folder, isLive: Bool = false) {
    (self.folder, self.isLive) = (folder, isLive)
    rows = folder.entries
  }

  // MARK: Keys

  func press(_ key: Key) {
    message = nil
    switch key {
    case .up: moveCursor(by: -1)
    case .down: moveCursor(by: 1)
    case .pageUp: moveCursor(by: -height)
    case .pageDown: moveCursor(by: height)
    case .end: moveCursor(by: rows.count)
    case .home:
      moveCursor(by: -rows.count)
      isCursorMoved = false
    case .open:
      guard rows.indices.contains(cursor) else { break }
      let row = rows[cursor]
      if row.isFolder { open(row.path) } else { message = "\(row.name) is not a folder." }
    case .back:
      if let parent = folder.parent { open(parent, cursorAt: folder.path) }
    case .sort: isBySize.toggle()
    case .refresh:
      measured = []
      tracker.invalidateAll()
      open(folder.path, cursorAt: isCursorMoved && !rows.isEmpty ? rows[cursor].path : nil)
    case .quit: break
    }
    onChange()
  }

  private func moveCursor(by distance: Int) {
    let place = max(min(cursor + distance, rows.count - 1), 0)
    // A page moves the lines on screen, not just the cursor.
    if abs(distance) > 1 { top += place - cursor }
    (cursor, isCursorMoved) = (place, true)
  }

  private func open(_ path: String, cursorAt row: String? = nil) {
    do {
      folder = try Folder(path)
    } catch {
      message = "\(error)"
      return
    }
    rows = folder.entries
    let place = rows.firstIndex { $0.path == row }
    (cursor, isCursorMoved) = (place ?? 0, place != nil)
    top = cursor - height / 2
  }

  // MARK: Layout

  /// Moves rows to the places of their sizes, and binds the lines to the rows on screen.
  func layOut(lines count: Int) {
    height = count
    takeSizes()
    let row = isCursorMoved && rows.indices.contains(cursor) ? rows[cursor] : nil
    sort()
    // The row under the cursor keeps its line.
    if let place = row.flatMap(rows.firstIndex) {
      top += place - cursor
      cursor = place
    }
    top = max(cursor - height + 1, min(top, cursor, rows.count - height), 0)
    if order != rows.map(\.path) {
      order = rows.map(\.path)
      tracker.setOrder(order)
    }
    bindLines(to: rows[top..<min(top + height, rows.count)])
    prefetchOthers()
  }

  private func takeSizes() {
    for line in lines where line.phase.value != nil { sizes[line.entry.path] = line.phase.value }
    for path in ended { sizes[path] = tracker.phase(of: path).value }
    ended = []
  }

  private func sort() {
    guard isBySize else {
      rows = folder.entries
      return
    }
    let bytes = folder.entries.map { sizes[$0.path]?.bytes ?? -1 }
    rows = bytes.indices.sorted { (bytes[$1], $0) < (bytes[$0], $1) }.map { folder.entries[$0] }
  }

  private func bindLines(to rows: ArraySlice<Folder.Entry>) {
    let wanted = Set(rows)
    var free = lines.filter { !wanted.contains($0.entry) }
    let kept = lines.filter { wanted.contains($0.entry) }
    lines = rows.map { entry in
      if let line = kept.first(where: { $0.entry == entry }) { return line }
      let used = free.popLast()
      let line = used ?? Line(entry)
      line.entry = entry
      tracker.bind(line, to: entry.path) { [weak self] line, phase in
        line.phase = phase
        self?.onChange()
      }
      if used == nil { tracker.willDisplay(line) }
      return line
    }
    for line in free { tracker.didEndDisplaying(line) }
  }

  /// Claims rows off screen, as any of them may be the largest.
  private func prefetchOthers() {
    let onScreen = Set(lines.map(\.entry.path))
    let due = rows.lazy.map(\.path).filter { [measured] in
      !measured.contains($0) && !onScreen.contains($0)
    }
    let wanted = isBySize ? Array(due.prefix(24)) : []
    tracker.cancelPrefetch(prefetched.filter { !wanted.contains($0) })
    tracker.prefetch(wanted.filter { !prefetched.contains($0) })
    prefetched = wanted
  }

  /// Waits until all claimed rows are measured.
  func waitUntilIdle() async { await tracker.waitUntilIdle() }
}
