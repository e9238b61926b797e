import Foundation

/// The folder that the check shows: links to pictures, which the check adds and removes.
struct Stage {
  let folder: Folder
  /// Small pictures of the large ones.
  let previews: DesktopThumbnails
  private let made: TemporaryFolder

  /// How many pictures the list has at least, so that it is long enough for flings and jumps.
  private static let count = 600
  /// Numbers of painted pictures that are not in the list at first.
  private static let spares = (inserted: 1, replacing: 2)
  /// The sides of the large pictures in pixels: some for decoding, and one past the limit.
  ///
  /// A main loop that decodes them one after the other is blocked for longer than one takes.
  private static let large = [9900, 9900, 9900, 20_000]
  static let largeCount = large.count

  /// - Parameter other: A folder with the first pictures; none of its files is touched.
  init(showing other: Folder?) throws {
    let given = try other.map { other in try other.entries().map { other.path(of: $0.name) } } ?? []
    made = try TemporaryFolder()
    let pictures = made.url.appendingPathComponent("Pictures")
    folder = Folder(FileName(pictures.path))
    previews = DesktopThumbnails(folder: made.url.appendingPathComponent("Previews"))
    try FileManager.default.createDirectory(at: pictures, withIntermediateDirectories: false)
    let last = max(Self.count - given.count, 0) + 2
    try SamplePictures.write(1...last, to: made.url)
    for (number, side) in Self.large.enumerated() {
      try LargePicture.write(number, side: side, to: largePicture(number))
    }
    for (index, path) in (given + (3..<last + 1).map(painted)).enumerated() {
      let number = other == nil ? "" : "\(index + 1) "
      try link(FileName(number.utf8 + path.last.bytes), to: path)
    }
  }

  /// The path of a large picture.
  private func largePicture(_ number: Int) -> String {
    made.url.appendingPathComponent("Large \(number).png").path
  }

  private func painted(_ number: Int) -> FileName {
    FileName(made.url.appendingPathComponent(SamplePictures.name(number)).path)
  }

  private func link(_ name: FileName, to path: FileName) throws {
    let code = path.withCString { path in
      folder.path(of: name).withCString { symlink(path, $0) }
    }
    guard code == 0 else { throw Complaint("'\(name)' cannot be made.") }
  }

  func remove(_ name: FileName) throws {
    guard folder.path(of: name).withCString({ unlink($0) }) == 0 else {
      throw Complaint("'\(name)' cannot be removed.")
    }
  }

  /// Adds a picture with a name that comes right after another one.
  ///
  /// - Returns: Its name.
  func insert(after name: FileName) throws -> FileName {
    let new = name.stem + " b.jpg"
    try link(new, to: painted(Self.spares.inserted))
    return new
  }

  /// Adds the large pictures, with names that come right after another one.
  ///
  /// - Returns: Their names.
  func insertLarge(after name: FileName) throws -> [FileName] {
    try Self.large.enumerated().map { number, side in
      let new = name.stem + " c\(number) \(side) × \(side).png"
      try link(new, to: FileName(largePicture(number)))
      try previews.write(100 + number, of: folder.path(of: new))
      return new
    }
  }

  /// Adds odd files, with names that come right after another one.
  ///
  /// - Returns: Their names, in two lists.
  func insertOdd(after name: FileName) throws -> (whole: [FileName], cut: [FileName]) {
    func add(_ file: OddFile) throws -> FileName {
      let new = FileName(name.stem.bytes + " d ".utf8 + file.name)
      try link(new, to: FileName(try file.write(to: made.url)))
      return new
    }
    return (try OddFile.whole.map(add), try OddFile.cut.map(add))
  }

  /// The work of decoding one of the large pictures in one call, in seconds.
  func decodingTime(side: Int) throws -> Double {
    let start = LoopWatch.Turn.now
    _ = try Texture(atOnce: FileName(largePicture(0)), side: side)
    return LoopWatch.Turn.now.work - start.work
  }

  /// Puts another picture in the place of one, with its name.
  func replace(_ name: FileName) throws {
    try remove(name)
    try link(name, to: painted(Self.spares.replacing))
  }
}

/// A temporary folder that lives as long as the object.
final class TemporaryFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("gtk-gallery-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}
