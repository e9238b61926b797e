import Foundation

/// The files below a folder that can be served, and the number of entries that cannot.
struct FolderListing: Sendable {
  /// By path.
  private(set) var files: [URL] = []
  private(set) var leftOut: [Reason: Int] = [:]
  private let folder: String

  /// Why an entry is left out.
  enum Reason: CaseIterable, Sendable {
    case symbolicLink, unreadableFile, unreadableFolder, nameNotUTF8, special

    fileprivate func words(_ count: Int) -> String {
      let isOne = count == 1
      return switch self {
      case .symbolicLink: isOne ? "1 symbolic link" : "\(count) symbolic links"
      case .unreadableFile: isOne ? "1 unreadable file" : "\(count) unreadable files"
      case .unreadableFolder: isOne ? "1 unreadable folder" : "\(count) unreadable folders"
      case .nameNotUTF8:
        isOne ? "1 name that is not UTF-8" : "\(count) names that are not UTF-8"
      case .special: isOne ? "1 pipe, socket or device" : "\(count) pipes, sockets or devices"
      }
    }
  }

  /// Lists a folder.
  ///
  /// - Parameter limit: How many files are wanted; `nil` for all.
  /// - Throws: A ``Complaint`` if there is no file to serve.
  init(_ folder: String, limit: Int?) throws {
    self.folder = folder
    let root = URL(fileURLWithPath: folder, isDirectory: true).path
    guard let names = Self.names(in: root) else {
      throw Complaint("The folder '\(folder)' cannot be read: \(SystemError.last).")
    }
    var paths: [String] = []
    var folders: [String] = []
    add(names, in: root, &paths, &folders)
    while let next = folders.popLast() {
      if let names = Self.names(in: next) {
        add(names, in: next, &paths, &folders)
      } else if errno != ENOENT {
        leftOut[.unreadableFolder, default: 0] += 1
      }
    }
    guard !paths.isEmpty else {
      let sentence = leftOutSentence.map { " \($0)" } ?? ""
      throw Complaint("There is no file to serve below the folder '\(folder)'.\(sentence)")
    }
    files = paths.sorted().prefix(limit ?? .max).map { URL(fileURLWithPath: $0) }
  }

  /// How many entries are left out, and why; `nil` if none is.
  var leftOutSentence: String? {
    let count = leftOut.values.reduce(0, +)
    guard count > 0 else { return nil }
    let reasons = Reason.allCases.compactMap { reason in leftOut[reason].map(reason.words) }
    return "Left out below '\(folder)': \(reasons.joined(separator: ", "))."
  }

  /// - Parameter names: `nil` for each that is not UTF-8.
  private mutating func add(
    _ names: [String?], in folder: String, _ paths: inout [String], _ folders: inout [String]
  ) {
    for name in names {
      guard let name else {
        leftOut[.nameNotUTF8, default: 0] += 1
        continue
      }
      let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
      var status = stat()
      guard lstat(path, &status) == 0 else { continue }
      switch status.st_mode & S_IFMT {
      case S_IFDIR: folders.append(path)
      case S_IFREG:
        if access(path, R_OK) == 0 {
          paths.append(path)
        } else {
          leftOut[.unreadableFile, default: 0] += 1
        }
      case S_IFLNK: leftOut[.symbolicLink, default: 0] += 1
      default: leftOut[.special, default: 0] += 1
      }
    }
  }

  /// - Returns: `nil` if the folder cannot be read.
  private static func names(in folder: String) -> [String?]? {
    guard let stream = opendir(folder) else { return nil }
    defer { closedir(stream) }
    var names: [String?] = []
    while let entry = readdir(stream) {
      let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      let name = String(validating: bytes, as: UTF8.self)
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}
