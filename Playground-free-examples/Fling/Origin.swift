import Foundation

/// A small HTTP/1.1 server on a free port of 127.0.0.1, with a thread for each connection.
final class Origin: Sendable {
  /// The reply for a request's path.
  typealias Answer = @Sendable (_ path: String) -> Reply

  enum Reply: Sendable {
    case document(Data)
    /// A file, and a closure to call before the last piece of the reply leaves.
    case file(URL, willHaveSent: @Sendable (Fingerprint) -> Void)
    case failure(status: Int)
    /// Half of the document, then nothing.
    case cut(Data)
    case never
  }

  let port: UInt16
  private let listener: Socket
  private let answer: Answer
  private let isStopped = Locked(false)

  /// Starts serving.
  init(answer: @escaping Answer) throws {
    self.answer = answer
    listener = try Socket.listening()
    port = listener.port
    let listener = listener
    let serve: @Sendable (Socket) -> Void = { [weak self] in self?.serve($0) }
    Thread.detachNewThread {
      while let connection = listener.accept() {
        Thread.detachNewThread { serve(connection) }
      }
    }
  }

  /// Stops accepting connections and ends replies that wait.
  func stop() {
    isStopped.change { $0 = true }
    listener.close()
  }

  private func serve(_ connection: Socket) {
    defer { connection.close() }
    var reader = RequestReader(connection)
    while !isStopped.value, let request = reader.next() {
      guard request.method == "GET" else {
        send(status: 405, [], over: connection)
        return
      }
      guard reply(answer(request.path), over: connection), request.keepsAlive else { return }
    }
  }

  /// - Returns: Whether the connection can be used again.
  private func reply(_ reply: Reply, over connection: Socket) -> Bool {
    switch reply {
    case .document(let data):
      return send(status: 200, data, over: connection)
    case .failure(let status):
      return send(status: status, [], over: connection)
    case .cut(let data):
      let head = head(status: 200, length: data.count)
      _ = connection.send(Data(head.utf8) + data.prefix(data.count / 2))
      return false
    case .never:
      // Until the client gives up, for a minute at most.
      for _ in 0..<600 where !isStopped.value {
        if connection.isClosedByPeer(within: 100) { break }
      }
      return false
    case .file(let url, let willHaveSent):
      return send(url, over: connection, willHaveSent: willHaveSent)
    }
  }

  @discardableResult
  private func send(status: Int, _ body: some Collection<UInt8>, over connection: Socket) -> Bool {
    connection.send(Data(head(status: status, length: body.count).utf8) + body)
  }

  private func send(
    _ url: URL, over connection: Socket, willHaveSent: @escaping (Fingerprint) -> Void
  ) -> Bool {
    guard let file = RegularFile(url) else { return send(status: 404, [], over: connection) }
    let head = Data(head(status: 200, length: file.length).utf8)
    var pieces = FileReply(file, head: head, willHaveSent: willHaveSent)
    while let piece = pieces.next() {
      guard connection.send(piece) else { return false }
    }
    return file.isAtEnd
  }

  private func head(status: Int, length: Int) -> String {
    let reasons = [200: "OK", 404: "Not Found", 405: "Method Not Allowed"]
    let reason = reasons[status] ?? "Internal Server Error"
    return "HTTP/1.1 \(status) \(reason)\r\nContent-Length: \(length)\r\n"
      + "Content-Type: application/octet-stream\r\n\r\n"
  }
}

/// Reads one request after the other from a connection.
private struct RequestReader {
  struct Request {
    let method: String
    let path: String
    let keepsAlive: Bool
  }

  private let connection: Socket
  private var buffer = Data()

  init(_ connection: Socket) { self.connection = connection }

  mutating func next() -> Request? {
    let end = Data("\r\n\r\n".utf8)
    while true {
      if let head = buffer.range(of: end) {
        let text = String(decoding: buffer[buffer.startIndex..<head.lowerBound], as: UTF8.self)
        buffer = Data(buffer[head.upperBound...])
        return parse(text)
      }
      guard buffer.count < 1 << 16, let more = connection.receive() else { return nil }
      buffer += more
    }
  }

  private func parse(_ head: String) -> Request? {
    let lines = head.components(separatedBy: "\r\n")
    let words = lines[0].split(separator: " ").map(String.init)
    guard words.count == 3, words[2].hasPrefix("HTTP/1.") else { return nil }
    let closes = lines.dropFirst().contains { $0.lowercased() == "connection: close" }
    return Request(method: words[0], path: words[1], keepsAlive: !closes)
  }
}
