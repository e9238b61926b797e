#if !canImport(ObjectiveC)
  import Dispatch
  import Foundation

  /// The parts for systems without an Objective-C runtime.
  ///
  /// Emissions are calls of the queue, and the system's own dependencies keep bare pointers (see
  /// ``DependencyWait``).
  extension AsyncOperation {
    struct PlatformExtras {
      var completion: (@Sendable () -> Void)?
      /// In the order in which the dependencies were added.
      var waits: [Waiting] = []
    }

    struct Waiting {
      let dependency: Operation
      let wait: DependencyWait
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
      let waits = guarded.withLock { guarded in
        guarded.extras.hasDependencies ? guarded.extras?.platform.waits : nil
      }
      guard let waits else { return }
      var hasOpened = false
      for waiting in waits { hasOpened = waiting.wait.open() || hasOpened }
      // The operation may have been ready for long, and the queue has lost the wake-up.
      if !hasOpened { announceReadiness() }
    }

    // MARK: Ending

    func flipAtOnce(_ guarded: inout Guarded) -> Flip? { Flip(&guarded) }

    func publishFlip(_ flip: Flip?) -> Flip {
      let flip = flip ?? guarded.withLock { Flip(&$0) }
      if flip.isExecutingChanged { emit(Key.isExecuting) }
      // The end makes all dependents ready, and each of them lets its queue go through all that
      // wait. A queue that is held does that once.
      let home =
        flip.hasExtras ? guarded.withLock { $0.hasDependents ? $0.extras?.home : nil } : nil
      home?.beginHold()
      emit(Key.isFinished)
      home?.endHold()
      if flip.hasExtras { endExtras() }
      return flip
    }

    private func endExtras() {
      let end = guarded.withLock { guarded in
        let end = guarded.extras?.platform
        guarded.extras?.platform = PlatformExtras()
        return end
      }
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
        if !guarded.machine.isFinished {
          swap(&guarded.extras.made.platform.completion, &completion)
        }
      }
    }

    // MARK: Dependencies

    var allDependencies: [Operation] {
      guarded.withLock { $0.extras?.platform.waits.map(\.dependency) ?? [] }
    }

    func startWaiting(for dependency: Operation) {
      let wait = DependencyWait(owner: self, dependency: dependency)
      addToSystem(wait)
      // The end of the dependency may have opened the wait already. No thread can have detached it.
      let isWanted = guarded.withLock { guarded in
        let extras = guarded.extras.made
        let isKnown = extras.platform.waits.contains { $0.dependency === dependency }
        guard !guarded.machine.isFinished, !isKnown else { return false }
        extras.hasDependencies = true
        extras.platform.waits.append(Waiting(dependency: dependency, wait: wait))
        return true
      }
      if !isWanted {
        wait.detach()
      } else if guarded.withLock({ $0.machine.wasCancelRequested }) {
        wait.open()
      }
      announceReadiness()
    }

    var hasSeveralWaits: Bool {
      guarded.withLock { ($0.extras?.platform.waits.count ?? 0) > 1 }
    }

    func stopWaiting(for dependency: Operation) {
      let waiting = guarded.withLock { guarded -> Waiting? in
        guard let extras = guarded.extras else { return nil }
        let index = extras.platform.waits.firstIndex { $0.dependency === dependency }
        return index.map { extras.platform.waits.remove(at: $0) }
      }
      guard let waiting else { return }
      waiting.wait.detach()
      announceReadiness()
    }

    /// Detaches the waits of an operation that is deallocated before it has finished.
    ///
    /// Its dependencies are released one after the other. In a long chain each would otherwise
    /// release the next inside its own deinit, and overflow the stack.
    func releaseDependencies() {
      guard var waits = guarded.withoutLock({ $0.extras?.platform.waits }), !waits.isEmpty else {
        return
      }
      guarded.withoutLock { $0.extras?.platform.waits = [] }
      for waiting in waits { waiting.wait.detach() }
      var dependencies: [AnyObject] = waits.map(\.dependency)
      waits = []
      Unnested.release(&dependencies)
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
        (self as? AsyncOperation)?.guarded.withLock { $0.extras.hasDependencies }
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
