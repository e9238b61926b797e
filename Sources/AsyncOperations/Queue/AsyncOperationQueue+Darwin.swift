#if canImport(ObjectiveC)
  /// The system's queue does not go through all waiting operations for each that becomes ready.
  extension AsyncOperationQueue {
    func changeHolds(_ change: (inout QueueHolds) -> Void) {}

    var isSuspendedByApp: Bool { isSystemSuspended }

    func suspend(_ isSuspended: Bool) { isSystemSuspended = isSuspended }
  }
#endif
