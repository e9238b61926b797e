import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// One connection of a ``Server``, in blocking use by one thread.
final class Connection: Sendable {
  private let descriptor: Int32
  private let sent: Box<Int>
  private let head = Box("")
  private let content = Box<[UInt8]>([])

  fileprivate init(_ descriptor: Int32, _ sent: Box<Int>) {
    self.descriptor = descriptor
    self.sent = sent
  }

  deinit { closeDescriptor(descriptor) }

  /// The request's first line and header.
  var request: String { head.value }

  var path: String {
    let words = request.prefix { $0 != "\r\n" }.split(separator: " ")
    return words.count > 1 ? String(words[1]) : ""
  }

  var method: String { String(request.prefix { $0 != " " }) }

  /// The request's body, if its header has the length; with the lengths of its chunks, if it is
  /// sent in chunks.
  var body: String { String(decoding: content.value, as: UTF8.self) }

  /// The value of a field in the request's header.
  func header(_ name: String) -> String? {
    for line in request.components(separatedBy: "\r\n").dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      if parts.count == 2, parts[0].lowercased() == name.lowercased() {
        return parts[1].trimmingCharacters(in: .whitespaces)
      }
    }
    return nil
  }

  /// - Returns: Whether a whole header, and the body that it announces, arrived.
  func receiveRequest() -> Bool {
    var bytes: [UInt8] = []
    while bytes.count < 1 << 16 {
      guard receive(into: &bytes) else { return false }
      let text = String(decoding: bytes, as: UTF8.self)
      guard let end = text.range(of: "\r\n\r\n") else { continue }
      head.set(String(text[..<end.upperBound]))
      var body = Array(bytes.dropFirst(text[..<end.upperBound].utf8.count))
      let isChunked = header("Transfer-Encoding") == "chunked"
      let length = header("Content-Length").flatMap { Int($0) } ?? 0
      while isChunked ? !body.ends(with: "0\r\n\r\n") : body.count < length {
        guard receive(into: &body) else { return false }
      }
      content.set(body)
      return true
    }
    return false
  }

  private func receive(into bytes: inout [UInt8]) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 1 << 12)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    if count > 0 { bytes += buffer[..<count] }
    return count > 0
  }

  /// - Returns: Whether all of it could be sent.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = sendBytes(descriptor, UnsafeRawBufferPointer(rebasing: rest))
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        sent.add(count)
        rest = rest.dropFirst(count)
      }
      return true
    }
  }

  /// - Returns: Whether all of it could be sent.
  @discardableResult
  func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  /// Sends the same bytes until the client closes the connection, with pauses as in a network.
  ///
  /// On Linux the system does not cancel a request while it finds bytes to read.
  ///
  /// - Returns: Whether the client has closed it; if not, a time limit has passed.
  @discardableResult
  func sendForever(_ bytes: [UInt8]) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while send(bytes), poll(&entry, 1, 1) <= 0 {}
    return waitForClose()
  }

  /// Waits until the client closes the connection.
  ///
  /// - Returns: Whether the client has closed it; if not, a time limit has passed.
  @discardableResult
  func waitForClose() -> Bool {
    var byte: UInt8 = 0
    while true {
      let count = recv(descriptor, &byte, 1, 0)
      let error = errno
      if count == 0 { return true }
      // A signal interrupts a read that has a time limit.
      if count < 0, error != EINTR { return error != EAGAIN }
    }
  }

  /// Makes the close of the connection a reset.
  func reset() {
    var now = linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
  }

  /// Ends all reads and writes.
  func cut() { shutdown(descriptor, Int32(SHUT_RDWR)) }
}

/// A free port that accepts connections.
final class Listener: Sendable {
  let port: UInt16
  private let descriptor: Int32

  init() throws {
    #if canImport(Glibc)
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = descriptor
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    self.port = UInt16(bigEndian: address.sin_port)
    guard isBound, listen(descriptor, 1024) == 0 else { throw URLError(.cannotConnectToHost) }
  }

  deinit { closeDescriptor(descriptor) }

  /// - Returns: The next connection; `nil` if none came within some milliseconds.
  func accept(within milliseconds: Int32, counting sent: Box<Int>) -> Connection? {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, milliseconds) > 0 else { return nil }
    let connection = acceptConnection(descriptor)
    guard connection >= 0 else { return nil }
    var limit = timeval(tv_sec: 120, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(
        connection, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
    #if canImport(Darwin)
      var yes: Int32 = 1
      setsockopt(connection, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
    #endif
    return Connection(connection, sent)
  }
}

extension [UInt8] {
  fileprivate func ends(with text: String) -> Bool {
    suffix(text.utf8.count).elementsEqual(text.utf8)
  }
}

// The system's functions, under names that the methods above do not hide.

private func acceptConnection(_ descriptor: Int32) -> Int32 { accept(descriptor, nil, nil) }

private func closeDescriptor(_ descriptor: Int32) { _ = close(descriptor) }

/// A connection that the client has closed is an error, not a signal.
private func sendBytes(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  #if canImport(Darwin)
    send(descriptor, bytes.baseAddress, bytes.count, 0)
  #else
    send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
  #endif
}
