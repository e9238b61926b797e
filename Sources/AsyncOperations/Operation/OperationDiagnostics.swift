import Foundation

/// A mistake in the use of this library.
///
/// Most mistakes are made harmless. Circles of waits, and code that blocks or goes on, are only
/// reported.
public struct OperationMisuse: Sendable, CustomStringConvertible {
  /// The kind of mistake.
  ///
  /// Later versions may add more.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name of the code, for a log.
    public let description: String

    package init(name: String) { description = name }

    /// An operation was started again, which was ignored.
    public static let secondStart = Code(name: "secondStart")
    /// An operation that was not cancelled was finished again, which was ignored.
    public static let secondFinish = Code(name: "secondFinish")
    /// An operation has no body; it finished at once.
    public static let missingBody = Code(name: "missingBody")
    /// A dependency of an operation on itself was refused.
    public static let dependsOnItself = Code(name: "dependsOnItself")
    /// An operation that has started, or that a queue or a group has, was added again, which was
    /// ignored.
    public static let secondEnqueue = Code(name: "secondEnqueue")
    /// An operation with conditions or exclusive categories was started without `enqueue`; it
    /// failed.
    public static let notEnqueued = Code(name: "notEnqueued")
    /// A condition or a category was added after the enqueue, and ignored; or a child after the end
    /// of its group, and cancelled.
    public static let addedTooLate = Code(name: "addedTooLate")
    /// Operations and tasks wait for each other in a circle; nothing was changed.
    public static let circularWait = Code(name: "circularWait")
    /// A group was added to itself, or to a group inside it, which was ignored.
    public static let containsItself = Code(name: "containsItself")
    /// Code that has a turn or a permit in a category requested a permit in it; that failed.
    public static let nestedPermit = Code(name: "nestedPermit")
    /// A cancellation handler of a task has not returned for a second.
    public static let blockedCancelHandler = Code(name: "blockedCancelHandler")
    /// The body or a condition of a cancelled operation, or a turn, has outlived the operation for
    /// ten seconds.
    ///
    /// Without an operation: such bodies hold all slots of a tracker.
    public static let ignoredCancellation = Code(name: "ignoredCancellation")
  }

  /// The kind of mistake.
  public let code: Code
  /// The operation, if there is one.
  public let operation: AsyncOperation?
  /// The mistake and its remedy, in sentences.
  public let description: String
}

/// Where the library reports mistakes in its use.
public enum OperationDiagnostics {
  /// Called for each mistake, outside every lock.
  ///
  /// The default prints to standard error in debug builds, or with `ROWOPERATIONS_MISUSE=print` in
  /// the environment; otherwise it is `nil`.
  ///
  /// **Threading**: any thread may set it. It is called on the thread that makes the mistake, or on
  /// a background thread for `blockedCancelHandler` and `ignoredCancellation`, and must not block.
  public static var onMisuse: (@Sendable (OperationMisuse) -> Void)? {
    get { hook.onMisuse }
    set { hook.onMisuse = newValue }
  }

  private static let hook = MisuseHook()

  package static func report(
    _ code: OperationMisuse.Code, _ operation: AsyncOperation?, _ explanation: String
  ) {
    hook.report(code, operation, explanation)
  }
}

final class MisuseHook: Sendable {
  private struct State {
    var onMisuse: (@Sendable (OperationMisuse) -> Void)?
  }

  private let state = Lock(State())

  init(
    _ environment: [String: String] = ProcessInfo.processInfo.environment,
    printingTo output: FileHandle = .standardError
  ) {
    #if !DEBUG
      guard environment["ROWOPERATIONS_MISUSE"] == "print" else { return }
    #endif
    onMisuse = { misuse in
      output.write(Data("AsyncOperations: \(misuse.code): \(misuse.description)\n".utf8))
    }
  }

  var onMisuse: (@Sendable (OperationMisuse) -> Void)? {
    get { state.withLock { $0.onMisuse } }
    set { state.exchange(State(onMisuse: newValue)) }
  }

  func report(
    _ code: OperationMisuse.Code, _ operation: AsyncOperation?, _ explanation: String
  ) {
    guard !(operation is PrivateOperation), let onMisuse else { return }
    let description = operation.map { "\($0.displayName): \(explanation)" } ?? explanation
    onMisuse(OperationMisuse(code: code, operation: operation, description: description))
  }
}
