import CGtk
import RowOperations

/// A window with the pictures of a folder.
///
/// `Gallery+Rows.swift` reports the grid's rows to the tracker, `Gallery+Scrolling.swift` its
/// scrolling.
@MainActor
final class Gallery {
  let folder: Folder
  /// The number of rows that load ahead of the grid.
  static let prefetchLimit = 18
  let tracker: DisplayTracker<FileName, Texture>
  let view = GalleryView()
  /// The rows: names of files, in the order of the grid.
  private(set) var names: [FileName] = []
  private var stamps: [FileName: Folder.Stamp] = [:]

  /// Cells that were mapped, or bound to another row, since the last frame.
  var arrivals: [ObjectIdentifier: Cell] = [:]
  /// Whether only the next frame shows which cells are on screen.
  var isLayoutDue = false
  var motion = ScrollMotion()

  /// A mistake to make on purpose, which the check must find.
  let mistake: Mistake?
  weak var lastBound: Cell?

  init(
    _ folder: Folder, mistake: Mistake? = nil,
    onEvent: @escaping @MainActor (TrackerEvent<FileName>) -> Void = { _ in }
  ) {
    self.folder = folder
    self.mistake = mistake
    let thumbnails = Thumbnails(folder: folder, side: Cell.side * GalleryView.scale)
    var configuration = TrackerConfiguration<FileName, Texture>()
    configuration.prefetchWindow.limit = Self.prefetchLimit
    configuration.retention = .cost(limit: 128 << 20) { $0.byteCount }
    // A second attempt finds as many pixels.
    configuration.shouldRetry = { !($0 is TooManyPixels) }
    configuration.onEvent = { [counts = view.counts] event in
      onEvent(event)
      counts.change()
    }
    tracker = DisplayTracker(configuration: configuration) { context in
      guard mistake != .loop else { return try await thumbnails.loadOnMainLoop(context.row) }
      return try await thumbnails.load(context)
    }
    view.counts.metrics = { [weak tracker] in tracker?.metrics }
    connectRows()
    connectScrolling()
    view.onReload { [weak self] in
      Task { await self?.reload() }
    }
  }

  /// Whether the list is laid out and does not move.
  var isAtRest: Bool { !motion.isMoving && !isLayoutDue }

  /// Reads the folder again and shows its changes.
  func reload() async {
    do {
      show(try await Task.detached { [folder] in try folder.entries() }.value)
    } catch {
      show([])
      view.say("\(error)")
    }
  }

  func show(_ entries: [Folder.Entry]) {
    let new = entries.map(\.name)
    let newStamps = Dictionary(uniqueKeysWithValues: entries.map { ($0.name, $0.stamp) })
    tracker.remove(names.filter { newStamps[$0] == nil })
    tracker.invalidate(new.filter { stamps[$0] != newStamps[$0] })
    let old = names
    (names, stamps) = (new, newStamps)
    tracker.setOrder(new)
    replace(old, by: new)
    view.show(folder, count: names.count)
    expectLayout()
  }

  /// Replaces the changed rows in the grid's model; equal rows at both ends stay.
  private func replace(_ old: [FileName], by new: [FileName]) {
    let head = zip(old, new).prefix { $0 == $1 }.count
    let tail = zip(old.dropFirst(head).reversed(), new.dropFirst(head).reversed())
      .prefix { $0 == $1 }.count
    var added =
      new[head..<(new.count - tail)].map { $0.withCString { UnsafePointer(g_strdup($0)) } } + [nil]
    gtk_string_list_splice(
      view.model, guint(head), guint(old.count - head - tail), &added)
    for name in added { g_free(UnsafeMutableRawPointer(mutating: name)) }
  }
}

/// A wrong way to bind cells.
enum Mistake: String, CaseIterable {
  /// A row's picture is shown in the cell that was bound before.
  case cell
  /// A row counts as displayed as soon as its cell is bound.
  case loads
  /// Pictures are decoded on the main loop.
  case loop
}
