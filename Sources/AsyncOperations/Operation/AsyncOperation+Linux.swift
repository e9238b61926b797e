#if !canImport(ObjectiveC)
  import Dispatch
  import Foundation

  /// What is different where there is no Objective-C runtime: emissions are calls of the queue, and the
  /// system's own dependencies keep bare pointers (see ``DependencyWait``).
  extension AsyncOperation {
    struct PlatformState {
      var completion: (@Sendable () -> Void)?
      /// In the order in which the dependencies were added.
      var waits: [Waiting] = []
      /// Whether it ever had a dependency.
      var hasDependencies = false
    }

    struct Waiting {
      let dependency: Operation
      let wait: DependencyWait
    }

    /// What the end takes from the state.
    struct PlatformEnd {
      var completion: (@Sendable () -> Void)?
      var waits: [Waiting] = []

      init(_ state: inout PlatformState) {
        swap(&completion, &state.completion)
        if state.hasDependencies { swap(&waits, &state.waits) }
      }
    }

    // MARK: Starting and cancelling

    /// There is nothing to show signposts in.
    func addSignposts() {}

    /// Claim and publication are one step: nothing has to be called before the flag flips.
    func beginStart(_ guarded: inout Guarded) -> StateMachine.Action {
      let action = guarded.machine.startRequested()
      if action == .announce { guarded.machine.executingPublished() }
      return action
    }

    func publishExecuting() { emit(Key.isExecuting) }

    func runBody() { main() }

    /// The system's flag is never set: it would stay set for good, and deadlocks a queue to which the
    /// operation is added behind a barrier.
    var isSystemCancelled: Bool { true }

    func publishCancelled(isPending: Bool) {
      if isPending { leaveQueue() }
    }

    /// The flag and the publication are one here.
    func publishRecordedCancel() {}

    /// Lets the queue start a waiting operation at once, whatever it depends on.
    func leaveQueue() {
      let (waits, hasDependencies) = guarded.withLock {
        ($0.platform.waits, $0.platform.hasDependencies)
      }
      for waiting in waits { waiting.wait.open() }
      // It may have been ready for long, and the queue has lost the wake-up.
      if hasDependencies { announceReadiness() }
    }

    // MARK: Ending

    func flipAtOnce(_ guarded: inout Guarded) -> Flip? { Flip(&guarded) }

    func publishFlip(_ flip: Flip?) -> Flip {
      let flip = flip ?? guarded.withLock { Flip(&$0) }
      if flip.isExecutingChanged { emit(Key.isExecuting) }
      emit(Key.isFinished)
      if let completion = flip.platform.completion {
        DispatchQueue.global().async { withExtendedLifetime(self) { completion() } }
      }
      // The last first, which the system finds without moving the others.
      for waiting in flip.platform.waits.reversed() {
        waiting.wait.detach()
      }
      return flip
    }

    func setCompletion(_ completion: (@Sendable () -> Void)?) {
      // What was there before ends its life outside the lock.
      var completion = completion
      guarded.withLock { guarded in
        if !guarded.machine.isFinished { swap(&guarded.platform.completion, &completion) }
      }
    }

    // MARK: Dependencies

    func startWaiting(for dependency: Operation) {
      let wait = DependencyWait(owner: self, dependency: dependency)
      addToSystem(wait)
      // Until now no other thread knew of the wait, so none could open it.
      let isWanted = guarded.withLock { guarded in
        let isKnown = guarded.platform.waits.contains { $0.dependency === dependency }
        guard !guarded.machine.isFinished, !isKnown else { return false }
        guarded.platform.hasDependencies = true
        guarded.platform.waits.append(Waiting(dependency: dependency, wait: wait))
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
        let index = guarded.platform.waits.firstIndex { $0.dependency === dependency }
        return index.map { guarded.platform.waits.remove(at: $0) }
      }
      guard let waiting else { return }
      waiting.wait.detach()
      announceReadiness()
    }

    /// The dependencies of the operations that a thread is deallocating, to be released in turn.
    private final class Dropped {
      var operations: [Operation] = []
    }

    /// Detaches the waits of an operation that is deallocated before it has finished.
    ///
    /// Its dependencies are released one after the other: a long chain, each released by the end of the
    /// one before, would overflow the stack.
    func releaseDependencies() {
      var waits: [Waiting] = []
      guarded.withLock { swap(&$0.platform.waits, &waits) }
      guard !waits.isEmpty else { return }
      let key = "AsyncOperations.AsyncOperation.dropped"
      let threadDictionary = Thread.current.threadDictionary
      let outer = threadDictionary[key] as? Dropped
      let dropped = outer ?? Dropped()
      for waiting in waits {
        waiting.wait.detach()
        dropped.operations.append(waiting.dependency)
      }
      // Nothing else may keep them: what ends here is to end in the loop below.
      waits = []
      guard outer == nil else { return }
      threadDictionary[key] = dropped
      while dropped.operations.popLast() != nil {}
      threadDictionary[key] = nil
    }
  }

  extension Operation {
    /// Makes the queue notice whether the operation is ready.
    ///
    /// A queue remembers what it last read. Thread A reads that the operation is not ready; thread B
    /// finishes the last dependency, announces it, and the queue remembers "ready"; A overwrites
    /// that with what it has read. A single announcement can be thread A itself, so this announces
    /// until readiness has stayed the same over an announcement.
    func announceReadiness() {
      var before: Bool
      repeat {
        before = isReady
        didChangeValue(forKey: AsyncOperation.Key.isReady)
      } while isReady != before
    }
  }
#endif
