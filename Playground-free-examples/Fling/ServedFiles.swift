import Foundation

/// The files of a folder, one for each row, and the bytes that the server sent.
final class ServedFiles: Sendable {
  let urls: [URL]
  private let sent = Locked<[Int: Set<Fingerprint>]>([:])
  private let start = Date()

  init(_ urls: [URL]) { self.urls = urls }

  /// Notes the bytes of a reply, before its last piece leaves.
  func willHaveSent(_ fingerprint: Fingerprint, for row: Int) {
    sent.change { _ = $0[row, default: []].insert(fingerprint) }
  }

  /// Whether these bytes were sent for a row, once at least.
  func wasSent(_ fingerprint: Fingerprint, for row: Int) -> Bool {
    sent.change { $0[row]?.contains(fingerprint) ?? false }
  }

  /// Whether a file is gone or unreadable by now, or was written since the list began.
  func hasChanged(_ row: Int) -> Bool {
    var status = stat()
    let path = urls[row].path
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, access(path, R_OK) == 0
    else { return true }
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9 > start.timeIntervalSince1970
  }

  /// How many files are gone by now, or have other bytes than their rows show.
  func changed(since shown: [Int: Fingerprint]) async -> Int {
    shown.count { row, fingerprint in Self.fingerprint(of: urls[row]) != fingerprint }
  }

  private static func fingerprint(of url: URL) -> Fingerprint? {
    guard let file = RegularFile(url) else { return nil }
    var maker = Fingerprint.Maker()
    while let chunk = file.next() { maker.add(chunk) }
    return file.isAtEnd ? maker.fingerprint : nil
  }
}
