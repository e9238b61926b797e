import Foundation

/// How the end of an operation reaches everybody: one thread, chosen under the lock, calls the
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

  /// What the publishing thread takes along from the lock under which the flag flipped.
  struct Flip {
    let isExecutingChanged: Bool
    /// Those that were added while the `willFinish` observers were called.
    var lateObservers: [OperationObserver]?
    var platform: PlatformEnd

    init(_ guarded: inout Guarded) {
      isExecutingChanged = guarded.machine.finishPublished()
      platform = PlatformEnd(&guarded.platform)
      swap(&lateObservers, &guarded.observers)
    }
  }

  /// Called under the lock by the thread that is to publish the end.
  func beginEnd(_ guarded: inout Guarded) -> End {
    settle()
    var end = End()
    swap(&end.observers, &guarded.observers)
    if end.observers == nil { end.flip = flipAtOnce(&guarded) }
    return end
  }

  func publish(_ end: End) {
    for observer in end.observers ?? [] { observer.willFinish?(self) }
    let flip = publishFlip(end.flip)
    for observer in end.observers ?? [] { observer.didFinish?(self) }
    for observer in flip.lateObservers ?? [] { observer.didFinish?(self) }
    didPublishFinish()
    hook?.finished(self)
  }
}
