/// The meaning of the number in the documents of a server.
enum RowNumbers: String, Encodable, Sendable {
  /// No document has one.
  case absent
  /// It is the number of the row: a document with another one belongs to another row.
  case rows
  /// Too many documents have another number than the row that requested them, so it may mean
  /// something else, such as the row of a seat.
  case unclear

  /// The fewest documents that show what the number means if others contradict them.
  private static let fewest = 5

  /// - Parameter replies: Of all runs with one server.
  init(_ replies: [ReplyTally]) {
    let own = replies.reduce(0) { $0 + $1.namingOwnRow }
    let other = replies.reduce(0) { $0 + $1.namingAnotherRow }
    if own + other == 0 {
      self = .absent
    } else if other == 0 || own >= Self.fewest && own >= 9 * other {
      self = .rows
    } else {
      self = .unclear
    }
  }
}
