import Foundation

/// Answers requests of the shared session to example.com, in the place of the network.
///
/// The lists request their data as from any server. An answer takes its time and arrives in pieces,
/// so rows load, show their progress, and are cancelled when they leave the screen.
final class SampleServer: URLProtocol, @unchecked Sendable {
  // Sendable: the desk's queue protects the changes; the system sets `client` once.

  /// From now on, the shared session gets its answers here.
  static func start() { URLProtocol.registerClass(SampleServer.self) }

  /// The address of a path on this server.
  static func address(_ path: String) -> URL {
    var address = URLComponents()
    (address.scheme, address.host, address.path) = ("https", "example.com", path)
    return address.url ?? URL(fileURLWithPath: path)
  }

  private static let desk = Desk()
  /// Whether the system wants no more of this answer; used on the desk's queue.
  private var isStopped = false

  override class func canInit(with request: URLRequest) -> Bool {
    request.url?.host == "example.com"
  }

  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    guard let url = request.url else { return }
    Self.desk.queue.async { [self] in
      let attempt = Self.desk.attempts[url, default: 0]
      Self.desk.attempts[url] = attempt + 1
      let answer = SampleAnswer(to: url, attempt: attempt)
      Self.desk.queue.asyncAfter(deadline: .now() + answer.delay) { [self] in begin(answer, at: url)
      }
    }
  }

  override func stopLoading() {
    Self.desk.queue.async { [self] in isStopped = true }
  }

  private func begin(_ answer: SampleAnswer, at url: URL) {
    let response = HTTPURLResponse(
      url: url, statusCode: answer.status, httpVersion: "HTTP/1.1",
      headerFields: ["Content-Type": answer.type, "Content-Length": "\(answer.body.count)"])
    guard !isStopped, let response else { return }
    client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
    send(answer.body[...], inPiecesOf: max(answer.body.count / 5, 1))
  }

  private func send(_ rest: Data, inPiecesOf size: Int) {
    guard !isStopped else { return }
    guard !rest.isEmpty else {
      client?.urlProtocolDidFinishLoading(self)
      return
    }
    client?.urlProtocol(self, didLoad: Data(rest.prefix(size)))
    Self.desk.queue.asyncAfter(deadline: .now() + 0.05) { [self] in
      send(rest.dropFirst(size), inPiecesOf: size)
    }
  }
}

// Sendable: `queue` never changes, and protects the rest.
private final class Desk: @unchecked Sendable {
  let queue = DispatchQueue(label: "SampleServer")
  /// How often each address was requested.
  var attempts: [URL: Int] = [:]
}
