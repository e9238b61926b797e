extension TrackerCore {
  /// Sets a timer for the next turn that no input requests.
  func updateTimer() {
    var deadline = state.engine.nextDeadline
    if let next = follower?.nextDeadline { deadline = min(deadline ?? next, next) }
    guard deadline != timer?.deadline else { return }
    // An early timer sets another one, which is cheaper than a new timer each time.
    if let deadline, let timer, timer.deadline < deadline { return }
    timer?.task.cancel()
    timer = nil
    guard let deadline else { return }
    let sleep = state.clock.sleep
    timer = (
      deadline,
      Task { [weak self] in
        do {
          try await sleep(deadline)
        } catch {
          // A failing clock is read again, so that no deadline is lost.
          guard !Task.isCancelled, (try? await Task.sleep(for: .milliseconds(50))) != nil
          else { return }
        }
        guard !Task.isCancelled else { return }
        self?.timerFired()
      }
    )
  }

  private func timerFired() {
    timer = nil
    takeTurn()
  }
}
