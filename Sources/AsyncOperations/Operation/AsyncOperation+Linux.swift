#if !canImport(ObjectiveC)
  import Dispatch
  import Foundation

  /// For systems without an Objective-C runtime.
  ///
  /// Emissions are calls of the queue, and the system's own dependencies keep bare pointers (see
  /// ``DependencyWait``).
  extension AsyncOperation {
    struct PlatformExtras {
      var completion: (@Sendable () -> Void)?
      var waits: [Waiting] = []
    }

    struct Waiting {
      let dependency: Operation
      let wait: DependencyWait
    }

    // MARK: Starting and cancelling

    /// Claim and publication are one step: no call comes before the flag flips.
    func beginStart(_ guarded: inout Guarded) -> StateMachine.Action {
      let action = guarded.machine.startRequested()
      if action == .announce { guarded.machine.executingPublished() }
      return action
    }

    func publishExecuting() { emit(Key.isExecuting) }

    func runBody() { main() }

    /// The system's flag is never set: it would stay set for good, and would deadlock a queue to
    /// which the operation is added behind a barrier.
    var isSystemCancelled: Bool { true }

    func publishCancelled(isPending: Bool) {
      if isPending { leaveQueue() }
    }

    /// Lets the queue start the operation despite its dependencies.
    func leaveQueue() {
      let (hasDependencies, waits) = guarded.withLock { ($0.hasDependencies, $0.platform.waits) }
      guard hasDependencies else { return }
      var hasOpened = false
      for waiting in waits { hasOpened = waiting.wait.open() || hasOpened }
      // It may be ready, and the queue has lost the wake-up.
      if !hasOpened { announceReadiness() }
    }

    // MARK: Ending

    /// - Returns: The observers that were added during `willFinish`.
    func publishFlip() -> [OperationObserver] {
      let (isExecutingChanged, late) = flip()
      if isExecutingChanged { emit(Key.isExecuting) }
      // Each dependent that becomes ready lets its queue go through all that wait. A held queue
      // does that once.
      let home = guarded.withLock { $0.hasDependents ? $0.home : nil }
      home?.beginHold()
      emit(Key.isFinished)
      home?.endHold()
      let end = guarded.withLock { guarded in
        let end = guarded.platform
        guarded.platform = PlatformExtras()
        return end
      }
      if let completion = end.completion {
        DispatchQueue.global().async { withExtendedLifetime(self) { completion() } }
      }
      // The last wait first: the system finds it without moving the others.
      for waiting in end.waits.reversed() { waiting.wait.detach() }
      return late
    }

    func setCompletion(_ completion: (@Sendable () -> Void)?) {
      var completion = completion
      guarded.withLock { guarded in
        if !guarded.machine.isFinished {
          swap(&guarded.platform.completion, &completion)
        }
      }
    }

    // MARK: Dependencies

    var allDependencies: [Operation] {
      guarded.withLock { $0.platform.waits.map(\.dependency) }
    }

    func startWaiting(for dependency: Operation) {
      let wait = DependencyWait(owner: self, dependency: dependency)
      addToSystem(wait)
      // The end of the dependency may have opened the wait. No thread can have detached it.
      let isWanted = guarded.withLock { guarded in
        let isKnown = guarded.platform.waits.contains { $0.dependency === dependency }
        guard !guarded.machine.isFinished, !isKnown else { return false }
        guarded.hasDependencies = true
        guarded.platform.waits.append(Waiting(dependency: dependency, wait: wait))
        return true
      }
      if !isWanted {
        wait.detach()
      } else if isCancelled {
        wait.open()
      }
      announceReadiness()
    }

    var hasSeveralWaits: Bool {
      guarded.withLock { $0.platform.waits.count > 1 }
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

    /// Detaches the waits of an operation that is deallocated unfinished.
    ///
    /// Its dependencies are released one after the other. Otherwise a long chain of deinits
    /// overflows the stack.
    func releaseDependencies() {
      var waits = guarded.withLock { guarded in
        defer { guarded.platform.waits = [] }
        return guarded.platform.waits
      }
      guard !waits.isEmpty else { return }
      for waiting in waits { waiting.wait.detach() }
      var dependencies: [AnyObject] = waits.map(\.dependency)
      waits = []
      Unnested.release(&dependencies)
    }
  }

  extension Operation {
    /// For a wake-up that may be lost; call it after a queue added the operation.
    func announceReadinessIfNeeded() {
      // It may wait for its gate alone, or may just have lost its last dependency.
      let mayHaveWaited =
        (self as? AsyncOperation)?.guarded.withLock { $0.hasDependencies }
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
