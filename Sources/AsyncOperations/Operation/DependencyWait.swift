#if !canImport(ObjectiveC)
  import Foundation

  /// Stands between an operation and one of its dependencies.
  ///
  /// The system keeps a bare pointer from a dependency to its dependents, and follows it when the
  /// dependency finishes. An operation that is deallocated just then crashes the process. The
  /// system also cannot end the wait for an unfinished dependency. So the operation depends on
  /// waits alone, each of which depends on one dependency and is in no queue.
  ///
  /// A wait opens, and reads as finished, when the system reads its `isReady` after the dependency
  /// finished, or when the operation no longer waits. While its owner is deallocated, the wait
  /// emits nothing, so the system follows no pointer to the owner.
  ///
  /// The dependency has a bare pointer to the wait as well. So a thread with a strong reference to
  /// the wait detaches it, once, when the dependency is removed or the owner ends.
  ///
  /// - Thread A opens the wait as the dependency finishes; thread B detaches it. B leaves the
  ///   detaching to A, since the owner must depend on the wait until the emission has reached it.
  final class DependencyWait: Operation, @unchecked Sendable {
    // Sendable: any thread may read the weak reference, which is never written again; the rest is
    // behind its lock.
    private weak var owner: AsyncOperation?
    private let life = Lock(Life.closed)

    init(owner: AsyncOperation, dependency: Operation) {
      self.owner = owner
      super.init()
      super.addDependency(dependency)
    }

    override var isFinished: Bool { life.withLock { $0.isOpen } }

    override var isReady: Bool {
      let isReady = super.isReady
      if isReady { open() }
      return isReady
    }

    /// - Returns: Whether this call ended the wait.
    @discardableResult
    func open() -> Bool {
      guard life.withLock({ $0.openRequested() }) == .emit else { return false }
      emit()
      return true
    }

    func detach() {
      switch life.withLock({ $0.detachRequested() }) {
      case .none: break
      case .emit: emit()
      case .part: part()
      }
    }

    private func emit() {
      if let owner {
        withExtendedLifetime(owner) { didChangeValue(forKey: AsyncOperation.Key.isFinished) }
      }
      if life.withLock({ $0.emitted() }) == .part { part() } else { announceOwner() }
      if let owner, let home = owner.home, owner.isReady { home.operationBecameReady(owner) }
    }

    private func part() {
      for dependency in dependencies { removeDependency(dependency) }
      owner?.removeFromSystem(self)
      announceOwner()
    }

    /// Corrects the readiness that the queue remembers: another wait may have opened while the
    /// system noted an older value.
    ///
    /// An owner with one wait needs none, and each announcement costs O(waiting operations).
    private func announceOwner() {
      if let owner, owner.hasSeveralWaits, !owner.isFinished { owner.announceReadiness() }
    }

    enum Life: Hashable, Sendable {
      case closed
      /// A thread is emitting. Goes to `open`, or to `detached`.
      case opening(detaches: Bool)
      case open
      case detached

      enum Action: Hashable {
        case none
        /// Emit that the wait has finished, then report `emitted`.
        case emit
        case part
      }

      var isOpen: Bool { self != .closed }

      mutating func openRequested() -> Action {
        guard self == .closed else { return .none }
        self = .opening(detaches: false)
        return .emit
      }

      mutating func detachRequested() -> Action {
        switch self {
        case .closed:
          self = .opening(detaches: true)
          return .emit
        case .opening:
          self = .opening(detaches: true)
          return .none
        case .open:
          self = .detached
          return .part
        case .detached:
          return .none
        }
      }

      mutating func emitted() -> Action {
        guard case .opening(let detaches) = self else { return .none }
        self = detaches ? .detached : .open
        return detaches ? .part : .none
      }
    }
  }
#endif
