import Foundation

/// A file that galleries often show wrongly.
struct OddFile {
  /// The last part of its name, which need not be UTF-8.
  let name: [UInt8]
  /// The ending of the painted picture that it is made from.
  let format: String
  /// Makes its bytes from those of the painted picture.
  let change: @Sendable (Data) -> Data

  /// Files that show their picture.
  static let whole = [
    OddFile(name: [0xFF, 0xE9] + ".jpg".utf8, format: "jpg") { $0 },
    OddFile(name: Array("bytes after the end.jpg".utf8), format: "jpg") { $0 + $0.prefix(5000) },
    OddFile(name: Array("whole.bmp".utf8), format: "bmp") { $0 },
  ]

  /// Files that end before their picture does.
  static let cut = ["jpg", "png", "bmp"].map { format in
    OddFile(name: Array("cut.\(format)".utf8), format: format) { $0.prefix($0.count * 2 / 3) }
  }

  /// - Returns: The path of the new file, in UTF-8.
  func write(to folder: URL) throws -> String {
    let painted = folder.appendingPathComponent("Odd.\(format)")
    try SamplePictures.paint(204, (480, 360), to: painted.path)
    let odd = folder.appendingPathComponent("Odd \(UUID().uuidString)")
    try change(Data(contentsOf: painted)).write(to: odd)
    return odd.path
  }
}
