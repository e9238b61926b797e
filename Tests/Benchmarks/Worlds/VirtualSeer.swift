import RowOperationsTesting

/// A loader that sees a part of the future, in virtual time.
///
/// It loads the row that loses most by waiting, as the tracker does. But it knows how long each
/// load takes, and within its sight also when each row comes on screen and leaves. In free slots it
/// prefetches one screen on each side, the nearest row first. Rows that it sees come take the slots
/// of these.
@MainActor
final class VirtualSeer: VirtualLoader {
  private var queue: VirtualQueue
  private let world: World
  private let course: SeenCourse
  /// How far ahead it sees, in nanoseconds.
  private let sight: Int64
  private var loadable: LoadableRows
  private var view = ViewState()
  /// When the use of the list began; `nil` before.
  private var start: Int64?
  private var running: Set<Int> = []

  init(_ world: World, _ course: SeenCourse, sight: Int64) {
    (self.world, self.course, self.sight) = (world, course, sight)
    queue = VirtualQueue(world)
    loadable = LoadableRows(world)
  }

  func handle(_ event: ListEvent<Int>) { loadable.handle(event) }

  func begin(at time: Int64) { start = time }

  func endPass(_ view: ViewState) {
    self.view = view
    fill()
  }

  var nextMoment: Int64? { queue.nextMoment }

  func advance(to time: Int64) {
    queue.advance(to: time)
    fill()
  }

  func hasValue(_ row: Int) -> Bool { queue.values.contains(row) }

  var starts: [Int] { queue.starts }

  // MARK: The choice

  private func fill() {
    running = running.filter(queue.isRunning)
    let wanted = loadable.rows(around: view.rows).clamped(to: 0..<view.rowCount)
      .filter(queue.isWanted)
    guard !wanted.isEmpty else { return }
    let due = wanted.count { timeOnScreen(of: $0, within: 2 * load(of: $0)) > 0 }
    let waves = Int64(max((due + world.slots - 1) / world.slots, 1))
    var rated = wanted.map { (row: $0, loss: loss(of: $0, waves), distance: distance(to: $0)) }
    rated.sort { ($0.loss, $1.distance) > ($1.loss, $0.distance) }
    for next in rated where next.loss > 0 || next.distance <= view.rows.count {
      if !queue.hasFreeSlot {
        guard next.loss > 0, let idle = running.first(where: { loss(of: $0, waves) <= 0 }) else {
          return
        }
        queue.cancel(idle)
        running.remove(idle)
      }
      queue.start(next.row)
      running.insert(next.row)
    }
  }

  private func distance(to row: Int) -> Int {
    max(view.rows.lowerBound - row, row - view.rows.upperBound + 1, 0)
  }

  private func load(of row: Int) -> Int64 { world.loads.time(row: row, attempt: 0) }

  /// The share of the next wait for which a row would be blank.
  private func loss(of row: Int, _ waves: Int64) -> Double {
    let load = load(of: row)
    let blankIfLater = timeOnScreen(of: row, within: (waves + 1) * load)
    return Double(blankIfLater - timeOnScreen(of: row, within: load)) / Double(waves * load)
  }

  /// How long a row is on screen from now on, as far as it is known.
  private func timeOnScreen(of row: Int, within time: Int64) -> Int64 {
    guard let start else { return view.rows.contains(row) ? time : 0 }
    let now = queue.now - start
    let (end, _) = now.addingReportingOverflow(sight)
    return course.timeOnScreen(
      of: row, from: now, to: now + time, sight: end < now ? .max : end)
  }
}
