#if !canImport(ObjectiveC)
  import Foundation

  extension AsyncOperationQueue {
    var isSuspendedByApp: Bool { holds.withLock { $0.isSuspended } }

    func suspend(_ isSuspended: Bool) { changeHolds { $0.suspended(isSuspended) } }

    func changeHolds(_ change: (inout QueueHolds) -> Void) {
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
