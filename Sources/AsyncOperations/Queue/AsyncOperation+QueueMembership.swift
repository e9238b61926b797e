import Foundation

extension AsyncOperation {
  /// The queue or group that has an operation, as a value.
  ///
  /// An operation belongs to the first that claims or adds it, unless that gives its claim back.
  struct QueueMembership: Hashable, Sendable {
    typealias Queue = ObjectIdentifier

    private enum Custody: Hashable {
      case free
      /// Held for the queue. Goes to `added`, or back to `free`.
      case claimed(by: Queue)
      case added(to: Queue)
    }

    private var custody = Custody.free
    var qualityOfService = QualityOfService.default

    func isIn(_ queue: Queue) -> Bool { custody == .added(to: queue) }

    var isAdded: Bool { if case .added = custody { true } else { false } }
    var isTaken: Bool { custody != .free }
    var isClaimed: Bool { isTaken && !isAdded }

    /// - Returns: Whether the queue has it now.
    mutating func claimRequested(by queue: Queue) -> Bool {
      guard custody == .free else { return false }
      custody = .claimed(by: queue)
      return true
    }

    mutating func claimReturned(by queue: Queue) {
      if custody == .claimed(by: queue) { custody = .free }
    }

    /// - Returns: Whether the caller must add the operation to the queue.
    mutating func addRequested(by queue: Queue) -> Bool {
      guard custody == .free || custody == .claimed(by: queue) else { return false }
      custody = .added(to: queue)
      return true
    }
  }
}
