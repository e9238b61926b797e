import Foundation

extension AsyncOperation {
  /// Lets go of what the system would keep until the operation is deallocated.
  ///
  /// A chain of operations that keep their dependencies is deallocated recursively and overflows
  /// the stack at some 40,000 links.
  func removeAllDependencies() {
    let all = dependencies
    guard !all.isEmpty else { return }
    oneAtATime { for dependency in all { super.removeDependency(dependency) } }
    // None of them ends its life under the lock.
    withExtendedLifetime(all) {}
  }
}

#if !canImport(ObjectiveC)
  // What the system's own dependencies get wrong where there is no Objective-C runtime.

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

  extension AsyncOperation {
    /// To be called after anything that the system answers with what it has read before, and after
    /// anything that can make an operation unready that is leaving its queue.
    func settleReadiness() {
      if !isReady {
        let waits = dependencies.contains { !$0.isFinished }
        if guarded.withLock({ $0.place.unreadinessSeen(waits: waits) }) { super.cancel() }
      }
      announceReadiness()
    }

    /// Lets the queue start a waiting operation at once, whatever it depends on.
    ///
    /// Where it is ready anyway, telling the queue is enough, and that repairs a wake-up that the
    /// queue had lost.
    func leaveQueue() {
      guarded.withLock { $0.place.leaveRequested() }
      if isReady { emit(Key.isReady) } else { settleReadiness() }
    }

    // MARK: Adding and removing

    private static let changing = Lock(())
    @TaskLocal private static var isChanging = false

    /// Adds or removes dependencies, one thread at a time.
    ///
    /// The system locks the dependency, then the dependent; two threads that do that with two
    /// operations of a circle would wait for each other. The system announces readiness in here, which
    /// reads `isReady` and may dispatch a start; neither comes back here, unless a subclass overrides
    /// `isReady` and adds dependencies in it: that thread passes.
    func oneAtATime(_ change: () -> Void) {
      guard !Self.isChanging else { return change() }
      Self.changing.withLock { _ in Self.$isChanging.withValue(true, operation: change) }
    }

    /// Whether the system gets over the removal of a dependency.
    ///
    /// It does not correct its count of unfinished dependencies if the removed one was among them,
    /// and takes a finished one off the count if it was told to cancel the operation: both leave the
    /// operation never ready. As long as it is ready, no unfinished one is left, and a dependency
    /// that stays is let go of in the end.
    func isSafeToRemove(_ dependency: Operation) -> Bool {
      guard !guarded.withLock({ $0.place.isSystemCancelled }) else { return false }
      if isReady { return true }
      if !dependency.isFinished, dependencies.contains(where: { $0 === dependency }) {
        OperationDiagnostics.report(
          .removedUnfinishedDependency, self,
          """
          It was to stop waiting for an unfinished dependency, which the system cannot do here. It \
          still waits. Cancel it to end its waiting.
          """)
      }
      return false
    }

    // MARK: Ending

    /// Takes leave of dependencies that may not have finished.
    ///
    /// In an emission the system locks the operation, then its dependents: two in a circle that end
    /// at once would wait for each other. In other cases the removal can wait until the operation is
    /// out of its queue, which has less to do then.
    func willEmitEnd(isSystemCancelled: Bool) {
      guard isSystemCancelled || !isReady else { return }
      removeAllDependencies()
    }

    /// Keeps the place of an operation that its queue starts before it is ready, as it was cancelled.
    ///
    /// It may have waited for a barrier as well, which nothing can remove, and which keeps a bare
    /// pointer to it. Its place in the queue has to wait for the same barrier. That is seen to on the
    /// thread on which the queue starts it, as the end may be published by any other.
    func keepPlace() {
      guard hasDependencies, let queue = OperationQueue.current else { return }
      let isInQueue = guarded.withLock { guarded in
        // The main thread may have started one by hand that no queue has.
        guarded.place.isSystemCancelled && (!guarded.place.isFree || queue !== OperationQueue.main)
      }
      if isInQueue { queue.addOperation(Place { withExtendedLifetime(self) {} }) }
    }

    // MARK: Dropping

    /// The dependencies of the operations that a thread is deallocating, to be released in turn.
    private final class Dropped {
      var operations: [Operation] = []
    }

    /// Takes leave of the dependencies of an operation that is deallocated before it has finished.
    ///
    /// The system keeps a bare pointer to it in each of them, and would follow that when they finish.
    /// They are released one after the other: a long chain of them, each released by the end of the
    /// one before, would overflow the stack.
    func dropDependencies() {
      let key = "RowOperations.AsyncOperation.dropped"
      let threadDictionary = Thread.current.threadDictionary
      let outer = threadDictionary[key] as? Dropped
      let dropped = outer ?? Dropped()
      // Nothing else may keep them: what ends here is to end in the loop below.
      dropped.operations += dependencies
      removeAllDependencies()
      guard outer == nil else { return }
      threadDictionary[key] = dropped
      while dropped.operations.popLast() != nil {}
      threadDictionary[key] = nil
    }
  }
#else
  extension AsyncOperation {
    /// Lets the queue start a waiting operation at once, whatever it depends on.
    func leaveQueue() { super.cancel() }

    /// The system itself minds that.
    func settleReadiness() {}

    /// Adds or removes dependencies; the system itself takes care that threads do not meet in it.
    func oneAtATime(_ change: () -> Void) { change() }
  }
#endif
