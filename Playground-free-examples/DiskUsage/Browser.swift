import Dispatch
import RowOperations

/// A folder's list without a screen.
///
/// Scrolling binds lines to rows, and a tracker measures the rows of these lines.
@MainActor
final class Browser {
  /// A line on screen, which other rows use again.
  final class Line {
    fileprivate(set) var path: Path
    fileprivate(set) var kind = Listing.Kind.other
    fileprivate(set) var phase = RowPhase<Tally>.idle

    fileprivate init(_ path: Path) { self.path = path }
  }

  private(set) var contents: Contents
  /// Whether the folder itself is not there any more, as far as its rows have shown it.
  private(set) var isFolderGone = false
  /// The lines on screen, from top to bottom.
  private(set) var lines: [Line] = []
  /// The place of the first line.
  private(set) var top = 0
  /// The place that keys act on.
  private(set) var cursor = 0
  /// Why the last key did nothing.
  private(set) var message: VisibleText?
  /// The task that reads a folder, until it is done.
  private(set) var opening: Task<Void, Never>?
  /// How many lines fit on the screen.
  var height = 0
  /// Called when the browser has changed and needs a layout.
  var onChange: () -> Void = {}
  private var isLayingOut = false
  /// Whether a row has changed during the layout, which may be too late for it.
  private var isOutdated = false

  private let tracker: DisplayTracker<Path, Tally>
  private let prefetchLimit: Int
  /// The place of the first line at the last layout.
  private var lastTop = 0
  private var isMovingDown = true
  private var prefetched: [Path] = []
  /// Whether a row on screen was not measured yet at the last layout.
  private var isBusy = false
  /// Rows whose measurement ended after the last layout, and whether with a value.
  private var ended: [Path: Bool] = [:]
  /// Rows that are being measured, and show running totals.
  private(set) var growing: Set<Path> = []
  /// Whether keys have moved the lines since the last layout.
  private var isScrolled = false
  /// Folders whose values the tracker may retain.
  private var visited: Set<Path> = []
  /// Whether the tracker has yet to end claims that the next layout makes anew.
  private var isClaimingAnew = false
  /// Whether the cursor follows its row; until it moves, it stays on the first line.
  private var isCursorMoved = false

  /// - Parameters:
  ///   - listing: The folder that it shows first.
  ///   - prefetchLimit: How many rows it claims besides those on screen.
  ///   - live: How rows on screen follow their changes; `nil` if they do not.
  ///   - measure: Measures a row.
  init(
    _ listing: Listing, prefetchLimit: Int = 256, live: RowChanges.Rules? = nil,
    measure: @escaping @Sendable (UpdateContext<Path, Tally>) async throws -> Tally = {
      try await Walk.measure($0)
    }
  ) {
    let news = News()
    var configuration = TrackerConfiguration<Path, Tally>()
    // More walks at once would only make the disk seek.
    configuration.slots = UpdateSlots(4)
    configuration.retention = .all
    configuration.prefetchLimit = prefetchLimit
    // The prefetch window already keeps rows that have just left the screen.
    configuration.grace = .zero
    configuration.onEvent = { event in
      switch event.kind {
      case .started: news.browser?.began(event.row)
      case .finished: news.browser?.ended(event.row, isMeasured: true)
      case .failed, .cancelled: news.browser?.ended(event.row, isMeasured: false)
      default: break
      }
    }
    if let live {
      configuration.onCommit = { news.browser?.updated($0) }
      tracker = DisplayTracker(
        configuration: configuration, update: measure,
        updates: { RowChanges(of: $0.row, live) })
    } else {
      tracker = DisplayTracker(configuration: configuration, update: measure)
    }
    self.prefetchLimit = prefetchLimit
    contents = Contents(listing, by: .size)
    visited = [listing.folder]
    news.browser = self
  }

  // MARK: Keys

  func press(_ key: Key) {
    message = nil
    switch key {
    case .up: moveCursor(by: -1)
    case .down: moveCursor(by: 1)
    case .pageUp: moveCursor(by: -max(height, 1))
    case .pageDown: moveCursor(by: max(height, 1))
    case .end: moveCursor(by: contents.order.count)
    case .home:
      moveCursor(by: -contents.order.count)
      isCursorMoved = false
    case .open: openCursor()
    case .back:
      let folder = contents.listing.folder
      if let parent = folder.parent {
        open(parent, cursorAt: folder, orAbove: true)
      } else {
        say("There is nothing above this folder.")
      }
    case .sort:
      keepingCursor { $0.order.key = $0.order.key == .size ? .name : .size }
    case .refresh:
      let path = contents.order.count > 0 && isCursorMoved ? contents.path(at: cursor) : nil
      open(contents.listing.folder, cursorAt: path, anew: true)
    case .quit: break
    }
    onChange()
  }

  private func moveCursor(by distance: Int) {
    let place = max(0, min(cursor + distance, contents.order.count - 1))
    // A page moves the lines on screen, not just the cursor.
    if abs(distance) > 1 { top += place - cursor }
    cursor = place
    isCursorMoved = true
    isScrolled = true
    tracker.scrollDidMove()
  }

  private func openCursor() {
    guard contents.order.count > 0 else { return }
    let entry = contents.listing.entries[contents.order[cursor]]
    switch entry.kind {
    case .folder: open(contents.path(at: cursor))
    case .link: say("is a symbolic link, which is not followed.", of: entry.name)
    case .other: say("is not a folder.", of: entry.name)
    }
  }

  private func say(_ text: String, of name: some Collection<UInt8> = []) {
    message = VisibleText(Array(name) + Array((name.isEmpty ? text : " " + text).utf8))
  }

  // MARK: Folders

  /// - Parameters:
  ///   - path: The row for the cursor.
  ///   - anew: Whether all rows are measured again.
  ///   - orAbove: Whether the nearest folder above takes the place of one that is gone.
  private func open(
    _ folder: Path, cursorAt path: Path? = nil, anew: Bool = false, orAbove: Bool = false
  ) {
    opening?.cancel()
    opening = Task {
      do {
        let listing = try await Listing.read(folder, orAbove: orAbove)
        guard !Task.isCancelled else { return }
        show(listing, cursorAt: path)
        if listing.folder != folder {
          say("is not there any more; this is the nearest folder above it.", of: folder.name)
        }
        if anew {
          tracker.invalidateAll()
          contents.measureAnew()
        }
      } catch {
        guard !Task.isCancelled else { return }
        say("cannot be opened: \(error).", of: folder.name)
      }
      opening = nil
      onChange()
    }
  }

  private func show(_ listing: Listing, cursorAt path: Path?) {
    contents = Contents(listing, by: contents.order.key)
    isFolderGone = false
    ended = [:]
    if !visited.insert(listing.folder).inserted {
      for row in listing.entries.indices {
        let phase = tracker.phase(of: listing.path(of: row))
        if let tally = phase.value { contents.shows(tally, in: row, isFinal: !phase.isPending) }
      }
    }
    let row = path.flatMap(listing.row)
    isCursorMoved = row != nil
    cursor = row.map(contents.order.place) ?? 0
    top = cursor - height / 2
    (lastTop, isMovingDown) = (0, true)
  }

  // MARK: Layout

  private func rowChanged() {
    if isLayingOut { isOutdated = true } else { onChange() }
  }

  fileprivate func began(_ path: Path) { growing.insert(path) }

  fileprivate func ended(_ path: Path, isMeasured: Bool) {
    growing.remove(path)
    ended[path] = isMeasured
    rowChanged()
  }

  /// Takes the values of live rows; those of rows that are being measured are running totals.
  fileprivate func updated(_ paths: [Path]) {
    for path in paths where !growing.contains(path) { ended[path] = true }
    rowChanged()
  }

  /// Moves rows to the places of their sizes or running totals, and binds lines to the rows on
  /// screen.
  func layOut() {
    (isLayingOut, isOutdated) = (true, false)
    var isAnyGone = isFolderGone
    keepingCursor { contents in
      for path in growing.union(ended.keys) {
        let phase = tracker.phase(of: path)
        guard let row = contents.listing.row(of: path) else { continue }
        let isMeasured = ended[path] ?? false
        contents.shows(phase.value, in: row, isFinal: isMeasured && !phase.isPending)
        isAnyGone = isAnyGone || phase.value?.trouble == .gone
      }
    }
    ended = [:]
    if isAnyGone { isFolderGone = contents.listing.folder.isGone }
    let count = contents.order.count
    top = max(cursor - max(height, 1) + 1, min(top, cursor, count - height), 0)
    let places = top..<max(top, min(top + height, count))
    let before = lines.map(\.path)
    bindLines(to: places.map { contents.order[$0] })
    // Rows on screen need the slots of rows that have just left it. A row that others have outgrown
    // goes on.
    let left = isScrolled ? before : before.filter { !growing.contains($0) }
    isScrolled = false
    let wasBusy = isBusy
    isBusy = lines.contains { $0.phase.isPending }
    prefetch(around: places, except: isBusy ? left : [])
    if wasBusy, !isBusy { prefetchAnew() }
    isLayingOut = false
    if isOutdated { Task { onChange() } }
  }

  /// Measures rows that gave their slots to rows on screen, now that the latter are measured.
  ///
  /// Claims without an operation end in the tracker's next turn, and the layout after it makes them
  /// anew. A claim that ends and begins in one turn would be the old one.
  private func prefetchAnew() {
    tracker.cancelPrefetch(
      prefetched.filter {
        guard case .waiting = tracker.phase(of: $0) else { return false }
        return true
      })
    prefetched = []
    isClaimingAnew = true
    // The tracker's turn is in the main queue already.
    DispatchQueue.main.async { [weak self] in
      self?.isClaimingAnew = false
      self?.onChange()
    }
  }

  private func keepingCursor(_ change: (inout Contents) -> Void) {
    let row = contents.order.count > 0 && isCursorMoved ? contents.order[cursor] : nil
    change(&contents)
    guard let row else { return }
    // The row keeps its line on screen.
    let place = contents.order.place(of: row)
    top += place - cursor
    cursor = place
  }

  private func bindLines(to rows: [Int]) {
    let paths = rows.map(contents.listing.path)
    let wanted = Set(paths)
    var free = lines.filter { !wanted.contains($0.path) }
    let kept = Dictionary(
      uniqueKeysWithValues: lines.filter { wanted.contains($0.path) }.map { ($0.path, $0) })
    lines = zip(rows, paths).map { row, path in
      if let line = kept[path] { return line }
      let used = free.popLast()
      let line = used ?? Line(path)
      bind(line, to: path, contents.listing.entries[row].kind)
      if used == nil { tracker.willDisplay(line) }
      return line
    }
    for line in free { tracker.didEndDisplaying(line) }
  }

  private func bind(_ line: Line, to path: Path, _ kind: Listing.Kind) {
    line.path = path
    line.kind = kind
    tracker.bind(line, to: path) { [weak self] line, phase in
      line.phase = phase
      self?.rowChanged()
    }
  }

  /// Claims the rows next to the lines and, for an order by size, all others after them.
  private func prefetch(around places: Range<Int>, except left: [Path]) {
    var wanted: [Path] = []
    if !places.isEmpty { wanted = neighbours(of: places).map(contents.path) }
    if contents.order.key == .size {
      let unwanted = Set(wanted + lines.map(\.path) + left)
      let others = contents.due.suffix(prefetchLimit).reversed().map(contents.listing.path)
      wanted += others.filter { !unwanted.contains($0) }
    }
    guard wanted != prefetched, !isClaimingAnew else { return }
    tracker.cancelPrefetch(prefetched)
    tracker.prefetch(wanted)
    prefetched = wanted
  }

  /// The ten places on each side of the lines, nearest first, those ahead before those behind.
  private func neighbours(of places: Range<Int>) -> [Int] {
    if places.lowerBound != lastTop { isMovingDown = places.lowerBound > lastTop }
    lastTop = places.lowerBound
    let below = Array((places.upperBound..<contents.order.count).prefix(10))
    let above = Array((0..<places.lowerBound).reversed().prefix(10))
    return isMovingDown ? below + above : above + below
  }

  /// How many rows are measured, also since the last layout.
  var measuredCount: Int { contents.order.count - contents.due.count + ended.count }

  /// Waits until all claimed rows are measured.
  func waitUntilIdle() async { await tracker.waitUntilIdle() }
}

/// Leads from the tracker to its browser.
@MainActor
private final class News {
  weak var browser: Browser?
}
