#if canImport(ObjectiveC)
  import Foundation

  /// The parts for systems where changes are observed by key.
  ///
  /// Each change needs a call before it and one after, and the system manages dependencies itself.
  extension AsyncOperation {
    /// The system keeps everything by itself.
    struct PlatformExtras {}

    // MARK: Starting and cancelling

    func addSignposts() {
      if OperationDiagnostics.signposts { addObserver(.signposts) }
    }

    func beginStart(_ guarded: inout Guarded) -> StateMachine.Action {
      guarded.machine.startRequested()
    }

    func publishExecuting() {
      willChangeValue(forKey: Key.isExecuting)
      guarded.withLock { $0.machine.executingPublished() }
      emit(Key.isExecuting)
    }

    func runBody() { autoreleasepool { main() } }

    /// The system's flag, which it sets between the two calls that announce the change: observers
    /// read the old value before it and the new one after.
    var isSystemCancelled: Bool { isCancelledInSystem }

    func publishCancelled(isPending: Bool) {
      if !isCancelledInSystem { cancelInSystem() }
    }

    /// A cancel during the start calls no observer yet, but its caller must read the flag.
    func publishRecordedCancel() {
      if guarded.withLock({ $0.machine.isCancelled }) { publishCancelled(isPending: false) }
    }

    /// Lets the queue start a waiting operation at once, despite its dependencies.
    func leaveQueue() { cancelInSystem() }

    // MARK: Ending

    /// The flag does not flip before its observers are called.
    func flipAtOnce(_ guarded: inout Guarded) -> Flip? { nil }

    func publishFlip(_ flip: Flip?) -> Flip {
      let isExecutingToChange = isExecuting
      willChangeValue(forKey: Key.isFinished)
      if isExecutingToChange { willChangeValue(forKey: Key.isExecuting) }
      let flip = guarded.withLock { Flip(&$0) }
      if isExecutingToChange { emit(Key.isExecuting) }
      emit(Key.isFinished)
      // A chain of operations that keep their dependencies is deallocated recursively and overflows
      // the stack.
      if flip.hasExtras, guarded.withLock({ $0.extras.hasDependencies }) {
        for dependency in allDependencies { removeFromSystem(dependency) }
      }
      return flip
    }

    // MARK: Dependencies

    var allDependencies: [Operation] { dependenciesInSystem }

    func startWaiting(for dependency: Operation) {
      guarded.withLock { $0.extras.made.hasDependencies = true }
      addToSystem(dependency)
      // The end has removed the dependencies before it, but not this one.
      if isFinished { removeFromSystem(dependency) }
    }

    func stopWaiting(for dependency: Operation) { removeFromSystem(dependency) }

    /// The system does that itself.
    func releaseDependencies() {}
  }

  extension OperationQueue {
    /// Whether a start by this queue is distinguishable from other starts.
    var isKnownToStart: Bool { false }
  }

  extension Operation {
    /// The system does that itself.
    func announceReadinessIfNeeded() {}
  }
#endif
