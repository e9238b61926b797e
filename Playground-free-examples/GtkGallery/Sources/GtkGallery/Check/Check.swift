import CGtk
import Foundation
import RowOperations

/// Does to the gallery what people do to lists, and looks at each frame.
@MainActor
final class Check {
  private let stage: Stage
  private let gallery: Gallery
  private let inspector: Inspector
  private let ledger = Ledger()
  private let watch: LoopWatch
  private let screenshots: URL?
  private var expectations: Expectations

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
    }
  }

  /// - Returns: Whether everything is as it should be.
  func run() async throws -> Bool {
    let entries = try stage.folder.entries()
    await expect(entries.map(\.name))
    let window = gallery.window.before + gallery.window.after

    try await step(Step("first show", allowance: gallery.window.after)) {
      gallery.show(entries)
      gtk_window_present(gallery.view.window.cast(to: GtkWindow.self))
    }
    try await step(Step("slow scroll", allowance: window)) {
      await scroll { start, seconds in seconds < 4 ? start + 240 * seconds : nil }
    }
    try await step(fling("fling", window)) { await fling(velocity: 6000) }
    try await step(Step("remove one", allowance: 1)) {
      try stage.remove(rowInSight())
      await gallery.reload()
    }
    try await step(Step("insert one", allowance: 1)) {
      await expect([try stage.insert(after: rowInSight())])
      await gallery.reload()
    }
    var replacing = Step("replace one", allowance: 0)
    replacing.reloads = 1
    try await step(replacing) {
      let row = try rowInSight()
      try stage.replace(row)
      await expect([row])
      await gallery.reload()
    }
    var large = Step("large pictures", allowance: Stage.largeCount)
    large.expectedPreviews = Stage.largeCount - 1
    try await step(large) {
      let names = try stage.insertLarge(after: rowInSight(7))
      await expect(names)
      expectations.addPreviews(of: names)
      await gallery.reload()
    }
    try await step(Step("larger window", allowance: window)) { await resize(1240, 980) }
    try await step(Step("smaller window", allowance: window)) { await resize(560, 500) }
    // Where lines begin at the very top, GTK counts the line above as in sight: three cells.
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

  /// Does something, waits until the list is at rest, and looks closely.
  private func step(_ step: Step, _ body: () async throws -> Void) async throws {
    ledger.begin(step)
    // Whatever came before was the work of the check.
    _ = watch.takeLongest()
    try await body()
    if await !comesToRest() { complain("it does not come to rest") }
    let turn = watch.takeLongest()
    ledger.step.longestTurn = turn.work
    if let blocked = watch.complaint(about: turn) { complain(blocked) }
    expectations.rested()
    ledger.step.blank = inspector.look(expectations).blank
    let painted = try gallery.view.snapshot()
    for row in inspector.unpainted(in: painted) { complain("\(row) is not painted") }
    if gallery.view.counts.text != Counts.text(gallery.tracker.metrics) {
      complain("the header bar says \(gallery.view.counts.text)")
    }
    guard let screenshots else { return }
    let title = step.title.replacingOccurrences(of: " ", with: "-")
    let name = String(format: "%02d-", ledger.steps.count) + title + ".png"
    try painted.write(to: screenshots.appendingPathComponent(name).path)
  }

  private func expect(_ names: [String]) async {
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
      // What the last values bring about takes a frame to be laid out, and one to be seen.
      for _ in 0..<3 { await nextFrame() }
      if gallery.isAtRest, gallery.tracker.metrics.started == started { return true }
    }
    return false
  }

  /// - Parameter place: Counted from the first one that is in sight.
  private func rowInSight(_ place: Int = 2) throws -> String {
    let rows = watch.leaveOut { inspector.look(expectations) }.rows.filter(expectations.isPicture)
    guard rows.count > place else { throw Complaint("Hardly a picture is in sight.") }
    return rows[place]
  }

  // MARK: What people do

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
  /// - Parameter offset: Where it is to be, given where it was at first, and how many seconds ago that
  ///   was; `nil` ends it.
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

  /// Lets the list go with a velocity, in points per second; it slows down as GTK's lists do.
  private func fling(velocity: Double) async {
    await scroll { start, seconds in
      abs(velocity) * exp(-4 * seconds) < 1 ? nil : start + velocity / 4 * (1 - exp(-4 * seconds))
    }
  }

  private func fling(_ title: String, _ allowance: Int) -> Step {
    var step = Step(title, allowance: allowance)
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
    if await !comesToRest() { complain("it does not come to rest at \(share)") }
  }

  private func resize(_ width: Int, _ height: Int) async {
    let (window, page) = (gallery.view.window.cast(to: GtkWindow.self), gallery.view.page)
    gtk_window_set_default_size(window, gint(width), gint(height))
    for _ in 0..<300 where gallery.view.page == page { await nextFrame() }
    if gallery.view.page == page { complain("the window keeps its size") }
  }
}
