import Console
import Foundation

/// A small HTTP/1.1 server on a free port of 127.0.0.1, with a thread for each connection.
final class Server: Sendable {
  enum Reply: Equatable, Sendable {
    case document(Data)
    case failure(status: Int)
    /// Half of the document, then nothing.
    case cut(Data)
    case never
  }

  let port: UInt16
  private let listener: Socket
  private let answer: @Sendable (_ path: String) -> Reply
  private let isStopped = Locked(false)

  /// Starts serving.
  ///
  /// - Parameter answer: Returns the reply for a request's path, on any thread, when it is due.
  init(answer: @escaping @Sendable (_ path: String) -> Reply) throws {
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
    while !isStopped.value, let path = reader.next() {
      guard send(answer(path), over: connection) else { return }
    }
  }

  /// - Returns: Whether the connection can be used again.
  private func send(_ reply: Reply, over connection: Socket) -> Bool {
    func head(_ status: String, _ length: Int) -> Data {
      Data("HTTP/1.1 \(status)\r\nContent-Length: \(length)\r\n\r\n".utf8)
    }
    switch reply {
    case .document(let data): return connection.send(head("200 OK", data.count) + data)
    case .failure(let status): return connection.send(head("\(status) Error", 0))
    case .cut(let data):
      _ = connection.send(head("200 OK", data.count) + data.prefix(data.count / 2))
      return false
    case .never:
      // Until the client gives up, for a minute at most.
      for _ in 0..<600 where !isStopped.value {
        if connection.isClosedByPeer(within: 100) { break }
      }
      return false
    }
  }
}

/// Reads the paths of one request after the other from a connection.
private struct RequestReader {
  private let connection: Socket
  private var buffer = Data()

  init(_ connection: Socket) { self.connection = connection }

  /// The path of the next request; `nil` at the end, and for anything but a GET.
  mutating func next() -> String? {
    while true {
      if let end = buffer.range(of: Data("\r\n\r\n".utf8)) {
        let head = String(decoding: buffer[buffer.startIndex..<end.lowerBound], as: UTF8.self)
        buffer = Data(buffer[end.upperBound...])
        let words = head.prefix { $0 != "\r\n" }.split(separator: " ")
        return words.count == 3 && words[0] == "GET" ? String(words[1]) : nil
      }
      guard buffer.count < 1 << 16, let more = connection.receive() else { return nil }
      buffer += more
    }
  }
}
