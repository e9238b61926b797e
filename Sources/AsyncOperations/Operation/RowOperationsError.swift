/// An error of the library itself.
///
/// Errors of your own closures pass through untouched, and cancellation is always
/// `CancellationError`. This type is for the failures that only the library can detect.
public struct RowOperationsError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure.
  ///
  /// Later versions may add codes, so a `switch` needs a `default`.
  public struct Code: Hashable, Sendable {
    private let name: String

    /// The time limit of a load or an operation ran out.
    public static let timedOut = Code(name: "timedOut")
    /// An operation with conditions or exclusive categories was added by a plain `addOperation`,
    /// which skips them.
    public static let notEnqueued = Code(name: "notEnqueued")
    /// An update operation was made without a closure and does not override `update(_:)`.
    public static let missingUpdate = Code(name: "missingUpdate")
    /// A tracker received an operation that it cannot run: of another row, or already started.
    public static let unusableOperation = Code(name: "unusableOperation")
    /// A response has more bytes than the limit of its fetch.
    public static let tooLarge = Code(name: "tooLarge")
  }

  /// The kind of failure.
  public let code: Code
  /// The failure and its remedy, in plain sentences.
  public let description: String

  /// Makes an error, for operations that extend the library and for tests of how an app shows it.
  public init(code: Code, description: String) {
    self.code = code
    self.description = description
  }
}
