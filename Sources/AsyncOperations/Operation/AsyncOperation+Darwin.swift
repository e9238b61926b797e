#if canImport(ObjectiveC)
  import Foundation

  /// What is different where changes are observed by key: each needs a call before it and one after,
  /// and the system manages dependencies itself.
  extension AsyncOperation {
    struct PlatformState {
      /// Whether it ever had a dependency.
      var hasDependencies = false

      var hasExtras: Bool { hasDependencies }
    }

    static var noPlatformState: PlatformState { PlatformState() }

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

    /// The system sets its flag between the two calls that announce the change, so that observers read
    /// the old value before it and the new one after.
    var isSystemCancelled: Bool { isCancelledInSystem }

    func publishCancelled(isPending: Bool) {
      if !isCancelledInSystem { cancelInSystem() }
    }

    /// A cancel during the start calls no observer yet, but whoever called it must read the flag.
    func publishRecordedCancel() {
      if guarded.withLock({ $0.machine.isCancelled }) { publishCancelled(isPending: false) }
    }

    /// Lets the queue start a waiting operation at once, whatever it depends on.
    func leaveQueue() { cancelInSystem() }

    // MARK: Ending

    /// Nothing flips before its observers were called.
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
      if flip.hasExtras {
        for dependency in allDependencies { removeFromSystem(dependency) }
      }
      return flip
    }

    // MARK: Dependencies

    var allDependencies: [Operation] { dependenciesInSystem }

    func startWaiting(for dependency: Operation) {
      guarded.withLock { $0.platform.hasDependencies = true }
      addToSystem(dependency)
      // Nobody else removes what comes after the end.
      if isFinished { removeFromSystem(dependency) }
    }

    func stopWaiting(for dependency: Operation) { removeFromSystem(dependency) }

    /// The system does that itself.
    func releaseDependencies() {}
  }

  extension OperationQueue {
    /// Whether the starts that this queue makes can be told from others.
    var isKnownToStart: Bool { false }
  }

  extension Operation {
    /// The system does that itself.
    func announceReadinessIfNeeded() {}
  }
#endif
