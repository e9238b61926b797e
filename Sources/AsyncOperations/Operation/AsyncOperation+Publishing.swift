import Foundation

/// Publishes the end of an operation.
///
/// One thread, chosen under the lock, calls the observers, flips the flag, and emits, with the lock
/// released.
extension AsyncOperation {
  enum Key {
    // Strings: key paths fail on some Apple systems and cost three times as much on Linux.
    static let isExecuting = "isExecuting"
    static let isFinished = "isFinished"
    static let isReady = "isReady"
  }

  /// The data that the publishing thread takes from under the lock when the flag flips.
  struct Flip {
    let isExecutingChanged: Bool
    /// The observers that were added while the `willFinish` observers were called.
    var lateObservers: [OperationObserver]?
    /// Whether the operation has extras, some of which its end removes.
    let hasExtras: Bool

    init(_ guarded: inout Guarded) {
      isExecutingChanged = guarded.machine.finishPublished()
      hasExtras = guarded.extras != nil
      swap(&lateObservers, &guarded.observers)
    }
  }

  /// Called under the lock by the thread that publishes the end.
  func beginEnd(_ guarded: inout Guarded, _ transition: inout Transition) {
    decideResult()
    swap(&transition.observers, &guarded.observers)
    if transition.observers == nil { transition.flip = flipAtOnce(&guarded) }
  }

  private func endGateAndWatchers() {
    let (gate, watchers) = guarded.withLock { guarded in
      guarded.extras?.home = nil
      return (guarded.extras?.gate, guarded.extras?.endWatchers.takeAll() ?? [])
    }
    gate?.operationFinished(self)
    for body in watchers { body() }
  }

  func publish(_ end: Transition) {
    if let observers = end.observers {
      for observer in observers { observer.willFinish?(self) }
    }
    let flip = publishFlip(end.flip)
    if let observers = end.observers {
      for observer in observers { observer.didFinish?(self) }
    }
    if let observers = flip.lateObservers {
      for observer in observers { observer.didFinish?(self) }
    }
    if flip.hasExtras { endGateAndWatchers() }
    didPublishFinish()
    hook?.finished(self)
  }
}
