import Dispatch

@testable import RowOperations

extension RowPhase {
  /// The phase without its values.
  var kind: LoadPhase {
    switch self {
    case .idle: .idle
    case .waiting: .waiting
    case .loading: .loading
    case .loaded: .loaded
    case .failed: .failed
    }
  }
}

extension DisplayTracker {
  /// Waits for the turns that are scheduled on the main queue.
  func pendingTurns() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async { continuation.resume() }
    }
  }
}
