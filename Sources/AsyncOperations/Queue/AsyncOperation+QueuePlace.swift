import Foundation

extension AsyncOperation {
  /// Which queue or group has an operation, as a value.
  ///
  /// It belongs to the first one that claims or adds it, unless that one gives its claim back.
  struct QueuePlace: Hashable, Sendable {
    typealias Queue = ObjectIdentifier

    private enum Custody: Hashable {
      /// Goes to `claimed` or `added`.
      case free
      /// It is held for the queue `owner`. Goes to `added`, or back to `free`.
      case claimed
      /// The only queue to start it is `owner`, if that is set.
      case added
    }

    // Beside it and not in it, which would make every operation larger.
    private var owner: Queue?
    private var custody = Custody.free
    /// That of the queue that added it.
    var qualityOfService = QualityOfService.default

    /// The only queue to start it, if there is such a queue.
    var starter: Queue? { custody == .added ? owner : nil }

    var isAdded: Bool { custody == .added }
    var isTaken: Bool { custody != .free }

    /// - Returns: Whether the queue has it now.
    mutating func claimRequested(by queue: Queue) -> Bool {
      guard custody == .free else { return false }
      (custody, owner) = (.claimed, queue)
      return true
    }

    mutating func claimReturned(by queue: Queue) {
      if custody == .claimed, owner == queue { (custody, owner) = (.free, nil) }
    }

    /// - Parameter isOnlyStarter: Whether a start by the queue can be told from others.
    /// - Returns: Whether the queue is to add it.
    mutating func addRequested(by queue: Queue, isOnlyStarter: Bool) -> Bool {
      guard custody == .free || custody == .claimed && owner == queue else { return false }
      (custody, owner) = (.added, isOnlyStarter ? queue : nil)
      return true
    }
  }
}
