import Foundation

/// The folder that the check shows: links to pictures, which come and go as the check wants it.
struct Stage {
  let folder: Folder
  /// Small pictures of the large ones.
  let previews: DesktopThumbnails
  private let made: TemporaryFolder

  /// How many pictures the list has at least, so that flings and jumps have somewhere to go.
  private static let count = 600
  /// Painted pictures that are not in the list at first; their numbers.
  private static let spares = (inserted: 1, replacing: 2)
  /// The sides of the large pictures, in pixels: some that are decoded, and one past the limit.
  ///
  /// If the main loop decodes them, one after the other, it is blocked for longer than one takes.
  private static let large = [9900, 9900, 9900, 20_000]
  static let largeCount = large.count

  /// - Parameter other: Its pictures come first; none of its files is touched.
  init(showing other: Folder?) throws {
    let given = try other.map { other in try other.entries().map { other.path(of: $0.name) } } ?? []
    made = try TemporaryFolder()
    folder = Folder(path: made.url.appendingPathComponent("Pictures").path)
    previews = DesktopThumbnails(folder: made.url.appendingPathComponent("Previews"))
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: false)
    let last = max(Self.count - given.count, 0) + 2
    try SamplePictures.write(1...last, to: made.url)
    for (number, side) in Self.large.enumerated() {
      try LargePicture.write(number, side: side, to: largePicture(number))
    }
    for (index, path) in (given + (3..<last + 1).map(painted)).enumerated() {
      let name = URL(fileURLWithPath: path).lastPathComponent
      try link(other == nil ? name : "\(index + 1) \(name)", to: path)
    }
  }

  /// A large picture's file, by its number.
  private func largePicture(_ number: Int) -> String {
    made.url.appendingPathComponent("Large \(number).png").path
  }

  private func painted(_ number: Int) -> String {
    made.url.appendingPathComponent(SamplePictures.name(number)).path
  }

  private func link(_ name: String, to path: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path(of: name), withDestinationPath: path)
  }

  func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: folder.path(of: name))
  }

  /// Adds a picture whose name comes right after another one's.
  ///
  /// - Returns: Its name.
  func insert(after name: String) throws -> String {
    let new = URL(fileURLWithPath: name).deletingPathExtension().lastPathComponent + " b.jpg"
    try link(new, to: painted(Self.spares.inserted))
    return new
  }

  /// Adds the large pictures, with names that come right after another one's.
  ///
  /// - Returns: Their names.
  func insertLarge(after name: String) throws -> [String] {
    let stem = URL(fileURLWithPath: name).deletingPathExtension().lastPathComponent
    return try Self.large.enumerated().map { number, side in
      let new = "\(stem) c\(number) \(side) × \(side).png"
      try link(new, to: largePicture(number))
      try previews.write(100 + number, of: folder.path(of: new))
      return new
    }
  }

  /// How much work it is to decode one of the large pictures in one go, in seconds.
  func decodingTime(side: Int) throws -> Double {
    let start = LoopWatch.Turn.now
    _ = try Texture(atOnce: largePicture(0), side: side)
    return LoopWatch.Turn.now.work - start.work
  }

  /// Puts another picture in the place of one, with its name.
  func replace(_ name: String) throws {
    try remove(name)
    try link(name, to: painted(Self.spares.replacing))
  }
}

/// A folder that goes with the object.
final class TemporaryFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("gtk-gallery-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}
