import Foundation

/// How the end of an operation reaches everybody: one thread, chosen under the lock, tells the
/// observers, flips the flag, and emits, with the lock released.
extension AsyncOperation {
  enum Key {
    // Strings: key paths fail on some Apple systems and cost three times as much on Linux.
    static let isExecuting = "isExecuting"
    static let isFinished = "isFinished"
    static let isReady = "isReady"
  }

  /// What the publishing thread takes along from the lock under which it was chosen.
  struct End {
    var observers: [OperationObserver]?
    /// Set when nothing has to happen before the flag flips, so that it flipped at once.
    var flip: Flip?
  }

  struct Flip {
    let isExecutingChanged: Bool
    let hasDependencies: Bool
    #if !canImport(ObjectiveC)
      var completion: (@Sendable () -> Void)?
      let isSystemCancelled: Bool
    #endif

    init(_ guarded: inout Guarded, hasDependencies: Bool) {
      isExecutingChanged = guarded.machine.finishPublished()
      self.hasDependencies = hasDependencies
      #if !canImport(ObjectiveC)
        swap(&completion, &guarded.completion)
        isSystemCancelled = guarded.place.isSystemCancelled
      #endif
    }
  }

  /// Called under the lock by the thread that is to publish the end.
  func beginEnd(_ guarded: inout Guarded) -> End {
    settle()
    var end = End()
    swap(&end.observers, &guarded.observers)
    #if !canImport(ObjectiveC)
      if end.observers == nil {
        end.flip = Flip(&guarded, hasDependencies: hasDependencies)
      }
    #endif
    return end
  }

  func publish(_ end: End) {
    if let observers = end.observers {
      for observer in observers { observer.willFinish?(self) }
    }
    let flip = end.flip ?? flip()
    #if !canImport(ObjectiveC)
      if flip.hasDependencies { willEmitEnd(isSystemCancelled: flip.isSystemCancelled) }
    #endif
    if flip.isExecutingChanged { emit(Key.isExecuting) }
    emit(Key.isFinished)
    #if !canImport(ObjectiveC)
      if let completion = flip.completion {
        DispatchQueue.global().async { withExtendedLifetime(self) { completion() } }
      }
    #endif
    if flip.hasDependencies { removeAllDependencies() }
    didPublishFinish()
    hook?.finished(self)
  }

  private func flip() -> Flip {
    #if canImport(ObjectiveC)
      if isExecuting { willChangeValue(forKey: Key.isExecuting) }
      willChangeValue(forKey: Key.isFinished)
    #endif
    return guarded.withLock { Flip(&$0, hasDependencies: hasDependencies) }
  }
}
