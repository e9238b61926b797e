import Foundation

/// The entries of a folder, as the folder itself names them: no file is opened.
struct Listing: Sendable {
  enum Kind: Sendable { case folder, link, other }

  struct Entry: Sendable {
    let name: [UInt8]
    let kind: Kind
  }

  let folder: Path
  /// The folder's own size.
  let bytes: UInt64
  /// The entries by name, in the order of the bytes.
  let entries: [Entry]

  /// Reads a folder off the main actor.
  ///
  /// - Parameter orAbove: Whether the nearest folder above takes the place of one that is gone.
  static func read(_ folder: Path, orAbove: Bool = false) async throws -> Listing {
    var folder = folder
    while true {
      do {
        return try Listing(folder)
      } catch FileError.gone {
        guard orAbove, let parent = folder.parent else { throw FileError.gone }
        folder = parent
      }
    }
  }

  /// Reads a folder, unless the task is cancelled meanwhile.
  init(_ folder: Path) throws {
    self.folder = folder
    let open = try OpenFolder(folder)
    bytes = try open.status.bytes
    var entries: [Entry] = []
    while let (name, kind) = try open.next() {
      try Task.checkCancellation()
      entries.append(Entry(name: name, kind: Self.kind(kind, of: name, in: open)))
    }
    entries.sort { Self.isOrdered($0.name, $1.name) }
    // A folder that changes while it is read may name an entry twice.
    self.entries = entries.enumerated().filter { index, entry in
      index == 0 || entries[index - 1].name != entry.name
    }.map(\.element)
  }

  /// The kind of an entry, from its status where the file system does not record kinds.
  private static func kind(_ kind: Int32, of name: [UInt8], in folder: OpenFolder) -> Kind {
    switch kind {
    case Int32(DT_DIR): .folder
    case Int32(DT_LNK): .link
    case Int32(DT_UNKNOWN): (try? folder.status(of: name))?.isFolder == true ? .folder : .other
    default: .other
    }
  }

  func path(of row: Int) -> Path { folder.appending(entries[row].name) }

  /// The row of a path; `nil` if it is in another folder, or not in the list.
  func row(of path: Path) -> Int? {
    guard path.parent == folder else { return nil }
    let name = Array(path.name)
    let row = entries.partitioningIndex { !Self.isOrdered($0.name, name) }
    return row < entries.count && entries[row].name == name ? row : nil
  }

  private static func isOrdered(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    let difference = memcmp(a, b, min(a.count, b.count))
    return difference == 0 ? a.count < b.count : difference < 0
  }
}

extension RandomAccessCollection where Index == Int {
  /// The first index whose element satisfies a condition that holds for all later ones too.
  func partitioningIndex(where condition: (Element) -> Bool) -> Int {
    var range = startIndex..<endIndex
    while !range.isEmpty {
      let middle = (range.lowerBound + range.upperBound) / 2
      range = condition(self[middle]) ? range.lowerBound..<middle : middle + 1..<range.upperBound
    }
    return range.lowerBound
  }
}
