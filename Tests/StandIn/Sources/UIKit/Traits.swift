public struct UITraitCollection: Hashable, Sendable {
  public internal(set) var userInterfaceStyle = UIUserInterfaceStyle._light
  public internal(set) var displayScale = 2.0
  public internal(set) var preferredContentSizeCategory = UIContentSizeCategory(rawValue: "L")

  package init(isDark: Bool = false, scale: Double = 2, textSize: String = "L") {
    userInterfaceStyle = isDark ? .dark : ._light
    displayScale = scale
    preferredContentSizeCategory = UIContentSizeCategory(rawValue: textSize)
  }
}

public enum UIUserInterfaceStyle: Sendable {
  case _light
  case dark
}

public struct UIContentSizeCategory: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

public protocol UITraitDefinition {}
public enum UITraitUserInterfaceStyle: UITraitDefinition {}
public enum UITraitDisplayScale: UITraitDefinition {}
public enum UITraitPreferredContentSizeCategory: UITraitDefinition {}

@MainActor
public protocol _TraitChangeObservable: UIView {}
extension UIView: _TraitChangeObservable {}

extension _TraitChangeObservable {
  public func registerForTraitChanges(
    _ traits: [any UITraitDefinition.Type],
    handler: @escaping (_ view: Self, _ previous: UITraitCollection) -> Void
  ) {
    traitHandlers.append { view, previous in
      handler(unsafeDowncast(view, to: Self.self), previous)
    }
  }
}

extension UIView {
  /// A change calls both the override and the registered handlers.
  func traitsChanged(from previous: UITraitCollection) {
    traitCollectionDidChange(previous)
    for handler in traitHandlers { handler(self, previous) }
    for view in subviews { view.traitsChanged(from: previous) }
  }
}
