import Foundation
import RowOperationsTesting

/// Work whose instructions `.ci/instructions` counts, with valgrind's callgrind.
///
/// The work of rows runs in calls on the main thread: `endPass()` takes each turn, and the blocks that
/// the tracker puts into the main queue pile up there and never run. Two runs that differ in the
/// number of rows differ by what these rows take, so what a run takes once does not count.
enum CountedWork: String, CaseIterable {
  /// Rows that scroll past while loads that do not end take all slots.
  case passingRows = "B12"
  /// The same rows by the plain recipe.
  case recipe = "B12-recipe"
  /// Rows that are loaded while they are on screen.
  case loads = "B13"
  /// The same frames with rows that are not loaded: the difference is what the loads take.
  case framesOfLoads = "B13-unloaded"
  /// Operations, each exclusive in a category of its own.
  case exclusion = "B15"
  /// The same operations, not exclusive.
  case noExclusion = "B15-plain"

  /// How many names of rows there are, and of categories; further rows repeat them, and the tracker has
  /// forgotten them by then.
  static let names = 1000

  static var list: String { allCases.map(\.rawValue).joined(separator: ", ") }

  @MainActor
  func run(rows: Int) {
    switch self {
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
    case .exclusion, .noExclusion:
      CountedOperations.run(
        rows, names: (0..<Self.names).map { "category \($0)" }, isExclusive: self == .exclusion)
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
    // Loads still run, and the end of the host's life is no row's work.
    withExtendedLifetime(host) { exit(0) }
  }
}
