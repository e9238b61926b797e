#if !canImport(ObjectiveC)
  import Dispatch
  import Foundation

  /// The parts for systems without an Objective-C runtime.
  ///
  /// Emissions are calls of the queue, and the system's own dependencies keep bare pointers (see
  /// ``DependencyWait``).
  extension AsyncOperation {
    /// `nil` for the many operations that have neither a dependency nor a completion block, so that
    /// they cost nothing (figure B1).
    typealias PlatformState = Extras?

    // Sendable: used under the operation's lock, or in its deinit.
    final class Extras: @unchecked Sendable {
      var completion: (@Sendable () -> Void)?
      /// In the order in which the dependencies were added.
      var waits: [Waiting] = []
      /// Whether it ever had a dependency.
      var hasDependencies = false
    }

    static var noPlatformState: PlatformState { nil }

    struct Waiting {
      let dependency: Operation
      let wait: DependencyWait
    }

    /// The extras that the end takes from the state.
    struct PlatformEnd {
      var completion: (@Sendable () -> Void)?
      var waits: [Waiting] = []

      init(_ extras: Extras) {
        swap(&completion, &extras.completion)
        swap(&waits, &extras.waits)
      }
    }

    // MARK: Starting and cancelling

    /// No tool on these systems shows signposts.
    func addSignposts() {}

    /// Claim and publication are one step: no call comes before the flag flips.
    func beginStart(_ guarded: inout Guarded) -> StateMachine.Action {
      let action = guarded.machine.startRequested()
      if action == .announce { guarded.machine.executingPublished() }
      return action
    }

    func publishExecuting() { emit(Key.isExecuting) }

    func runBody() { main() }

    /// Always `true`: the system's flag is never set.
    ///
    /// It would stay set for good, and would deadlock a queue to which the operation is added
    /// behind a barrier.
    var isSystemCancelled: Bool { true }

    func publishCancelled(isPending: Bool) {
      if isPending { leaveQueue() }
    }

    /// The flag and the publication are one here.
    func publishRecordedCancel() {}

    /// Lets the queue start a waiting operation at once, despite its dependencies.
    func leaveQueue() {
      let waits = guarded.withLock { $0.platform.hasDependencies ? $0.platform.waits : nil }
      guard let waits else { return }
      for waiting in waits { waiting.wait.open() }
      // The operation may have been ready for long, and the queue has lost the wake-up.
      announceReadiness()
    }

    // MARK: Ending

    func flipAtOnce(_ guarded: inout Guarded) -> Flip? { Flip(&guarded) }

    func publishFlip(_ flip: Flip?) -> Flip {
      let flip = flip ?? guarded.withLock { Flip(&$0) }
      if flip.isExecutingChanged { emit(Key.isExecuting) }
      emit(Key.isFinished)
      if flip.hasExtras { endExtras() }
      return flip
    }

    private func endExtras() {
      let end = guarded.withLock { $0.platform.map { PlatformEnd($0) } }
      guard let end else { return }
      if let completion = end.completion {
        DispatchQueue.global().async { withExtendedLifetime(self) { completion() } }
      }
      // The last wait first: the system finds it without moving the others.
      for waiting in end.waits.reversed() { waiting.wait.detach() }
    }

    func setCompletion(_ completion: (@Sendable () -> Void)?) {
      // The previous block is released outside the lock.
      var completion = completion
      guarded.withLock { guarded in
        if !guarded.machine.isFinished { guarded.platform.swapCompletion(&completion) }
      }
    }

    // MARK: Dependencies

    var allDependencies: [Operation] { guarded.withLock { $0.platform.waits.map(\.dependency) } }

    func startWaiting(for dependency: Operation) {
      let wait = DependencyWait(owner: self, dependency: dependency)
      addToSystem(wait)
      // The end of the dependency may have opened the wait already. No thread can have detached it.
      let isWanted = guarded.withLock { guarded in
        let isKnown = guarded.platform.waits.contains { $0.dependency === dependency }
        guard !guarded.machine.isFinished, !isKnown else { return false }
        guarded.platform.add(Waiting(dependency: dependency, wait: wait))
        return true
      }
      if !isWanted {
        wait.detach()
      } else if guarded.withLock({ $0.machine.wasCancelRequested }) {
        wait.open()
      }
      announceReadiness()
    }

    func stopWaiting(for dependency: Operation) {
      let waiting = guarded.withLock { guarded -> Waiting? in
        guard let extras = guarded.platform else { return nil }
        let index = extras.waits.firstIndex { $0.dependency === dependency }
        return index.map { extras.waits.remove(at: $0) }
      }
      guard let waiting else { return }
      waiting.wait.detach()
      announceReadiness()
    }

    /// The dependencies of the operations that a thread is deallocating, to release in turn.
    private final class Dropped {
      var operations: [Operation] = []
    }

    /// Detaches the waits of an operation that is deallocated before it has finished.
    ///
    /// Its dependencies are released one after the other. In a long chain each would otherwise
    /// release the next inside its own deinit, and overflow the stack.
    func releaseDependencies() {
      guard var waits = guarded.withoutLock({ $0.platform?.waits }), !waits.isEmpty else { return }
      guarded.withoutLock { $0.platform = nil }
      let key = "AsyncOperations.AsyncOperation.dropped"
      let threadDictionary = Thread.current.threadDictionary
      let outer = threadDictionary[key] as? Dropped
      let dropped = outer ?? Dropped()
      for waiting in waits {
        waiting.wait.detach()
        dropped.operations.append(waiting.dependency)
      }
      // Drops the last other references, so that the dependencies end in the loop below.
      waits = []
      guard outer == nil else { return }
      threadDictionary[key] = dropped
      while dropped.operations.popLast() != nil {}
      threadDictionary[key] = nil
    }
  }

  extension AsyncOperation.Extras? {
    var completion: (@Sendable () -> Void)? { self?.completion }
    var waits: [AsyncOperation.Waiting] { self?.waits ?? [] }
    var hasDependencies: Bool { self?.hasDependencies ?? false }
    var hasExtras: Bool { self != nil }

    mutating func add(_ waiting: AsyncOperation.Waiting) {
      let extras = made()
      extras.hasDependencies = true
      extras.waits.append(waiting)
    }

    mutating func swapCompletion(_ completion: inout (@Sendable () -> Void)?) {
      swap(&made().completion, &completion)
    }

    private mutating func made() -> AsyncOperation.Extras {
      let extras = self ?? AsyncOperation.Extras()
      self = extras
      return extras
    }
  }

  extension OperationQueue {
    /// Whether a start by this queue is distinguishable from others: true if it has its own
    /// threads.
    var isKnownToStart: Bool { underlyingQueue == nil }
  }

  extension Operation {
    /// Announces readiness if a wake-up may be lost; call it after a queue added the operation.
    func announceReadinessIfNeeded() {
      // An operation may wait for its gate alone, or may just have lost its last dependency.
      let mayHaveWaited =
        (self as? AsyncOperation)?.guarded.withLock { $0.platform.hasDependencies }
        ?? !dependencies.isEmpty
      if mayHaveWaited { announceReadiness() }
    }

    /// Makes the queue notice whether the operation is ready.
    ///
    /// A queue remembers the value that it last read. Thread A reads that the operation is not
    /// ready. Thread B finishes the last dependency and announces it, and the queue remembers
    /// "ready". A overwrites that with its older value. A single announcement can itself play the
    /// part of A, so this announces until readiness has stayed the same over an announcement.
    func announceReadiness() {
      var before: Bool
      repeat {
        before = isReady
        didChangeValue(forKey: AsyncOperation.Key.isReady)
      } while isReady != before
    }
  }
#endif
