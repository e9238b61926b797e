#if canImport(ObjectiveC)
  import Foundation

  /// The parts for systems where changes are observed by key.
  ///
  /// Each change needs a call before it and one after, and the system manages dependencies itself.
  extension AsyncOperation {
    struct PlatformExtras {}

    // MARK: Starting and cancelling

    func beginStart(_ guarded: inout Guarded) -> StateMachine.Action {
      guarded.machine.startRequested()
    }

    func publishExecuting() {
      willChangeValue(forKey: Key.isExecuting)
      guarded.withLock { $0.machine.executingPublished() }
      emit(Key.isExecuting)
    }

    func runBody() { autoreleasepool { main() } }

    /// The system sets it between the two calls that announce the change: observers read the old
    /// value, then the new one.
    var isSystemCancelled: Bool { isCancelledInSystem }

    func publishCancelled(isPending: Bool) {
      if !isCancelledInSystem { cancelInSystem() }
    }

    /// Lets the queue start the operation despite its dependencies.
    func leaveQueue() { cancelInSystem() }

    // MARK: Ending

    /// - Returns: The observers that were added during `willFinish`.
    func publishFlip() -> [OperationObserver] {
      let isExecutingToChange = isExecuting
      willChangeValue(forKey: Key.isFinished)
      if isExecutingToChange { willChangeValue(forKey: Key.isExecuting) }
      let (_, late) = flip()
      if isExecutingToChange { emit(Key.isExecuting) }
      emit(Key.isFinished)
      // A long chain of kept dependencies is deallocated recursively and overflows the stack.
      if guarded.withLock({ $0.hasDependencies }) {
        for dependency in allDependencies { removeFromSystem(dependency) }
      }
      return late
    }

    // MARK: Dependencies

    var allDependencies: [Operation] { dependenciesInSystem }

    func startWaiting(for dependency: Operation) {
      guarded.withLock { $0.hasDependencies = true }
      addToSystem(dependency)
      // The end has removed the dependencies before it, but not this one.
      if isFinished { removeFromSystem(dependency) }
    }

    func stopWaiting(for dependency: Operation) { removeFromSystem(dependency) }

    /// The system does that itself.
    func releaseDependencies() {}
  }

  extension Operation {
    /// The system does that itself.
    func announceReadinessIfNeeded() {}
  }
#endif
