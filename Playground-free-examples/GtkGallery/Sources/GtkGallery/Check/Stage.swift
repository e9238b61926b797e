import Foundation

/// The folder that the check shows: links to pictures, which come and go as the check wants it.
struct Stage {
  let folder: Folder
  private let made: TemporaryFolder

  /// How many pictures the list has at least, so that flings and jumps have somewhere to go.
  private static let count = 600
  /// Painted pictures that are not in the list at first; their numbers.
  private static let spares = (inserted: 1, replacing: 2)

  /// - Parameter other: Its pictures come first; none of its files is touched.
  init(showing other: Folder?) throws {
    let given = try other.map { other in try other.entries().map { other.path(of: $0.name) } } ?? []
    made = try TemporaryFolder()
    folder = Folder(path: made.url.appendingPathComponent("Pictures").path)
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: false)
    let last = max(Self.count - given.count, 0) + 2
    try SamplePictures.write(1...last, to: made.url)
    for (index, path) in (given + (3..<last + 1).map(painted)).enumerated() {
      let name = URL(fileURLWithPath: path).lastPathComponent
      try link(other == nil ? name : "\(index + 1) \(name)", to: path)
    }
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
