import RowOperationsTesting

/// The rows that a loader of the trials may load: those within reach of the screen or of the
/// landing of a fling, and those between them.
struct LoadableRows: Sendable {
  /// How many rows on each side of the screen.
  private let reach: Int
  /// The same beyond a landing: a tracker loads up to 32 rows ahead.
  private let reachInFlight: Int
  private var landing: Range<Int>?

  init(_ world: World) {
    reach = max(Int((2.5 * ViewState().viewport / world.rowHeight).rounded(.up)), 12)
    reachInFlight = max(reach, 32)
  }

  mutating func handle(_ event: ListEvent<Int>) {
    switch event {
    case .scrollWillEnd(let rows):
      landing = rows.isEmpty ? nil : rows[0]..<rows[rows.count - 1] + 1
    case .scrollWillBegin, .scrollDidSettle: landing = nil
    default: break
    }
  }

  /// The rows around those on screen; some may be beyond the ends of the list.
  func rows(around rows: Range<Int>) -> Range<Int> {
    let low = min(rows.lowerBound - reach, (landing?.lowerBound ?? .max) - reachInFlight)
    return low..<max(rows.upperBound + reach, (landing?.upperBound ?? 0) + reachInFlight)
  }
}
