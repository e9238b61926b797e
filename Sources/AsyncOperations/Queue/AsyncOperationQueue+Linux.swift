#if !canImport(ObjectiveC)
  import Foundation

  extension AsyncOperationQueue: QueueHolding {
    func beginHold() { change { $0.held() } }

    func endHold() { change { $0.released() } }

    var isSuspendedByApp: Bool { holds.withLock { $0.isSuspended } }

    func suspend(_ isSuspended: Bool) { change { $0.suspended(isSuspended) } }

    private func change(_ change: (inout QueueHolds) -> Void) {
      var outcome = holds.withLock { holds in
        change(&holds)
        return holds.next()
      }
      while let isSuspended = outcome {
        isSystemSuspended = isSuspended
        outcome = holds.withLock { $0.passed() }
      }
    }
  }
#endif
