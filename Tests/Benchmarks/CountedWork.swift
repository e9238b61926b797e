import Foundation
import RowOperationsTesting

/// The work of one run of `.ci/instructions`, which counts instructions with valgrind's callgrind.
///
/// The work of rows runs in calls on the main thread: `endPass()` takes each turn, and the
/// tracker's blocks in the main queue never run. Two runs with different numbers of rows differ by
/// the work of these rows, so work that a run does once does not count.
enum CountedWork: String, CaseIterable {
  /// Frames of the fastest fling, whose events the app forwards.
  case forwardedFrames = "B11-forwarded"
  /// The same frames, watched by the logic of `ListTracking`, with the order of the list.
  ///
  /// More frames have a longer list, so its order counts too: 9,000 instructions a frame.
  case watchedFrames = "B11-watched"
  /// Rows that scroll past while endless loads take all slots.
  case passingRows = "B12"
  /// The same rows with the plain recipe.
  case recipe = "B12-recipe"
  /// Rows that load while they are on screen.
  case loads = "B13"
  /// The same frames with rows that do not load: the difference is the work of the loads.
  case framesOfLoads = "B13-unloaded"
  /// Operations, each exclusive in a category of its own.
  case exclusion = "B15"
  /// The same operations, not exclusive.
  case noExclusion = "B15-plain"

  /// Elements of live rows on screen.
  case elements = "B21"

  /// A group whose children wait for one of them, cancelled and ended.
  case cancelledWaiters = "B19"
  /// The same group when that one child runs, and not cancelled.
  case waiters = "B19-begun"
  /// A group whose children wait for nothing but a place, cancelled and ended.
  case cancelledChildren = "B19-free"
  /// The same group, not cancelled.
  case children = "B19-free-begun"

  /// How many names of rows and of categories there are.
  ///
  /// Further rows repeat the names, which the tracker has forgotten by then.
  static let names = 1000

  static var list: String { allCases.map(\.rawValue).joined(separator: ", ") }

  @MainActor
  func run(rows: Int) {
    switch self {
    case .forwardedFrames, .watchedFrames:
      FrameReplay(Fling(frames: rows), self == .forwardedFrames ? .forwarded : .watched)
        .runAtOnce()
    case .passingRows:
      Self.scrollPast(rows, perFrame: 8)
    case .recipe:
      let host = RecipeHost()
      host.close()
      Self.scroll(rows, perFrame: 8, through: host) {}
    case .loads:
      let host = LoadedHost()
      Self.scroll(rows, perFrame: LoadedHost.slots, through: host) { host.endFrame() }
    case .framesOfLoads:
      Self.scrollPast(rows, perFrame: LoadedHost.slots)
    case .elements:
      LiveHost().run(rows)
    case .exclusion, .noExclusion:
      CountedOperations.run(
        rows, names: (0..<Self.names).map { "category \($0)" }, isExclusive: self == .exclusion)
    case .cancelledWaiters, .cancelledChildren:
      CountedOperations.runGroup(rows, waits: self == .cancelledWaiters, cancels: true)
    case .waiters, .children:
      CountedOperations.runGroup(rows, waits: self == .waiters, cancels: false)
    }
  }

  @MainActor
  private static func scrollPast(_ rows: Int, perFrame: Int) -> Never {
    let host = TrackedHost()
    host.closeNow()
    scroll(rows, perFrame: perFrame, through: host) { host.tracker.endPass() }
  }

  @MainActor
  private static func scroll(
    _ rows: Int, perFrame: Int, through host: some RowHost, endFrame: @MainActor () -> Void
  ) -> Never {
    let rowNames = Family.rowNames(names)
    let screen = PassingRows(perFrame: perFrame, host: host)
    for _ in 0..<rows / names { screen.scroll(rowNames[...], endFrame: endFrame) }
    // Loads still run, and the end of the host is no work of a row.
    withExtendedLifetime(host) { exit(0) }
  }
}
