/// Properties of the screen and the system that values of rows can depend on.
public struct ValueTraits: OptionSet, Hashable, Sendable {
  /// The bits of the set.
  public let rawValue: UInt8

  /// Makes a set from its bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Light or dark.
  public static let colors = ValueTraits(rawValue: 1)
  /// The number of pixels per point.
  public static let scale = ValueTraits(rawValue: 2)
  /// The user's preferred text size.
  public static let textSize = ValueTraits(rawValue: 4)
}

/// The current appearance of a list, as far as values can depend on it.
struct ListAppearance: Hashable, Sendable {
  var isDark: Bool
  /// Pixels per point.
  var scale: Double
  var textSize: String

  init(isDark: Bool = false, scale: Double = 1, textSize: String = "") {
    (self.isDark, self.scale, self.textSize) = (isDark, scale, textSize)
  }

  func differs(from other: ListAppearance, in traits: ValueTraits) -> Bool {
    traits.contains(.colors) && isDark != other.isDark
      || traits.contains(.scale) && scale != other.scale
      || traits.contains(.textSize) && textSize != other.textSize
  }
}

/// Decides when a change of the appearance outdates values.
///
/// When an app goes into the background, the system switches it to light, to dark and back, and
/// takes a picture of each. That outdates no value. So a change in the background counts only if it
/// still exists when the app returns.
struct AppearanceWatch: Hashable, Sendable {
  /// The traits that values depend on.
  var traits: ValueTraits = []

  /// The appearance for which the values are up to date.
  private var valid: ListAppearance?
  private var current: ListAppearance?
  private var isInBackground = false

  init() {}

  /// Records a new appearance.
  ///
  /// - Returns: Whether all values are out of date.
  package mutating func changed(to new: ListAppearance) -> Bool {
    current = new
    return validate()
  }

  mutating func wentIntoBackground() { isInBackground = true }

  /// - Returns: Whether all values are out of date.
  mutating func cameBack() -> Bool {
    isInBackground = false
    return validate()
  }

  private mutating func validate() -> Bool {
    guard !isInBackground, let current else { return false }
    defer { valid = current }
    return valid.map { current.differs(from: $0, in: traits) } ?? false
  }
}
