extension AsyncOperation {
  /// For how long code may go on after a cancel or an end.
  static var patience: Duration { .seconds(10) }

  /// Reports code of the operation that goes on for ten more seconds.
  ///
  /// Nothing can stop such code, which holds a thread, and may hold a slot or a turn.
  func watchWork(by timekeeper: Timekeeper) {
    let watch = timekeeper.call(after: Self.patience) { [weak self] in
      // The app's hook may block this thread.
      HelperThreads.errands.run { [weak self] in self?.reportWork() }
    }
    let isWanted = guarded.withLock { guarded in
      guard guarded.work > 0, guarded.overstay == nil else { return false }
      guarded.overstay = watch
      return true
    }
    if !isWanted { watch.cancel() }
  }

  private func reportWork() {
    guard guarded.withLock({ $0.work > 0 }) else { return }
    let held = context?.held ?? []
    let turn = held.isEmpty ? "" : ", and keeps its turn in \(held.names)"
    OperationDiagnostics.report(
      .ignoredCancellation, self,
      """
      Its work goes on ten seconds after its cancel or its end\(turn). In long steps, check \
      Task.isCancelled or call checkCancellation(). Wrap waits for callbacks in \
      withTaskCancellationHandler. If no body begins, make blocking calls on other threads than \
      those that run tasks.
      """)
  }
}
