import Console
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// A TCP socket on 127.0.0.1, in blocking use.
struct Socket: Sendable {
  private let descriptor: Int32

  /// A socket that listens on a free port.
  static func listening() throws -> Socket {
    #if canImport(Glibc)
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0
      }
    }
    guard descriptor >= 0, isBound, listen(descriptor, 128) == 0 else {
      throw Complaint("No port of 127.0.0.1 can be listened on (error \(errno)).")
    }
    return Socket(descriptor: descriptor)
  }

  var port: UInt16 {
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = getsockname(descriptor, $0, &length)
      }
    }
    return UInt16(bigEndian: address.sin_port)
  }

  /// The next connection; `nil` if the socket is closed.
  func accept() -> Socket? {
    while true {
      let connection = acceptNext(descriptor)
      if connection >= 0 {
        #if canImport(Darwin)
          var yes: Int32 = 1
          setsockopt(
            connection, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
        #endif
        return Socket(descriptor: connection)
      }
      guard errno == EINTR || errno == ECONNABORTED else { return nil }
    }
  }

  /// The bytes that arrived; `nil` at the end.
  func receive() -> Data? {
    var buffer = [UInt8](repeating: 0, count: 1 << 14)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count > 0 { return Data(buffer[..<count]) }
      guard count < 0, errno == EINTR else { return nil }
    }
  }

  /// - Returns: Whether all of it could be sent.
  func send(_ data: Data) -> Bool {
    data.withUnsafeBytes { bytes in
      var sent = 0
      while sent < bytes.count {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[sent...])
        let count = sendQuietly(descriptor, rest)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        sent += count
      }
      return true
    }
  }

  /// Whether the other side closes the connection or sends something within some milliseconds.
  func isClosedByPeer(within milliseconds: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, milliseconds) > 0
  }

  /// Closes the socket, also for threads that wait for it.
  func close() {
    shutdown(descriptor, Int32(SHUT_RDWR))
    closeForGood(descriptor)
  }
}

// The system's functions, under names that the methods above do not hide.

private func acceptNext(_ descriptor: Int32) -> Int32 { accept(descriptor, nil, nil) }

private func closeForGood(_ descriptor: Int32) { _ = close(descriptor) }

/// A connection that the client has closed is an error, not a signal.
private func sendQuietly(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  #if canImport(Darwin)
    send(descriptor, bytes.baseAddress, bytes.count, 0)
  #else
    send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
  #endif
}
