import Foundation

extension Options {
  /// Refuses options that contradict each other, or have no effect together.
  ///
  /// - Parameter given: The names of the options on the command line.
  func check(_ given: Set<String>) throws {
    try checkFilm()
    if folder != nil, origin != nil {
      throw Complaint("--folder and --origin exclude each other: rows come from one place.")
    }
    if live != nil, batch != nil {
      throw Complaint("--live and --batch exclude each other: a live row listens alone.")
    }
    for (name, reason) in needless(given) where given.contains(name) {
      throw Complaint("\(name) has no effect \(reason).")
    }
    if !path.hasPrefix("/") || !path.contains("{row}") {
      throw Complaint("--path must begin with a slash and contain {row}, as in /rows/{row}.json.")
    }
    if path.contains("#") {
      throw Complaint(
        "--path must have no #, as no server sees what follows it. %23 stands for one.")
    }
    for (name, file) in [("--picture", picture), ("--film", film)] {
      guard let file, !file.hasPrefix("/dev/"), !file.lowercased().hasSuffix(".svg") else {
        continue
      }
      throw Complaint("\(name) writes SVG only: '\(file)' must end in .svg.")
    }
    let paths = outputPaths + [recording].compactMap(\.self)
    let files = paths.map { FileIdentity($0) ?? .new(path: $0) }
    if Set(files).count < files.count {
      throw Complaint("Two outputs go to the same file: each needs one of its own.")
    }
  }

  /// Options that would have no effect, and beside which other one.
  private func needless(_ given: Set<String>) -> [(name: String, reason: String)] {
    if export != nil {
      return given.subtracting(["--export", "--rows"]).sorted().map {
        ($0, "with --export, which takes only --rows")
      }
    }
    if folder != nil || origin != nil, given.contains("--live") {
      return [("--live", "without the command's own server, whose documents change")]
    }
    if folder != nil, given.contains("--batch") {
      return [("--batch", "with --folder, whose files are replies of their own")]
    }
    if origin != nil, given.contains("--batch") {
      return [("--batch", "with --origin, whose paths have one row")]
    }
    if origin == nil {
      return ["--path", "--first", "--number", "--header"].map { ($0, "without --origin") }
    }
    return ["--latency", "--failures"].map { ($0, "with --origin, whose server decides") }
  }
}

extension String {
  /// A path, with a query or without, whose characters may all be in an address.
  ///
  /// Escapes that are there stay, and so does `{row}`.
  var escapedPath: String {
    components(separatedBy: "{row}").map(\.escaped).joined(separator: "{row}")
  }

  private var escaped: String {
    let bytes = Array(utf8)
    return bytes.indices.map { index in
      let byte = bytes[index]
      let digits = bytes[index...].dropFirst().prefix(2)
      let isEscape = byte == UInt8(ascii: "%") && digits.count == 2 && digits.allSatisfy(\.isHex)
      return isEscape || byte.mayBeInPath
        ? String(UnicodeScalar(byte)) : "%" + String(format: "%02X", Int(byte))
    }.joined()
  }
}

extension UInt8 {
  fileprivate var isHex: Bool { Character(UnicodeScalar(self)).isHexDigit }

  /// Whether RFC 3986 allows the byte in a path or a query; `#` is refused elsewhere.
  fileprivate var mayBeInPath: Bool {
    let character = Character(UnicodeScalar(self))
    return character.isASCII && (character.isLetter || character.isNumber)
      || "-._~!$&'()*+,;=:@/?#".contains(character)
  }
}
