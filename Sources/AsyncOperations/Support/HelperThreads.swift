import Dispatch

/// Runs work of the app away from the caller, one piece after the other.
///
/// Work that blocks keeps its thread. After the patience, the pieces behind it go on, on another
/// thread.
///
/// - Thread A adds work while a helper runs its last piece. Either the helper finds the new one, or
///   it has ended under the lock and A starts a new helper.
final class HelperThreads: Sendable {
  typealias Work = @Sendable () -> Void

  private struct Piece: Sendable {
    let operation: AsyncOperation?
    let work: Work
  }

  private struct Guarded {
    /// The waiting pieces, the first ones last, and later ones.
    private var first: [Piece] = []
    var later: [Piece] = []
    /// Pieces that were begun or overtaken; a helper with an older number ends.
    private var step = 0
    private var isRunning = false

    /// - Returns: The step from which to run a helper; `nil` if one runs, or nothing waits.
    mutating func startHelper() -> Int? {
      guard !isRunning, !(first.isEmpty && later.isEmpty) else { return nil }
      isRunning = true
      return step
    }

    mutating func begin(after step: Int) -> Piece? {
      guard step == self.step else { return nil }
      self.step += 1
      if first.isEmpty {
        first = later.reversed()
        later = []
      }
      isRunning = !first.isEmpty
      return first.popLast()
    }

    /// - Returns: Whether the piece of that step runs.
    mutating func overtake(_ step: Int) -> Bool {
      guard step == self.step, isRunning else { return false }
      self.step += 1
      isRunning = false
      return true
    }
  }

  private let patience: Duration
  private let timekeeper: Timekeeper
  private let blocked: (@Sendable (AsyncOperation?) -> Void)?
  private let guarded = Lock(Guarded())

  /// - Parameter blocked: Called on a thread of its own, once for each piece that blocks.
  init(
    patience: Duration, _ timekeeper: Timekeeper = .shared,
    blocked: (@Sendable (AsyncOperation?) -> Void)? = nil
  ) {
    self.patience = patience
    self.timekeeper = timekeeper
    self.blocked = blocked
  }

  func run(for operation: AsyncOperation? = nil, _ work: @escaping Work) {
    guarded.withLock { $0.later.append(Piece(operation: operation, work: work)) }
    startHelper()
  }

  private func startHelper() {
    guard let step = guarded.withLock({ $0.startHelper() }) else { return }
    Self.onThread { self.runHelper(from: step) }
  }

  private func runHelper(from step: Int) {
    var step = step
    while let piece = guarded.withLock({ $0.begin(after: step) }) {
      step += 1
      let watch = timekeeper.call(after: patience) { [step] in
        self.overtake(step, of: piece.operation)
      }
      piece.work()
      watch.cancel()
    }
  }

  /// A queue of its own gets a thread even if blocked work holds all of the pools.
  private static func onThread(_ work: @escaping Work) {
    DispatchQueue(label: "AsyncOperations.Helper", qos: .userInitiated).async(execute: work)
  }

  private func overtake(_ step: Int, of operation: AsyncOperation?) {
    guard guarded.withLock({ $0.overtake(step) }) else { return }
    startHelper()
    if let blocked { Self.onThread { blocked(operation) } }
  }
}

extension HelperThreads {
  /// For ends by time limits and for turns, which may run code of the app.
  static let errands = HelperThreads(patience: .milliseconds(100))

  /// For cancels of tasks.
  ///
  /// `Task.cancel()` runs the task's cancellation handlers on the calling thread. One that blocks
  /// would freeze the main thread in `cancelAllOperations()`, or hold up a timeout. Here it delays
  /// other cancels by about a second, and is reported.
  static let cancels = HelperThreads(patience: .seconds(1)) { operation in
    OperationDiagnostics.report(
      .blockedCancelHandler, operation,
      """
      A cancellation handler of its task has not returned for a second, so other tasks are \
      cancelled on another thread. Make it return at once: it must not take a lock that the task's \
      own work holds.
      """)
  }
}
