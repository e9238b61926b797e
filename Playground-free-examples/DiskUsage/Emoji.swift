extension Character {
  /// Whether it is an emoji of several scalars, which takes two columns.
  ///
  /// Unicode Technical Standard 51 defines these:
  /// - an emoji with a variation selector, a skin tone or a keycap,
  /// - several of them with joiners between them,
  /// - a black flag with the tags of a region.
  ///
  /// Pairs of regional indicators need no rule, since their columns add up to two.
  var isEmojiSequence: Bool {
    var rest = Array(unicodeScalars)[...]
    guard rest.count > 1 else { return false }
    if rest.isTaggedFlag { return true }
    while rest.dropEmoji() {
      guard !rest.isEmpty else { return true }
      guard rest.popFirst() == .joiner else { return false }
    }
    return false
  }
}

extension ArraySlice<Unicode.Scalar> {
  /// Removes one emoji with its selector, skin tone or keycap from the start.
  fileprivate mutating func dropEmoji() -> Bool {
    guard let emoji = popFirst(), emoji.properties.isEmoji else { return false }
    let isSelected = first == .emojiSelector
    if isSelected { removeFirst() }
    if isSelected, emoji.isASCII, first == .keycap { removeFirst() }
    if emoji.properties.isEmojiModifierBase, first?.properties.isEmojiModifier == true {
      removeFirst()
    }
    return true
  }

  /// Whether it is the flag of a region such as England: `gbeng` in tags, and the tag that ends it.
  fileprivate var isTaggedFlag: Bool {
    first == "\u{1F3F4}" && last == "\u{E007F}" && (5...8).contains(count)
      && dropFirst().dropLast().allSatisfy {
        (0xE0030...0xE0039).contains($0.value) || (0xE0061...0xE007A).contains($0.value)
      }
  }
}

extension Unicode.Scalar {
  fileprivate static let joiner: Unicode.Scalar = "\u{200D}"
  fileprivate static let nonJoiner: Unicode.Scalar = "\u{200C}"
  fileprivate static let textSelector: Unicode.Scalar = "\u{FE0E}"
  fileprivate static let emojiSelector: Unicode.Scalar = "\u{FE0F}"
  fileprivate static let keycap: Unicode.Scalar = "\u{20E3}"

  /// Whether it only changes how the scalar before it looks, although it is invisible by itself.
  func changesShape(of before: Unicode.Scalar) -> Bool {
    switch self {
    case .joiner, .nonJoiner: before.properties.canonicalCombiningClass == .virama
    case .textSelector: before.properties.isEmoji
    default: properties.isVariationSelector && before.properties.isUnifiedIdeograph
    }
  }
}
