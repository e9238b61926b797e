import Dispatch

/// Cancels the tasks of operations, on a queue of its own.
///
/// `Task.cancel()` runs the task's cancellation handlers, which belong to the app, on the calling
/// thread. A handler that blocks would freeze the main thread in `cancelAllOperations()`, or keep a
/// timeout from ending an operation. (`URLSession.data(from:)` on Linux has a handler that
/// deadlocks.) Here it costs a queue: when a call has not returned for a second, a fresh queue
/// takes the tasks that wait behind it, and ``OperationDiagnostics`` reports the call.
final class TaskCanceller: Sendable {
  /// The canceller's access to threads and time.
  struct Surroundings: Sendable {
    typealias Work = @Sendable () -> Void

    /// Makes a queue that runs work in order, away from the caller.
    let makeQueue: @Sendable () -> @Sendable (@escaping Work) -> Void
    /// Runs work after a delay in nanoseconds.
    let schedule: @Sendable (UInt64, @escaping Work) -> Void
    /// Nanoseconds since some moment.
    let now: @Sendable () -> UInt64
  }

  static let shared = TaskCanceller(.dispatch)

  private struct Guarded {
    var plan = CancelPlan()
    var queue: @Sendable (@escaping Surroundings.Work) -> Void
  }

  private let surroundings: Surroundings
  private let bodies: BodyWatch
  private let guarded: Lock<Guarded>

  init(_ surroundings: Surroundings) {
    self.surroundings = surroundings
    bodies = BodyWatch(surroundings)
    guarded = Lock(Guarded(queue: surroundings.makeQueue()))
  }

  /// Cancels a task soon, and returns at once.
  ///
  /// Tasks are cancelled in the order of these calls.
  ///
  /// - Parameter body: The hook whose body the task runs. If the body goes on for long after the
  ///   cancel, it is reported.
  func cancel(
    _ task: Task<Void, Never>, of operation: AsyncOperation?, body: (any TaskHook)? = nil
  ) {
    let (action, queue) = guarded.withLock { guarded in
      let call = CancelPlan.Call(task: task, operation: operation, body: body)
      return (guarded.plan.cancelRequested(call), guarded.queue)
    }
    if let lane = action.run { queue { self.run(lane) } }
    if action.startsWatch { watch(after: CancelPlan.patience) }
  }

  private func run(_ lane: Int) {
    // The last reference to an operation must not be released under the lock, since its value
    // belongs to the app.
    var returned: CancelPlan.Call?
    while let call = guarded.withLock({
      $0.plan.next(on: lane, at: surroundings.now(), after: &returned)
    }) {
      returned = nil
      call.task.cancel()
      // An operation that was finished from outside needs its body no longer, which is no misuse.
      if let body = call.body, let operation = call.operation, operation.isCancelled {
        bodies.bodyCancelled(body, of: operation)
      }
    }
  }

  private func watch(after delay: UInt64) {
    surroundings.schedule(delay) { self.look() }
  }

  private func look() {
    switch guarded.withLock({ $0.plan.looked(at: surroundings.now()) }) {
    case .stop:
      break
    case .lookAgain(let delay):
      watch(after: delay)
    case .replace(let lane, let blocked):
      let fresh = surroundings.makeQueue()
      guarded.withLock { $0.queue = fresh }
      fresh { self.run(lane) }
      watch(after: CancelPlan.patience)
      OperationDiagnostics.report(
        .blockedCancelHandler, blocked.operation,
        """
        A cancellation handler of its task has not returned for a second, so other tasks are \
        cancelled on another thread. Make the handler return at once: it must not take a lock that \
        the task's own work holds.
        """)
    }
  }
}

extension TaskCanceller.Surroundings {
  /// A queue of its own: blocking operations may hold all threads of the global queues.
  private static let timer = ThreadSafe(DispatchQueue(label: "AsyncOperations.TaskCanceller.timer"))

  static let dispatch = TaskCanceller.Surroundings(
    makeQueue: {
      let queue = ThreadSafe(DispatchQueue(label: "AsyncOperations.TaskCanceller"))
      return { queue.object.async(execute: $0) }
    },
    schedule: { delay, work in
      timer.object.asyncAfter(
        deadline: .now() + .nanoseconds(Int(clamping: delay)), execute: work)
    },
    now: { DispatchTime.now().uptimeNanoseconds })
}

/// The tasks that wait for their cancel, and the queue that is busy with one, as a value.
///
/// A lane is one queue's turn at the tasks. A fresh lane replaces one that blocks, which ends when
/// its call returns.
struct CancelPlan: Sendable {
  struct Call: Sendable {
    let task: Task<Void, Never>
    let operation: AsyncOperation?
    var body: (any TaskHook)?
  }

  /// The time for which a call may block, in nanoseconds.
  static let patience: UInt64 = 1_000_000_000

  private struct Current {
    let call: Call
    let start: UInt64
  }

  /// `nil` before `first`.
  private var waiting: [Call?] = []
  private var first = 0
  private var lane = 0
  private var isRunning = false
  private var isWatched = false
  private var current: Current?

  struct RequestedAction: Equatable {
    /// The lane to run.
    var run: Int?
    var startsWatch = false
  }

  mutating func cancelRequested(_ call: Call) -> RequestedAction {
    waiting.append(call)
    var action = RequestedAction()
    if !isRunning { action.run = lane }
    action.startsWatch = !isWatched
    (isRunning, isWatched) = (true, true)
    return action
  }

  /// - Parameter returned: Receives the lane's last call, for release outside the lock.
  /// - Returns: The call to make; `nil` ends the lane's run.
  mutating func next(on lane: Int, at now: UInt64, after returned: inout Call?) -> Call? {
    guard lane == self.lane else { return nil }
    returned = current?.call
    guard first < waiting.count else {
      (waiting, first, current, isRunning) = ([], 0, nil, false)
      return nil
    }
    guard let call = waiting[first] else { return nil }
    waiting[first] = nil
    first += 1
    // Amortized O(1): a removal moves at most as many calls as were made since the last one.
    if first > waiting.count / 2 {
      waiting.removeFirst(first)
      first = 0
    }
    current = Current(call: call, start: now)
    return call
  }

  enum LookedAction {
    case stop
    /// Check again after a delay in nanoseconds.
    case lookAgain(UInt64)
    /// Run this lane on a fresh queue, and check again.
    ///
    /// `blocked` is the call that blocks the previous lane.
    case replace(lane: Int, blocked: Call)
  }

  mutating func looked(at now: UInt64) -> LookedAction {
    guard isRunning else {
      isWatched = false
      return .stop
    }
    guard let current else { return .lookAgain(Self.patience) }
    let elapsed = now > current.start ? now - current.start : 0
    guard elapsed >= Self.patience else { return .lookAgain(Self.patience - elapsed) }
    lane += 1
    self.current = nil
    return .replace(lane: lane, blocked: current.call)
  }
}
