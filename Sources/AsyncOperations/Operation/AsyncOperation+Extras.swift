import Foundation

extension AsyncOperation {
  /// The parts of an operation's state that most operations do without, so that they cost nothing
  /// (figure B1).
  // Sendable: used under the operation's lock, or in its deinit.
  final class Extras: @unchecked Sendable {
    /// Whether it ever had a dependency.
    var hasDependencies = false
    /// The gate that it passes before its start.
    var gate: (any OperationGate)?
    /// Whether it needs the gate no longer, and so may start.
    var isGatePassed = false
    /// The context of its own turn, or of the turn of a group that it belongs to.
    var context: WorkContext?
    /// The waits of its body.
    var waits = Waits()
    /// The moment at which a search found no circle that leads through it.
    var settledAt: UInt64?
    var isInCircle = false
    var endWatchers = Watchers()
    /// The queue of the group that it belongs to.
    var home: (any QueueHolding)?
    /// Called when `main()` has returned.
    var mainWatchers = Watchers()
    var platform = PlatformExtras()

    deinit { gate?.operationDropped() }
  }

  /// Closures that are each called once, and that can be removed in O(1).
  struct Watchers {
    typealias Body = @Sendable () -> Void
    typealias Number = UInt64

    private var bodies: [Number: Body] = [:]
    private var last: Number = 0

    var isEmpty: Bool { bodies.isEmpty }

    mutating func add(_ body: @escaping Body) -> Number {
      last += 1
      bodies[last] = body
      return last
    }

    mutating func remove(_ number: Number) -> Body? { bodies.removeValue(forKey: number) }

    /// - Returns: All closures, in the order in which they were added.
    mutating func takeAll() -> [Body] {
      guard !bodies.isEmpty else { return [] }
      defer { bodies = [:] }
      return bodies.sorted { $0.key < $1.key }.map(\.value)
    }
  }

  // MARK: Ends

  /// Calls `body` once when the operation has finished, unless it is removed before.
  ///
  /// Unlike an observer it can be removed, in O(1).
  ///
  /// - Returns: `nil` if the operation has finished; `body` is then not called.
  func watchEnd(_ body: @escaping Watchers.Body) -> Watchers.Number? {
    guarded.withLock { guarded in
      guarded.machine.isFinished ? nil : guarded.extras.made.endWatchers.add(body)
    }
  }

  func unwatchEnd(_ number: Watchers.Number) {
    let body = guarded.withLock { $0.extras?.endWatchers.remove(number) }
    withExtendedLifetime(body) {}
  }

  // MARK: The return of main()

  func mainReturned() {
    let (watchers, gate) = guarded.withLock { guarded in
      guarded.mainThread = 0
      return (guarded.extras?.mainWatchers.takeAll() ?? [], guarded.extras?.gate)
    }
    for body in watchers { body() }
    gate?.mainReturned()
  }

  /// Calls `body` once when `main()` has returned.
  ///
  /// - Returns: `false` if `main()` is on no stack; `body` is then not called.
  func watchMain(_ body: @escaping Watchers.Body) -> Bool {
    guarded.withLock { guarded in
      let isOnStack = guarded.mainThread != 0
      if isOnStack { _ = guarded.extras.made.mainWatchers.add(body) }
      return isOnStack
    }
  }

  /// The thread that has `main()` on its stack; 0 if there is none.
  var mainThread: UInt { guarded.withLock { $0.mainThread } }

  // MARK: Groups

  /// Notes the queue of a group that begins, and the turn that the group holds.
  func belong(to queue: any QueueHolding, _ context: WorkContext?) {
    guarded.withLock { guarded in
      let extras = guarded.extras.made
      extras.home = queue
      guard let context else { return }
      extras.context = context
      guarded.tracksMain = true
    }
  }

  /// The queue of its group.
  var home: (any QueueHolding)? { guarded.withLock { $0.extras?.home } }

  // MARK: Turns

  /// The context of the turn that the operation has, or that its group has for it.
  var context: WorkContext? { guarded.withLock { $0.extras?.context } }

  /// Whether it needs a turn in a category that is held around it.
  func isExclusive(inTurnOf context: WorkContext) -> Bool {
    let gate = guarded.withLock { $0.extras?.gate }
    return gate.map { context.holds($0.categoryIDs) } ?? false
  }

  /// The operation has passed its gate.
  ///
  /// - Parameter turn: Its turn, if it has one.
  func passGate(with turn: (any Turn)?) {
    // Released outside the lock.
    var old: WorkContext?
    guarded.withLock { guarded in
      let extras = guarded.extras.made
      extras.isGatePassed = true
      guard let turn else { return }
      old = extras.context
      extras.context = WorkContext(self, inside: old, turn: turn)
    }
  }
}

extension AsyncOperation.Extras? {
  var hasDependencies: Bool { self?.hasDependencies ?? false }

  /// The extras, which are made if there are none.
  var made: AsyncOperation.Extras {
    mutating get {
      let extras = self ?? AsyncOperation.Extras()
      self = extras
      return extras
    }
  }
}

/// A queue that can be kept from starting operations for a moment.
protocol QueueHolding: AnyObject {
  /// Keeps the queue from starting operations, and from looking for some, until `endHold()`.
  ///
  /// Holds are counted. No code of the app runs during one.
  func beginHold()
  func endHold()
  /// An operation that the queue has, or will add when it is ready, waits for nothing.
  func operationBecameReady(_ operation: AsyncOperation)
}

/// An operation that the library makes for its own ends.
///
/// No list of dependencies shows it. Reports and explanations name the operation that it serves: an
/// app finds some private operations in `queue.operations`, and can let others depend on them.
final class PrivateOperation: AsyncOperation, @unchecked Sendable {
  // Sendable: any thread may read the weak reference, which is never written again.
  private(set) weak var served: Operation?

  init(serving operation: Operation?) {
    served = operation
    super.init()
  }

  override func main() { finish() }
}
