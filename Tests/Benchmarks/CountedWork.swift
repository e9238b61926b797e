import Foundation

/// The work of a run in callgrind, and the figures that follow from the counts.
///
/// The work of rows runs in calls on the main thread: `endPass()` takes each turn, and the
/// tracker's blocks in the main queue never run.
enum CountedWork: String {
  case operations
  case blockOperations
  case frames
  case passingRows
  case loads
  /// The same frames as those of `loads`, with rows that do not load.
  case framesWithoutLoads
  case elements
  /// A group whose children wait for one of them, cancelled and ended.
  case cancelledWaiters
  /// The same group when that one child runs, and not cancelled.
  case waiters
  /// A group whose children wait for nothing but a place, cancelled and ended.
  case cancelledChildren
  /// The same group, not cancelled.
  case children
  case dataChanges
  case laws

  /// How many names of rows there are.
  ///
  /// Further rows repeat the names, which the tracker has forgotten by then.
  private static let names = 1000

  /// Does a piece of work, and does not return, so that the end of its objects does not count.
  @MainActor
  static func run(_ arguments: [String]) -> Never {
    guard let work = arguments.first.flatMap(CountedWork.init) else {
      fatalError("There is no work '\(arguments)'.")
    }
    let rows = arguments.count > 1 ? Int(arguments[1]) ?? 0 : 0
    switch work {
    case .operations: OperationWork.run(rows) { QuickOperation() }
    case .blockOperations: OperationWork.run(rows) { BlockOperation {} }
    case .frames: WatchedFrames(rows).run()
    case .passingRows: scroll(rows, perFrame: 8, through: PassingHost())
    case .loads: scroll(rows, perFrame: LoadedHost.slots, through: LoadedHost())
    case .framesWithoutLoads: scroll(rows, perFrame: LoadedHost.slots, through: PassingHost())
    case .elements:
      let host = LiveHost()
      counted { host.run(rows) }
    case .cancelledWaiters, .cancelledChildren:
      OperationWork.runGroup(rows, waits: work == .cancelledWaiters, cancels: true)
    case .waiters, .children:
      OperationWork.runGroup(rows, waits: work == .waiters, cancels: false)
    case .dataChanges: DataChange<Int>.runAll()
    case .laws: CostLaw.runAll()
    }
    exit(0)
  }

  @MainActor
  private static func scroll(_ rows: Int, perFrame: Int, through host: some RowHost) {
    let list = PassingRows(host, perFrame: perFrame)
    let rowNames = rowNames(names)
    counted { for _ in 0..<rows / names { list.scroll(rowNames) } }
  }
}

/// The rows of a list, by name.
func rowNames(_ count: Int) -> [String] { (0..<count).map { "row \($0)" } }

extension Family {
  static let operations = Family("B2") {
    let ratio =
      try Callgrind.perRow(.operations, .allThreads)
      / Callgrind.perRow(.blockOperations, .allThreads)
    return [
      Figure(
        "B2", "instructions of an AsyncOperation in a queue / of a BlockOperation", ratio,
        limit: 1.5)
    ]
  }

  static let frames = Family("B11") {
    [
      Figure(
        "B11", "instructions of a frame at 40 points/ms, with ListTracking and an order",
        try Callgrind.perRow(.frames, .mainThread, few: 200, many: 1200), limit: 250_000)
    ]
  }

  static let passingRows = Family("B12") {
    [
      Figure(
        "B12", "instructions of a row that scrolls past; the recipe takes 11,000",
        try Callgrind.perRow(.passingRows, .mainThread), limit: 11_000)
    ]
  }

  static let loads = Family("B13") {
    func load(_ extent: Callgrind.Extent) throws -> Double {
      try Callgrind.perRow(.loads, extent) - Callgrind.perRow(.framesWithoutLoads, extent)
    }
    return [
      Figure("B13a", "instructions of a load, main thread", try load(.mainThread), limit: 26_000),
      Figure("B13b", "instructions of a load, all threads", try load(.allThreads), limit: 75_000),
    ]
  }

  static let groups = Family("B19") {
    func cancel(_ cancelled: CountedWork, _ begun: CountedWork) throws -> Double {
      let count = 10_000
      return try Callgrind.count(cancelled, count, .allThreads)
        - Callgrind.count(begun, count, .allThreads)
    }
    let ratio = try cancel(.cancelledWaiters, .waiters) / cancel(.cancelledChildren, .children)
    return [
      Figure(
        "B19", "cancelling a group of 10,000 children that wait for one / for none", ratio,
        limit: 6)
    ]
  }

  static let elements = Family("B21") {
    [
      Figure(
        "B21", "instructions of an element of a live row",
        try Callgrind.perRow(.elements, .mainThread), limit: 10_000)
    ]
  }
}
