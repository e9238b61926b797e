extension Unicode.Scalar {
  /// How many columns it takes on a terminal; `nil` if it is invisible or controls the terminal.
  ///
  /// Wide scalars take 2. Marks take 0, since the terminal draws them over the scalar before.
  var columns: Int? {
    if isASCII { return (0x20..<0x7F).contains(value) ? 1 : nil }
    if properties.isDefaultIgnorableCodePoint { return nil }
    switch properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
      .paragraphSeparator:
      return nil
    case .nonspacingMark, .enclosingMark:
      return 0
    default:
      return isJoiningJamo ? 0 : isWide ? 2 : 1
    }
  }

  /// Whether it is the vowel or the end of a spelled Hangul syllable, drawn into the first letter.
  private var isJoiningJamo: Bool {
    (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value)
  }

  private var isWide: Bool {
    if properties.isEmojiPresentation { return !(0x1F1E6...0x1F1FF).contains(value) }
    return value >= 0x1100 && Self.wide.contains { $0.contains(value) }
  }

  /// East Asian Width W and F (Unicode Standard Annex 11).
  ///
  /// Emoji are missing, since the standard library knows them; so are unassigned code points.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2630...0x2637, 0x268A...0x268F, 0x2E80...0x303E,
    0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF,
    0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DF2,
    0x1AFF0...0x1B2FB, 0x1D300...0x1D376, 0x1F200...0x1F265, 0x20000...0x3FFFD,
  ]
}
