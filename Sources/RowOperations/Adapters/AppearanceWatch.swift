/// What values of rows can depend on, beside their rows.
public struct ValueTraits: OptionSet, Hashable, Sendable {
  /// The bits of the set.
  public let rawValue: UInt8

  /// Makes a set from its bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Light or dark.
  public static let colors = ValueTraits(rawValue: 1)
  /// How many pixels a point has.
  public static let scale = ValueTraits(rawValue: 2)
  /// The size of text that the user prefers.
  public static let textSize = ValueTraits(rawValue: 4)
}

/// How a list looks at the moment, as far as values can depend on it.
package struct ListAppearance: Hashable, Sendable {
  package var isDark: Bool
  /// Pixels per point.
  package var scale: Double
  package var textSize: String

  package init(isDark: Bool = false, scale: Double = 1, textSize: String = "") {
    (self.isDark, self.scale, self.textSize) = (isDark, scale, textSize)
  }

  func differs(from other: ListAppearance, in traits: ValueTraits) -> Bool {
    traits.contains(.colors) && isDark != other.isDark
      || traits.contains(.scale) && scale != other.scale
      || traits.contains(.textSize) && textSize != other.textSize
  }
}

/// Decides when a change of the appearance makes values out of date.
///
/// When an app goes into the background, the system switches it to light, to dark and back, and
/// takes a picture of each. No value is out of date because of that. So a change in the background
/// counts when the app comes back, if there still is one.
package struct AppearanceWatch: Hashable, Sendable {
  /// What values depend on.
  package var traits: ValueTraits = []

  /// How the list looked when values were last known to be up to date.
  private var valid: ListAppearance?
  private var current: ListAppearance?
  private var isInBackground = false

  package init() {}

  /// The appearance is this now.
  ///
  /// - Returns: Whether all values are out of date.
  package mutating func changed(to new: ListAppearance) -> Bool {
    current = new
    return validate()
  }

  package mutating func wentIntoBackground() { isInBackground = true }

  /// - Returns: Whether all values are out of date.
  package mutating func cameBack() -> Bool {
    isInBackground = false
    return validate()
  }

  private mutating func validate() -> Bool {
    guard !isInBackground, let current else { return false }
    defer { valid = current }
    return valid.map { current.differs(from: $0, in: traits) } ?? false
  }
}
