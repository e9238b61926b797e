import Foundation
import RowOperations
import RowOperationsTesting

/// The public calls of a tracker, each with the growth of its work that its documentation promises.
///
/// The calls that wait, such as `refresh`, are those of others and a wait.
///
/// callgrind counts the instructions of each call, for some rows, cells and trackers, and for twice
/// as many.
@MainActor
struct CostLaw {
  /// How often the work may be done when the scene doubles; tables grow in steps, which takes a
  /// fifth.
  enum Growth: Double {
    /// The work stays the same.
    case constant = 1.2
    /// The work doubles at most.
    case linear = 2.4
    /// Each load that starts looks at all waiting rows.
    case quadratic = 4.2
  }

  /// The state of the rows before the call.
  enum Rows {
    case loaded
    case withoutValue
    /// Their loads have failed for lack of a network.
    case failed
    /// Loaded, and each has been seen for long enough.
    case seen
  }

  /// A tracker with a row in each of some cells on screen.
  @MainActor
  final class Scene {
    let size: Int
    let tracker: DisplayTracker<Int, Int>
    let cells: [SimulatedCell]
    let clock = ManualClock()
    var others: [DisplayTracker<Int, Int>] = []

    var rows: Range<Int> { 0..<size }
    var configuration: TrackerConfiguration<Int, Int>

    init(_ size: Int, _ state: Rows = .loaded) {
      self.size = size
      configuration = TrackerConfiguration<Int, Int>()
      configuration.clock = clock
      configuration.slots = UpdateSlots(4)
      configuration.prefetchWindow.limit = .max
      configuration.retention = .all
      if state == .seen {
        configuration.impressionTime = .zero
        configuration.onImpression = { _ in }
      }
      let fails = state == .failed
      tracker = DisplayTracker(configuration: configuration) { token in
        guard fails else { return nil }
        return UpdateOperation(token: token) { _ in throw URLError(.notConnectedToInternet) }
      }
      cells = (0..<size).map { SimulatedCell(number: $0) }
      for cell in cells {
        tracker.bind(cell, to: cell.number) { _, _ in }
        tracker.willDisplay(cell)
      }
      switch state {
      case .loaded, .seen: for row in rows { tracker.setValue(row, for: row) }
      case .failed: while tracker.metrics.failed < size { tracker.endPass() }
      case .withoutValue: break
      }
      tracker.endPass()
    }

    func addLists() { for _ in rows { _ = tracker.addList(onBind: nil) } }

    /// Lets prefetched rows take all slots, and as many as there are cells wait.
    func fillSlots() {
      tracker.holdOperations()
      tracker.prefetch(-size..<0)
      tracker.endPass()
    }
  }

  let name: String
  let growth: Growth
  var rows = Rows.loaded
  var prepare: @MainActor (Scene) -> Void = { _ in }
  let call: @MainActor (Scene) -> Void

  /// A call for one row or cell, which must not look at the others.
  private static func constant(
    _ name: String, prepare: @escaping @MainActor (Scene) -> Void = { _ in },
    _ call: @escaping @MainActor (Scene) -> Void
  ) -> CostLaw {
    CostLaw(name: name, growth: .constant, prepare: prepare, call: call)
  }

  private static func linear(
    _ name: String, prepare: @escaping @MainActor (Scene) -> Void = { _ in },
    _ call: @escaping @MainActor (Scene) -> Void
  ) -> CostLaw {
    CostLaw(name: name, growth: .linear, prepare: prepare, call: call)
  }

  static let all: [CostLaw] = ofOneRow + ofWaitingRows + ofAllRows + ofLists + ofTrackers

  private static let ofOneRow = [
    constant("bind") { $0.tracker.bind($0.cells[5], to: 7) { _, _ in } },
    constant("bind, to a new row") { $0.tracker.bind($0.cells[5], to: -1) { _, _ in } },
    constant("bind, in a host") {
      $0.tracker.bind($0.cells[5], to: 7, in: $0.cells[6]) { _, _ in }
    },
    constant("bind, with the moment") {
      $0.tracker.bind($0.cells[5], to: 7, rendering: { _, _, _ in })
    },
    constant("unbind") { $0.tracker.unbind($0.cells[5]) },
    constant("willDisplay") { $0.tracker.willDisplay($0.cells[5]) },
    constant("didEndDisplaying") { $0.tracker.didEndDisplaying($0.cells[5]) },
    constant("turn, after a cell left") {
      $0.tracker.didEndDisplaying($0.cells[5])
    } _: {
      $0.tracker.endPass()
    },
    constant("setValue") { $0.tracker.setValue(1, for: 5) },
    constant("phase") { _ = $0.tracker.phase(of: 5) },
    constant("invalidate, one row") { $0.tracker.invalidate([5]) },
    constant("retry") { $0.tracker.retry(5) },
    constant("rename") { $0.tracker.rename(5, to: -5) },
    constant("rename, to a known row") { $0.tracker.rename(5, to: 6) },
    constant("remove, one row") { $0.tracker.remove([5]) },
    constant("remove, one row before a turn") {
      for cell in $0.cells { $0.tracker.didEndDisplaying(cell) }
      $0.tracker.endPass()
      for cell in $0.cells { $0.tracker.willDisplay(cell) }
    } _: {
      $0.tracker.remove([5])
    },
    // The first prefetch of a tracker makes a table of all rows.
    constant("prefetch, one row") {
      $0.tracker.prefetch([-1])
    } _: {
      $0.tracker.prefetch([-2])
    },
    constant("cancelPrefetch, one row") {
      $0.tracker.prefetch(-$0.size..<0)
    } _: {
      $0.tracker.cancelPrefetch([-5])
    },
    constant("setOrder") { $0.tracker.setOrder($0.rows) },
    constant("showsPositions") { $0.tracker.showsPositions(10..<20, of: $0.rows) },
    constant("recordEvents") { $0.tracker.recordEvents { _ in } },
    constant("metrics") { _ = $0.tracker.metrics },
    constant("scrollWillBegin") { $0.tracker.scrollWillBegin() },
    constant("scrollDidMove") { $0.tracker.scrollDidMove() },
    constant("scrollDidSettle") { $0.tracker.scrollDidSettle() },
    constant("turn, while the list moves") {
      $0.tracker.scrollDidMove()
    } _: {
      $0.tracker.endPass()
    },
  ]

  /// Beside many rows that wait for a slot.
  private static let ofWaitingRows = [
    // The first value that no row needs makes a table of all rows.
    constant("turn at rest, while prefetched rows wait") {
      $0.fillSlots()
      $0.tracker.didEndDisplaying($0.cells[4])
      $0.tracker.endPass()
    } _: {
      $0.tracker.didEndDisplaying($0.cells[5])
      $0.tracker.endPass()
    }
  ]

  private static let ofAllRows = [
    linear("remove, all rows") { $0.tracker.remove($0.rows) },
    linear("remove, all rows before a turn") {
      for cell in $0.cells { $0.tracker.didEndDisplaying(cell) }
      $0.tracker.endPass()
      for cell in $0.cells { $0.tracker.willDisplay(cell) }
    } _: {
      $0.tracker.remove($0.rows)
    },
    linear("remove, each row by a call of its own") { scene in
      for row in scene.rows { scene.tracker.remove([row]) }
    },
    linear("removeAll") { $0.tracker.removeAll() },
    linear("invalidate") { $0.tracker.invalidate($0.rows) },
    linear("invalidateAll") { $0.tracker.invalidateAll() },
    linear("removeCachedValues") {
      for cell in $0.cells { $0.tracker.didEndDisplaying(cell) }
      $0.tracker.endPass()
    } _: {
      $0.tracker.removeCachedValues()
      $0.tracker.endPass()
    },
    linear("prefetch") { $0.tracker.prefetch(-$0.size..<0) },
    linear("cancelPrefetch") {
      $0.tracker.prefetch(-$0.size..<0)
    } _: {
      $0.tracker.cancelPrefetch(-$0.size..<0)
    },
    linear("a turn in which all rows of a batch have left") { scene in
      let tracker = DisplayTracker<Int, Int>(
        configuration: scene.configuration, batchesOf: scene.size
      ) { _ in [:] }
      tracker.holdOperations()
      tracker.prefetch(scene.rows)
      tracker.endPass()
      tracker.cancelPrefetch(scene.rows)
      scene.others = [tracker]
    } _: {
      $0.others[0].endPass()
    },
    linear("scrollWillEnd") {
      $0.tracker.scrollWillBegin()
    } _: {
      $0.tracker.scrollWillEnd(landingOn: -$0.size..<0)
    },
    CostLaw(
      name: "a turn in which landing rows have nothing to load", growth: .quadratic,
      prepare: {
        $0.tracker.scrollWillBegin()
        $0.tracker.scrollWillEnd(landingOn: -$0.size..<0)
      },
      call: { $0.tracker.endPass() }),
    linear("reconcile, with all cells") { $0.tracker.reconcile(displayedCells: $0.cells) },
    linear("reconcile, with half of the cells") {
      $0.tracker.reconcile(displayedCells: $0.cells.prefix($0.size / 2))
      $0.tracker.endPass()
    },
    linear("setOrder, of a sequence") { $0.tracker.setOrder(AnySequence($0.rows)) },
    linear("displayedRows") { _ = $0.tracker.displayedRows },
    linear("explain") { _ = $0.tracker.explain(5) },
    CostLaw(name: "retryFailed", growth: .linear, rows: .failed) {
      $0.tracker.retryFailed()
      $0.tracker.endPass()
    },
    CostLaw(name: "networkDidReturn", growth: .linear, rows: .failed) {
      $0.tracker.networkDidReturn()
      $0.tracker.endPass()
    },
    CostLaw(name: "forgetImpressions", growth: .linear, rows: .seen) {
      $0.tracker.forgetImpressions()
      $0.tracker.endPass()
    },
    CostLaw(name: "forgetImpressions, one row", growth: .constant, rows: .seen) {
      $0.tracker.forgetImpressions(of: [5])
    },
    linear("suspend and resume") {
      $0.tracker.suspend()
      $0.tracker.endPass()
      $0.tracker.resume()
      $0.tracker.endPass()
    },
    linear("a turn in which all rows come on screen") {
      for cell in $0.cells { $0.tracker.didEndDisplaying(cell) }
      $0.tracker.endPass()
    } _: {
      for cell in $0.cells { $0.tracker.willDisplay(cell) }
      $0.tracker.endPass()
    },
    CostLaw(name: "rows with nothing to load", growth: .quadratic, rows: .withoutValue) {
      $0.tracker.invalidateAll()
      $0.tracker.endPass()
    },
  ]

  /// Beside as many lists as there are rows.
  private static let ofLists = [
    linear("as many lists") { $0.addLists() },
    constant("a list that moves, settles and is covered, beside as many") {
      $0.addLists()
      $0.tracker.endPass()
    } _: {
      $0.tracker.scrollWillBegin(inList: 3)
      $0.tracker.scrollDidMove(inList: 3)
      $0.tracker.scrollDidSettle(inList: 3)
      $0.tracker.coverList(3, isCovered: true)
    },
  ]

  private static let ofTrackers = [
    linear("as many trackers with slots of their own") { scene in
      scene.configuration.slots = UpdateSlots(4)
      for _ in scene.rows {
        scene.configuration.slots = UpdateSlots(4)
        scene.others.append(DisplayTracker(configuration: scene.configuration) { _ in nil })
      }
    },
    linear("as many trackers that share slots") { scene in
      for _ in scene.rows {
        scene.others.append(DisplayTracker(configuration: scene.configuration) { _ in nil })
      }
    },
    linear("a turn beside as many trackers that share slots") { scene in
      for _ in scene.rows {
        scene.others.append(DisplayTracker(configuration: scene.configuration) { _ in nil })
      }
    } _: { scene in
      scene.others[0].bind(scene.cells[0], to: 1) { _, _ in }
      scene.others[0].willDisplay(scene.cells[0])
      scene.others[0].endPass()
    },
  ]

  /// Performs all calls, each in a scene of its own, and prints their names in that order.
  static func runAll() {
    for law in all {
      // The first call of all finds its functions and types.
      for size in [50, 500, 1_000] {
        let scene = Scene(size, law.rows)
        law.prepare(scene)
        counted { law.call(scene) }
        print(law.name)
      }
    }
  }

  /// Prints the growth of each call, and returns whether none grows faster than it may.
  static func check() throws -> Bool {
    let counts = try Callgrind.run([CountedWork.laws.rawValue], .eachCall)
    precondition(counts.count == 3 * all.count, "Each call is counted in three scenes.")
    var isMet = true
    for (index, law) in all.enumerated() {
      let (few, many) = (counts[3 * index + 1], counts[3 * index + 2])
      let isOutgrown = many > law.growth.rawValue * few
      if isOutgrown { isMet = false }
      let name = law.name.padding(toLength: 56, withPad: " ", startingAt: 0)
      print(
        name, String(format: "%9.0f %9.0f  %.2f times", few, many, many / few),
        isOutgrown ? "OUTGROWN" : "")
    }
    return isMet
  }
}
