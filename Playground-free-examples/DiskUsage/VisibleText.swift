/// A name as a terminal can show it: in a known number of columns, and unable to do anything to it.
///
/// What is not UTF-8 becomes `\xff`; what would be invisible, or do something, `\n` or `\u{1b}`; and a
/// backslash `\\`, so that no two names look alike because of that.
struct VisibleText {
  /// A character with all that is drawn over it, or an escape.
  private struct Piece {
    var text: String
    let columns: Int
  }

  private var pieces: [Piece] = []

  init(_ name: some Collection<UInt8>) {
    var parser = Unicode.UTF8.ForwardParser()
    var bytes = name.makeIterator()
    var rest = name[...]
    while true {
      switch parser.parseScalar(from: &bytes) {
      case .valid(let encoded):
        append(Unicode.UTF8.decode(encoded))
        rest = rest.dropFirst(encoded.count)
      case .error(let length):
        for byte in rest.prefix(length) { append(escape: "\\x" + String(byte, radix: 16)) }
        rest = rest.dropFirst(length)
      case .emptyInput:
        return
      }
    }
  }

  init(_ text: String) { self.init(Array(text.utf8)) }

  var text: String { pieces.map(\.text).joined() }
  var columns: Int { pieces.reduce(0) { $0 + $1.columns } }

  /// The text in at most so many columns; what is cut off at its end, or at its start, becomes an
  /// ellipsis.
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

  private mutating func append(_ scalar: Unicode.Scalar) {
    switch scalar.columns {
    case nil:
      append(escape: Self.escape(scalar))
    case 0?:
      // It is drawn over what comes before it, which must be a part of the same name.
      if pieces.isEmpty { pieces.append(Piece(text: "◌", columns: 1)) }
      pieces[pieces.count - 1].text.unicodeScalars.append(scalar)
    case let columns?:
      pieces.append(
        Piece(text: scalar == "\\" ? "\\\\" : String(scalar), columns: scalar == "\\" ? 2 : columns)
      )
    }
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
