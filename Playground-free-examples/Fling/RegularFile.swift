import Foundation

/// A file that is read from its beginning to its end at the time of opening.
final class RegularFile {
  let length: Int
  private let handle: FileHandle
  private var rest: Int

  /// Fails for anything that is not there, is no file, or must not be read.
  init?(_ url: URL) {
    // A pipe in the file's place would wait for a writer.
    let descriptor = open(url.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    length = Int(status.st_size)
    rest = length
  }

  /// The next bytes; `nil` at the end, which comes early if the file has become shorter.
  func next() -> Data? {
    guard rest > 0, let chunk = try? handle.read(upToCount: min(rest, 1 << 18)), !chunk.isEmpty
    else { return nil }
    rest -= chunk.count
    return chunk
  }

  var isAtEnd: Bool { rest == 0 }
}
