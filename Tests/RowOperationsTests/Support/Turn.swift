import Dispatch

/// Waits for what the main queue has to do by now.
@MainActor
func turn() async {
  await withCheckedContinuation { turn in DispatchQueue.main.async { turn.resume() } }
}
