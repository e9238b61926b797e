import Foundation

/// The bytes of a reply with a file, in pieces.
struct FileReply: ~Copyable {
  private let file: RegularFile
  private var head: Data?
  private let willHaveSent: (Fingerprint) -> Void
  private var maker = Fingerprint.Maker()

  init(_ file: RegularFile, head: Data, willHaveSent: @escaping (Fingerprint) -> Void) {
    self.file = file
    self.head = head
    self.willHaveSent = willHaveSent
  }

  /// The next piece: the head, then the bytes of the file; `nil` at the end.
  ///
  /// It calls `willHaveSent` before the last piece, as the client may show the row at once. The
  /// last piece for an empty file is the head. If the file has become shorter, the end comes early,
  /// and `willHaveSent` is not called.
  mutating func next() -> Data? {
    guard let piece = head ?? file.next() else { return nil }
    if head == nil { maker.add(piece) } else { head = nil }
    if file.isAtEnd { willHaveSent(maker.fingerprint) }
    return piece
  }
}
