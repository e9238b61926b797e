import Foundation

/// An error of the library itself.
///
/// Errors of your own closures pass through untouched, and cancellation is always
/// `CancellationError`.
public struct OperationError: Error, Sendable {
  /// The kind of failure.
  ///
  /// Later versions may add more, so a `switch` needs a `default`.
  public struct Code: Hashable, Sendable {
    /// That of the `NSError`, unique in the package.
    let number: Int

    package init(number: Int) { self.number = number }

    /// The time limit of a load or an operation ran out.
    public static let timedOut = Code(number: 1)
    /// An operation with conditions or exclusive categories was added by a plain `addOperation`.
    public static let notEnqueued = Code(number: 2)
    /// A response has more bytes than the limit of its fetch.
    public static let tooLarge = Code(number: 3)
    /// Code that has a turn or a permit in an exclusive category requested a permit in it.
    public static let nestedPermit = Code(number: 4)
  }

  /// The kind of failure.
  public let code: Code
  /// The failure and its remedy, in sentences.
  public let description: String

  /// Makes an error, for your own operations and for tests.
  public init(code: Code, description: String) {
    self.code = code
    self.description = description
  }
}

extension OperationError: Hashable {
  /// Whether both errors have the same code.
  public static func == (a: OperationError, b: OperationError) -> Bool { a.code == b.code }

  /// Hashes the code.
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension OperationError: CustomNSError {
  /// The domain of these errors as `NSError`.
  public static let errorDomain = "AsyncOperations.OperationError"

  /// The number of the code.
  public var errorCode: Int { code.number }

  /// The description.
  public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }
}

extension OperationError: LocalizedError, CustomStringConvertible {
  /// The description.
  public var errorDescription: String? { description }
}
