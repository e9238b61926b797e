/// The name of a step in a row's update.
///
/// Use the three common ones, or your own:
///
/// ```swift
/// let digest = try await context.stage("digest") { try hash(bytes) }
/// ```
public struct UpdateStage: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The stage's name.
  public let name: String

  /// Getting the row's data.
  public static let fetch: UpdateStage = "fetch"
  /// Making a value of the data.
  public static let decode: UpdateStage = "decode"
  /// Showing the value, on the main actor.
  public static let apply: UpdateStage = "apply"

  /// Makes a stage of the given name.
  public init(_ name: String) { self.name = name }

  /// Makes a stage of the given name.
  public init(stringLiteral name: String) { self.init(name) }

  /// The stage's name.
  public var description: String { name }
}
