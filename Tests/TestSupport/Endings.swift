import Foundation

/// Opens a gate when it is deallocated.
final class Token: Sendable {
  private let gate: Gate

  init(_ gate: Gate) { self.gate = gate }

  deinit { gate.open() }
}

/// Opens a gate when it is deallocated.
final class WatchedQueue: OperationQueue, @unchecked Sendable {
  // Sendable: it never changes.
  private let deallocated: Gate

  init(_ deallocated: Gate) { self.deallocated = deallocated }

  deinit { deallocated.open() }
}
