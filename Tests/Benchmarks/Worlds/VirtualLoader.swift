import RowOperationsTesting

/// A list's loads in virtual time: nothing happens between the moments that the loader names.
@MainActor
protocol VirtualLoader: AnyObject {
  /// Takes an event of the list, at once.
  func handle(_ event: ListEvent<Int>)
  /// The use of the list begins.
  func begin(at time: Int64)
  /// Ends a frame, or a moment in which something happened.
  func endPass(_ view: ViewState)
  /// The next moment in which something is due, in nanoseconds.
  var nextMoment: Int64? { get }
  /// Moves the time on and does everything that is due.
  func advance(to time: Int64)
  func hasValue(_ row: Int) -> Bool
  /// The rows whose loads have started, in order.
  var starts: [Int] { get }
  /// The number of requests, each for one row or more.
  var requests: Int { get }
}

extension VirtualLoader {
  var requests: Int { starts.count }

  func begin(at time: Int64) {}
}

/// The rows of a list on screen at a moment.
struct ViewState: Sendable {
  /// The rows, by index.
  var rows: Range<Int> = 0..<0
  /// The speed in points per millisecond; positive towards the end of the list.
  var velocity = 0.0
  /// The direction of the last move: 1 or -1.
  var direction = 1
  var rowHeight = 44.0
  var viewport = 616.0
  var rowCount = 0

  /// The rows within some points beyond an edge of the screen, nearest first.
  func rows(within points: Double, ahead isAhead: Bool) -> [Int] {
    let count = Int((points / rowHeight).rounded(.up))
    return isAhead == (direction > 0)
      ? Array((rows.upperBound..<min(rows.upperBound + count, rowCount)))
      : (max(rows.lowerBound - count, 0)..<rows.lowerBound).reversed()
  }
}

/// Loads that run in virtual time, a few at once.
///
/// They are better than a real queue: a cancelled load ends at once without a trace, and every
/// value is kept.
struct VirtualQueue {
  private let slots: Int
  private let loads: LoadModel
  private(set) var now: Int64 = 0
  private(set) var values: Set<Int> = []
  private(set) var starts: [Int] = []
  private var ends: [Int: Int64] = [:]
  private var attempts: [Int: Int] = [:]

  init(_ world: World) {
    slots = world.slots
    loads = world.loads
  }

  var hasFreeSlot: Bool { ends.count < slots }
  var running: some Collection<Int> { ends.keys }
  var nextMoment: Int64? { ends.values.min() }

  func isRunning(_ row: Int) -> Bool { ends[row] != nil }

  func isWanted(_ row: Int) -> Bool { !values.contains(row) && ends[row] == nil }

  mutating func start(_ row: Int) {
    let attempt = attempts[row, default: 0]
    attempts[row] = attempt + 1
    ends[row] = now + loads.time(row: row, attempt: attempt)
    starts.append(row)
  }

  mutating func cancel(_ row: Int) { ends[row] = nil }

  mutating func advance(to time: Int64) {
    now = time
    for (row, end) in ends where end <= time {
      ends[row] = nil
      values.insert(row)
    }
  }
}
