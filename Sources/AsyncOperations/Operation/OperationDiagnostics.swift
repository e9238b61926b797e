import Foundation

/// A mistake in the use of this library, which it has made harmless.
public struct OperationMisuse: Sendable, CustomStringConvertible {
  /// What kind of mistake it is.
  public struct Code: Hashable, Sendable {
    private let name: String

    /// An operation was started again; the second start was ignored.
    public static let secondStart = Code(name: "secondStart")
    /// An operation that was not cancelled was finished again; the second finish was ignored.
    public static let secondFinish = Code(name: "secondFinish")
    /// An operation has no body; it finished at once.
    public static let missingBody = Code(name: "missingBody")
    /// An operation was to depend on itself; it does not.
    public static let dependsOnItself = Code(name: "dependsOnItself")
    /// An operation that a queue or a group has already, or that has started, was to be given to one;
    /// it was not.
    public static let secondEnqueue = Code(name: "secondEnqueue")
    /// An operation with conditions or exclusive categories was started without `enqueue`; it failed.
    public static let notEnqueued = Code(name: "notEnqueued")
    /// A condition or a category was added to an operation that was enqueued or started; it was ignored.
    public static let addedTooLate = Code(name: "addedTooLate")
    /// An operation that `enqueue` gave to a queue was started by hand; that start was ignored.
    public static let startedByHand = Code(name: "startedByHand")
    /// An operation was started by hand before it was ready; that start was ignored.
    public static let startedTooEarly = Code(name: "startedTooEarly")
    /// A cancellation handler of an operation's task has not returned for a second; other tasks are
    /// cancelled on another thread meanwhile.
    public static let blockedCancelHandler = Code(name: "blockedCancelHandler")
    /// Updates that were cancelled and go on hold all slots of a tracker, so that nothing loads.
    public static let ignoredCancellation = Code(name: "ignoredCancellation")
    /// A view was bound in a host that is the view itself or is inside of it; the host was ignored.
    public static let hostCircle = Code(name: "hostCircle")
  }

  /// What kind of mistake it is.
  public let code: Code
  /// The operation in question, if there is one.
  public let operation: AsyncOperation?
  /// What was wrong and what to do about it, in plain sentences.
  public let description: String
}

/// Where the library reports mistakes in its use.
public enum OperationDiagnostics {
  /// Called for each mistake, outside every lock.
  ///
  /// `nil`, the default, ignores them: what is reported is harmless. Set it early in debug builds and
  /// in tests, and print or fail there.
  ///
  /// **Threading**: any thread may read and set the property. It is called on the thread that makes the
  /// mistake; for `blockedCancelHandler`, on a background thread. It must not block.
  public static var onMisuse: (@Sendable (OperationMisuse) -> Void)? {
    get { hook.withLock { $0.onMisuse } }
    set { hook.exchange(Hook(onMisuse: newValue)) }
  }

  private struct Hook {
    var onMisuse: (@Sendable (OperationMisuse) -> Void)?
  }

  private static let hook = Lock(Hook())

  #if canImport(os)
    /// Whether operations that are made from now on show up as signposts: an interval from the start
    /// to the end of each, and an event where it was cancelled.
    ///
    /// `false`, the default, costs a lock acquisition per operation. Record them with Instruments
    /// (subsystem "RowOperations"). The property may be read and set from any thread.
    public static var signposts: Bool {
      get { signpostsFlag.withLock { $0 } }
      set { signpostsFlag.withLock { $0 = newValue } }
    }

    private static let signpostsFlag = Lock(false)
  #endif

  package static func report(
    _ code: OperationMisuse.Code, _ operation: AsyncOperation?, _ explanation: String
  ) {
    guard let onMisuse else { return }
    let subject = operation.map { $0.name ?? "\(type(of: $0))" }
    let description = subject.map { "\($0): \(explanation)" } ?? explanation
    onMisuse(OperationMisuse(code: code, operation: operation, description: description))
  }
}
