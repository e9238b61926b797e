import CGtk
import Foundation
import RowOperations

/// Uses the gallery as people use lists, and compares the pixels of each frame with the files.
@MainActor
final class Check {
  private let pictures: TemporaryFolder
  private let spares: TemporaryFolder
  private let folder: Folder
  private let gallery: Gallery
  private let inspector: Inspector
  private let watch: LoopWatch
  private let ledger = Ledger()
  private var faults: Set<String> = []
  private var failures = 0
  /// Receives the painted window at the end of the next frame.
  private var painting: CheckedContinuation<Texture, any Error>?

  init(mistake: Mistake?) throws {
    (pictures, spares) = (try TemporaryFolder(), try TemporaryFolder())
    let hills = pictures.url.appendingPathComponent("Hills")
    try SamplePictures.write(1...400, to: hills)
    folder = Folder(FileName(hills.path))
    inspector = Inspector(side: Cell.side * GalleryView.scale)
    for entry in try folder.entries() {
      inspector.expect(entry.name, at: folder.path(of: entry.name))
    }
    // Decoding it takes so long that a main loop would stop for it.
    try SamplePictures.paint(1000, (7600, 5700), to: spares.path(of: "Large.png"))
    let start = LoopWatch.work
    inspector.expect(FileName("Large.png"), at: FileName(spares.path(of: "Large.png")))
    watch = LoopWatch(mostWork: (LoopWatch.work - start) / 2)
    gallery = Gallery(folder, mistake: mistake) { [ledger] in ledger.note($0) }
    gallery.view.afterEachFrame { [unowned self] in
      ledger.frames += 1
      watch.leaveOut { look(isAtRest: false) }
      painting?.resume(with: Result { try gallery.view.snapshot() })
      painting = nil
    }
  }

  /// - Parameter screenshot: Where to write the first screen.
  /// - Returns: Whether the check found no fault.
  func run(screenshot: String?) async throws -> Bool {
    let (window, view) = (Gallery.prefetchLimit, gallery.view)
    try await step("first show", window) {
      gallery.show(try folder.entries())
      gtk_window_present(view.window.cast(to: GtkWindow.self))
    }
    if let screenshot { try await painted().write(to: screenshot) }
    try await step("slow scroll", window) {
      await scroll { start, seconds in seconds < 3 ? start + 240 * seconds : nil }
    }
    try await step("fling", 2 * window) {
      await fling(velocity: 6000)
      // A busy machine makes too few frames to recognise a fling.
      if ledger.landings == 0, ledger.frames > 40 { faults.insert("no landing was predicted") }
    }
    try await step("remove one", 1) {
      unlink(folder.path(of: try visibleRow()).description)
      await gallery.reload()
    }
    try await step("insert one", 1) {
      try await paint(500, to: try visibleRow().stem + " b.jpg")
    }
    try await step("replace one", 1) { try await paint(501, to: try visibleRow()) }
    try await step("insert a large one", 1) {
      let name = try visibleRow().stem + " c.png"
      try FileManager.default.moveItem(
        atPath: spares.path(of: "Large.png"), toPath: folder.path(of: name).description)
      inspector.expect(name, as: FileName("Large.png"))
      await gallery.reload()
    }
    try await step("larger window", window) {
      gtk_window_set_default_size(view.window.cast(to: GtkWindow.self), 1240, 980)
      let page = view.page
      for _ in 0..<300 where view.page == page { await nextFrame() }
    }
    let places = [1, 0, 0.5, 0.52, 0.1]
    try await step("jumps", (window + 3) * places.count) {
      for place in places {
        gtk_adjustment_set_value(
          view.adjustment, gtk_adjustment_get_upper(view.adjustment) * place)
        for _ in 0..<8 { await nextFrame() }
      }
    }
    try await step("fling back", 2 * window) { await fling(velocity: -4000) }
    return failures == 0
  }

  // MARK: A step

  /// Does something, waits until the list is at rest, and inspects the window.
  private func step(
    _ title: String, _ allowance: Int, _ body: () async throws -> Void
  ) async throws {
    (faults, ledger.frames, ledger.landings) = ([], 0, 0)
    (ledger.started, ledger.shown, ledger.loadedBefore) = ([], [], ledger.loaded)
    _ = watch.takeLongest()
    try await body()
    if await !comesToRest() { faults.insert("the list does not stop") }
    let work = watch.takeLongest()
    if work > watch.mostWork {
      faults.insert(String(format: "the main loop was blocked for %.1f s", work))
    }
    inspector.forgetFormerLooks()
    look(isAtRest: true)
    for row in inspector.unpainted(in: try await painted(), gallery.view) {
      faults.insert("\(row) is not painted")
    }
    let needed = ledger.shown.subtracting(ledger.loadedBefore).count + allowance
    let count = ledger.started.count
    if count > needed {
      faults.insert("\(count) loads were started, but rows needed at most \(needed)")
    }
    print(
      "\(title): \(ledger.shown.count) shown, \(count) of at most \(needed) loaded, "
        + String(format: "main loop busy for %.0f of %.0f ms", work * 1000, watch.mostWork * 1000))
    for fault in faults.sorted().prefix(5) { print("  ! \(fault)") }
    failures += faults.count
  }

  private func look(isAtRest: Bool) {
    let sight = inspector.look(at: gallery, isAtRest: isAtRest)
    ledger.shown.formUnion(sight.rows)
    faults.formUnion(sight.faults)
  }

  private func comesToRest() async -> Bool {
    for _ in 0..<1000 {
      await nextFrame()
      guard gallery.isAtRest else { continue }
      let started = gallery.tracker.metrics.started
      await gallery.tracker.waitUntilIdle()
      // The last values need a frame for their layout and one for their painting.
      for _ in 0..<3 { await nextFrame() }
      if gallery.isAtRest, gallery.tracker.metrics.started == started { return true }
    }
    return false
  }

  /// The window as the next frame paints it.
  private func painted() async throws -> Texture {
    try await withCheckedThrowingContinuation { continuation in
      painting = continuation
      gallery.view.requestFrame()
    }
  }

  // MARK: Actions of people

  /// The third picture on screen.
  private func visibleRow() throws -> FileName {
    let rows = watch.leaveOut { inspector.look(at: gallery, isAtRest: false) }.rows
    guard rows.count > 2 else { throw Complaint("Too few pictures are on screen.") }
    return rows[rows.startIndex + 2]
  }

  private func paint(_ number: Int, to name: FileName) async throws {
    let path = folder.path(of: name)
    unlink(path.description)
    try SamplePictures.paint(number, (480, 360), to: path.description)
    inspector.expect(name, at: path)
    await gallery.reload()
  }

  private func nextFrame() async {
    await withCheckedContinuation { continuation in
      gallery.view.grid.onEachFrame { _ in
        continuation.resume()
        return false
      }
    }
  }

  /// Moves the list at each frame.
  ///
  /// - Parameter offset: Returns the offset for the first offset and the seconds since then; `nil`
  ///   ends the movement.
  private func scroll(_ offset: @escaping (Double, Double) -> Double?) async {
    let (view, start) = (gallery.view, gallery.view.offset)
    await withCheckedContinuation { continuation in
      var first: Int64?
      view.grid.onEachFrame { time in
        let begin = first ?? time
        first = begin
        guard let new = offset(start, Double(time - begin) / 1_000_000) else {
          continuation.resume()
          return false
        }
        gtk_adjustment_set_value(view.adjustment, new)
        return true
      }
    }
  }

  /// Flings the list with a velocity in points per second; it slows down as GTK's lists do.
  private func fling(velocity: Double) async {
    await scroll { start, seconds in
      abs(velocity) * exp(-4 * seconds) < 1 ? nil : start + velocity / 4 * (1 - exp(-4 * seconds))
    }
  }
}

/// What the tracker and the window have done since a step began.
@MainActor
private final class Ledger {
  var frames = 0
  var landings = 0
  var started: Set<FileName> = []
  var shown: Set<FileName> = []
  /// Rows that are loaded, and those that were when the step began.
  var loaded: Set<FileName> = []
  var loadedBefore: Set<FileName> = []

  func note(_ event: TrackerEvent<FileName>) {
    switch event.kind {
    case .started: started.insert(event.row)
    case .finished: loaded.insert(event.row)
    case .evicted: loaded.remove(event.row)
    case .landing: landings += 1
    default: break
    }
  }
}
