/// A name as a terminal can show it: in a known number of columns, and harmless to the terminal.
///
/// - Bytes that are not UTF-8 become `\xff`.
/// - Characters that are invisible or control the terminal become `\n` or `\u{1b}`.
/// - A backslash becomes `\\`, so that an escape cannot be mistaken for a name that spells it.
struct VisibleText {
  /// A character as people see it, or an escape, which no cut divides.
  private struct Piece {
    var text = ""
    var columns = 0
    /// Whether terminals agree on the columns, unlike for emoji of several scalars.
    var isAgreed = true
  }

  private var pieces: [Piece] = []

  init(_ name: some Collection<UInt8>) {
    var parser = Unicode.UTF8.ForwardParser()
    var bytes = name.makeIterator()
    var rest = name[...]
    var run = String.UnicodeScalarView()
    while true {
      switch parser.parseScalar(from: &bytes) {
      case .valid(let encoded):
        run.append(Unicode.UTF8.decode(encoded))
        rest = rest.dropFirst(encoded.count)
      case .error(let length):
        append(&run)
        for byte in rest.prefix(length) { append(escape: "\\x" + String(byte, radix: 16)) }
        rest = rest.dropFirst(length)
      case .emptyInput:
        append(&run)
        return
      }
    }
  }

  init(_ text: String) { self.init(Array(text.utf8)) }

  var text: String { pieces.map(\.text).joined() }
  var columns: Int { pieces.reduce(0) { $0 + $1.columns } }
  /// Whether all terminals give the text the same number of columns.
  var isAgreed: Bool { pieces.allSatisfy(\.isAgreed) }

  /// The text in at most `limit` columns; an ellipsis replaces a part at the end or at the start.
  func fitted(to limit: Int, keepingEnd: Bool = false) -> VisibleText {
    guard columns > limit else { return self }
    var fitted = VisibleText("")
    guard limit > 0 else { return fitted }
    var room = limit - 1
    let kept = (keepingEnd ? pieces.reversed() : pieces).prefix { piece in
      room -= piece.columns
      return room >= 0
    }
    let ellipsis = Piece(text: "…", columns: 1)
    fitted.pieces = keepingEnd ? [ellipsis] + kept.reversed() : kept + [ellipsis]
    return fitted
  }

  /// Appends the characters of a run of valid UTF-8, and empties the run.
  private mutating func append(_ run: inout String.UnicodeScalarView) {
    for character in String(run) { append(character) }
    run.removeAll()
  }

  private mutating func append(_ character: Character) {
    guard !character.isEmojiSequence else {
      return pieces.append(Piece(text: String(character), columns: 2, isAgreed: false))
    }
    var piece = Piece()
    var before: Unicode.Scalar?
    for scalar in character.unicodeScalars {
      let changesShape = before.map(scalar.changesShape) ?? false
      before = scalar
      guard let columns = changesShape ? 0 : scalar.columns else {
        append(piece)
        piece = Piece()
        append(escape: Self.escape(scalar))
        continue
      }
      // A terminal draws a mark over the character before it, which must be part of the same name.
      if columns == 0, piece.text.isEmpty { piece = Piece(text: "◌", columns: 1) }
      piece.text += scalar == "\\" ? "\\\\" : String(scalar)
      piece.columns += scalar == "\\" ? 2 : columns
    }
    append(piece)
  }

  private mutating func append(_ piece: Piece) {
    if !piece.text.isEmpty { pieces.append(piece) }
  }

  private mutating func append(escape: String) {
    pieces.append(Piece(text: escape, columns: escape.utf8.count))
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    default: "\\u{\(String(scalar.value, radix: 16))}"
    }
  }
}
