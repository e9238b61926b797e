struct ListCoverage: Hashable, Sendable {
  struct Reasons: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The view is in no window.
    package static let window = Reasons(rawValue: 1)
    /// The app or its scene is in the background, or the window is not visible.
    static let background = Reasons(rawValue: 2)
    static let app = Reasons(rawValue: 4)
    /// The view or one around it is hidden.
    static let hidden = Reasons(rawValue: 8)
  }

  enum Change: Hashable, Sendable {
    case none
    case covered
    case uncovered
  }

  private var reasons: Reasons = []

  init() {}

  var isCovered: Bool { !reasons.isEmpty }

  func contains(_ reason: Reasons) -> Bool { reasons.contains(reason) }

  mutating func began(_ reason: Reasons) -> Change {
    let wasCovered = isCovered
    reasons.insert(reason)
    return wasCovered || !isCovered ? .none : .covered
  }

  mutating func ended(_ reason: Reasons) -> Change {
    let wasCovered = isCovered
    reasons.remove(reason)
    return wasCovered && !isCovered ? .uncovered : .none
  }
}
