import Dispatch

/// Runs work that belongs to the app, away from the caller, one piece after the other.
///
/// Work that blocks keeps its thread. What is behind it goes on, on another one, when the work has
/// run for as long as the patience.
///
/// - Thread A adds work while the lane runs its last piece. Either the lane finds the new one, or
///   it has ended under the lock and A starts a new lane.
final class Lanes: Sendable {
  typealias Work = @Sendable () -> Void

  private struct Piece: Sendable {
    let operation: AsyncOperation?
    let work: Work
  }

  private struct Guarded {
    /// The pieces that wait, the first ones last, and those that came after them.
    private var first: [Piece] = []
    private var later: [Piece] = []
    /// The number of the lane that takes them.
    var lane = 0
    /// Whether that lane runs, its piece, and the beginning of it.
    var isRunning = false
    var current: (piece: Piece, since: Timekeeper.Instant)?
    var isLooking = false

    mutating func add(_ piece: Piece) { later.append(piece) }

    mutating func popFirst() -> Piece? {
      if first.isEmpty {
        first = later.reversed()
        later = []
      }
      return first.popLast()
    }

    /// - Returns: The number of a lane to run; `nil` if one runs, or nothing waits.
    mutating func startLane() -> Int? {
      guard !isRunning, !(first.isEmpty && later.isEmpty) else { return nil }
      isRunning = true
      lane += 1
      return lane
    }
  }

  private let patience: Duration
  private let timekeeper: Timekeeper
  private let blocked: (@Sendable (AsyncOperation?) -> Void)?
  private let guarded = Lock(Guarded())

  /// - Parameter blocked: Called on a thread of its own, once for each piece that blocks, with its
  ///   operation.
  init(
    patience: Duration, _ timekeeper: Timekeeper = .shared,
    blocked: (@Sendable (AsyncOperation?) -> Void)? = nil
  ) {
    self.patience = patience
    self.timekeeper = timekeeper
    self.blocked = blocked
  }

  /// Runs work soon, and returns at once.
  func run(for operation: AsyncOperation? = nil, _ work: @escaping Work) {
    let (lane, looks) = guarded.withLock { guarded in
      guarded.add(Piece(operation: operation, work: work))
      defer { guarded.isLooking = true }
      return (guarded.startLane(), !guarded.isLooking)
    }
    if let lane { start(lane) }
    if looks { look(after: patience) }
  }

  private func start(_ lane: Int) {
    Self.onThread {
      // The last reference to an object of the app must not be released under the lock.
      var returned: Piece?
      while let piece = self.next(on: lane, after: &returned) {
        returned = nil
        piece.work()
      }
    }
  }

  /// A queue of its own gets a thread even if blocked work holds all threads of the pools.
  private static func onThread(_ work: @escaping Work) {
    DispatchQueue(label: "AsyncOperations.Lane", qos: .userInitiated).async(execute: work)
  }

  private func next(on lane: Int, after returned: inout Piece?) -> Piece? {
    guarded.withLock { guarded in
      guard lane == guarded.lane else { return nil }
      returned = guarded.current?.piece
      let next = guarded.popFirst()
      guarded.current = next.map { ($0, timekeeper.now) }
      guarded.isRunning = next != nil
      return next
    }
  }

  private func look(after delay: Duration) {
    _ = timekeeper.call(after: delay) { self.look() }
  }

  private func look() {
    let (lane, piece, delay) = guarded.withLock { guarded -> (Int?, Piece?, Duration?) in
      guard let current = guarded.current else {
        guarded.isLooking = guarded.isRunning
        return (nil, nil, guarded.isRunning ? patience : nil)
      }
      let rest = patience - current.since.duration(to: timekeeper.now)
      guard rest <= .zero else { return (nil, nil, rest) }
      (guarded.isRunning, guarded.current) = (false, nil)
      let lane = guarded.startLane()
      guarded.isLooking = lane != nil
      return (lane, current.piece, lane.map { _ in patience })
    }
    if let lane { start(lane) }
    if let delay { look(after: delay) }
    if let piece, let blocked { Self.onThread { blocked(piece.operation) } }
  }
}

extension Lanes {
  /// For work of the library that may run code of the app: ends by time limits, and turns that
  /// others hand on.
  static let errands = Lanes(patience: .milliseconds(100))

  /// For cancels of tasks.
  ///
  /// `Task.cancel()` runs the task's cancellation handlers, which belong to the app, on the calling
  /// thread. A handler that blocks would freeze the main thread in `cancelAllOperations()`, or keep
  /// a timeout from ending an operation. (`URLSession.data(from:)` on Linux has a handler that
  /// deadlocks.) Here one that blocks delays other cancels by about a second, and is reported.
  static let cancels = Lanes(patience: .seconds(1)) { reportBlockedHandler(of: $0) }

  /// Cancels a task soon, and returns at once.
  ///
  /// Tasks are cancelled in the order of these calls, unless a handler blocks.
  func cancel(_ task: Task<Void, Never>, of operation: AsyncOperation?) {
    run(for: operation) { task.cancel() }
  }

  static func reportBlockedHandler(of operation: AsyncOperation?) {
    OperationDiagnostics.report(
      .blockedCancelHandler, operation,
      """
      A cancellation handler of its task has not returned for a second, so other tasks are \
      cancelled on another thread. Make it return at once: it must not take a lock that the task's \
      own work holds.
      """)
  }
}
