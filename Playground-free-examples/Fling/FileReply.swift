import Foundation

/// The bytes of a reply with a file, in pieces.
struct FileReply {
  private let file: RegularFile
  private var head: Data?
  private let willHaveSent: (Fingerprint) -> Void
  private var maker = Fingerprint.Maker()

  init(_ file: RegularFile, head: Data, willHaveSent: @escaping (Fingerprint) -> Void) {
    self.file = file
    self.head = head
    self.willHaveSent = willHaveSent
  }

  /// The next piece: the head, then the bytes of the file.
  ///
  /// Before the last piece it calls `willHaveSent`, as the client may show the row at once. The
  /// last piece for an empty file is the head.
  mutating func next() -> Data? {
    guard let piece = head ?? file.next() else { return nil }
    if head == nil { maker.add(piece) } else { head = nil }
    if file.isAtEnd { willHaveSent(maker.fingerprint) }
    return piece
  }
}
