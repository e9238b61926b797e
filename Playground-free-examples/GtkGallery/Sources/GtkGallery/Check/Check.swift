import CGtk
import Foundation
import RowOperations

/// Uses the gallery as people use lists, and inspects each frame.
@MainActor
final class Check {
  private let stage: Stage
  private let gallery: Gallery
  private let inspector: Inspector
  private let ledger = Ledger()
  private let watch: LoopWatch
  private let screenshots: URL?
  private var expectations: Expectations
  /// Receives the painted window at the end of the next frame.
  private var painting: CheckedContinuation<Texture, any Error>?

  init(showing other: Folder?, mistake: Mistake?, screenshots: URL?) throws {
    self.screenshots = screenshots
    if let screenshots {
      try FileManager.default.createDirectory(at: screenshots, withIntermediateDirectories: true)
    }
    stage = try Stage(showing: other)
    let side = Cell.side * GalleryView.scale
    expectations = Expectations(stage.folder, previews: stage.previews, side: side)
    watch = LoopWatch(mostWork: try stage.decodingTime(side: side))
    gallery = Gallery(stage.folder, previews: stage.previews, mistake: mistake) { [ledger] in
      ledger.note($0)
    }
    inspector = Inspector(gallery: gallery)
    gallery.view.afterEachFrame { [unowned self] in
      ledger.frame(watch.leaveOut { inspector.look(expectations) })
      painting?.resume(with: Result { try gallery.view.snapshot() })
      painting = nil
    }
  }

  /// - Returns: Whether the check found no fault.
  func run() async throws -> Bool {
    let entries = try stage.folder.entries()
    await expect(entries.map(\.name))
    let window = Gallery.prefetchLimit

    try await step(Step("first show", allowance: window)) {
      gallery.show(entries)
      gtk_window_present(gallery.view.window.cast(to: GtkWindow.self))
    }
    try await step(Step("slow scroll", allowance: window)) {
      await scroll { start, seconds in seconds < 4 ? start + 240 * seconds : nil }
    }
    try await step(fling("fling", window)) { await fling(velocity: 6000) }
    try await step(Step("remove one", allowance: 1)) {
      try stage.remove(visibleRow())
      await gallery.reload()
    }
    try await step(Step("insert one", allowance: 1)) {
      await expect([try stage.insert(after: visibleRow())])
      await gallery.reload()
    }
    var replacing = Step("replace one", allowance: 0)
    replacing.reloads = 1
    try await step(replacing) {
      let row = try visibleRow()
      try stage.replace(row)
      await expect([row])
      await gallery.reload()
    }
    let oddCount = OddFile.whole.count + OddFile.cut.count
    try await step(Step("odd files", allowance: oddCount)) {
      let names = try stage.insertOdd(after: visibleRow(7))
      await expect(names.whole)
      expectations.add(cut: names.cut)
      ledger.step.wanted = names.whole + names.cut
      await gallery.reload()
    }
    var large = Step("large pictures", allowance: Stage.largeCount)
    large.expectedPreviews = Stage.largeCount - 1
    try await step(large) {
      let names = try stage.insertLarge(after: visibleRow(7))
      await expect(names)
      expectations.addPreviews(of: names)
      await gallery.reload()
    }
    try await step(Step("larger window", allowance: window)) { await resize(1240, 980) }
    try await step(Step("smaller window", allowance: window)) { await resize(560, 500) }
    // Where lines begin at the very top, GTK maps the three cells of the line above too.
    let stop = window + 3
    let places = [1, 0, 0.5, 0.52, 0.1]
    try await step(Step("jumps", allowance: stop * places.count)) {
      for place in places { await jump(to: place) }
    }
    let hasty = [0.9, 0.2, 0.6, 0.3, 0.8, 0.4, 0.7]
    try await step(Step("hasty jumps", allowance: stop * hasty.count)) {
      for place in hasty {
        move(to: place)
        for _ in 0..<2 { await nextFrame() }
      }
    }
    try await step(fling("fling back", window)) { await fling(velocity: -4000) }
    try await step(Step("back to the top", allowance: window)) { await jump(to: 0) }
    print(ledger.steps.report)
    return ledger.steps.allSatisfy(\.violations.isEmpty)
  }

  // MARK: A step

  /// Does something, waits until the list is at rest, and inspects the window.
  private func step(_ step: Step, _ body: () async throws -> Void) async throws {
    ledger.begin(step)
    // The turns so far contain the work of the check.
    _ = watch.takeLongest()
    try await body()
    if await !comesToRest() { complain("the list does not stop") }
    let turn = watch.takeLongest()
    ledger.step.longestTurn = turn.work
    if let blocked = watch.complaint(about: turn) { complain(blocked) }
    expectations.rested()
    ledger.step.blank = inspector.look(expectations).blank
    let painted = try await painted()
    for row in inspector.unpainted(in: painted) { complain("\(row) is not painted") }
    if gallery.view.counts.text != Counts.text(gallery.tracker.metrics) {
      complain("the header bar says \(gallery.view.counts.text)")
    }
    guard let screenshots else { return }
    let title = step.title.replacingOccurrences(of: " ", with: "-")
    let name = String(format: "%02d-", ledger.steps.count) + title + ".png"
    try painted.write(to: screenshots.appendingPathComponent(name).path)
  }

  /// The window as the next frame paints it.
  ///
  /// A widget that changes between two frames is not painted until the next one.
  private func painted() async throws -> Texture {
    try await withCheckedThrowingContinuation { continuation in
      painting = continuation
      gallery.view.requestFrame()
    }
  }

  private func expect(_ names: [FileName]) async {
    let looks = await expectations.looks(of: names)
    expectations.add(looks)
  }

  private func complain(_ text: String) { ledger.step.complaints.append(text) }

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

  /// - Parameter place: The number of the picture, counted from the first one on screen.
  private func visibleRow(_ place: Int = 2) throws -> FileName {
    let rows = watch.leaveOut { inspector.look(expectations) }.rows.filter(expectations.isPicture)
    guard rows.count > place else { throw Complaint("Too few pictures are on screen.") }
    return rows[place]
  }

  // MARK: Actions of people

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

  /// A fling prefetches all rows of the window ahead; at rest, half of them lie on each side.
  private func fling(_ title: String, _ window: Int) -> Step {
    var step = Step(title, allowance: window + window / 2)
    step.expectsLanding = true
    return step
  }

  /// - Parameter share: 0 is the beginning of the list and 1 its end.
  private func move(to share: Double) {
    let adjustment = gallery.view.adjustment
    gtk_adjustment_set_value(adjustment, gtk_adjustment_get_upper(adjustment) * share)
  }

  private func jump(to share: Double) async {
    move(to: share)
    if await !comesToRest() { complain("the list does not stop at \(share)") }
  }

  private func resize(_ width: Int, _ height: Int) async {
    let (window, page) = (gallery.view.window.cast(to: GtkWindow.self), gallery.view.page)
    gtk_window_set_default_size(window, gint(width), gint(height))
    for _ in 0..<300 where gallery.view.page == page { await nextFrame() }
    if gallery.view.page == page { complain("the window keeps its size") }
  }
}
