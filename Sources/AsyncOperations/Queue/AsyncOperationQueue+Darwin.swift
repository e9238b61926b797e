#if canImport(ObjectiveC)
  /// The system's queue does not go through all waiting operations for each that becomes ready.
  extension AsyncOperationQueue: QueueHolding {
    func beginHold() {}

    func endHold() {}

    var isSuspendedByApp: Bool { isSystemSuspended }

    func suspend(_ isSuspended: Bool) { isSystemSuspended = isSuspended }
  }
#endif
