#if os(Linux) || os(macOS)
  import Foundation
  import Testing

  @testable import AsyncOperations
  @testable import TestSupport

  #if canImport(FoundationNetworking)
    import FoundationNetworking
  #endif

  @Suite("Fetching from a server with a bad certificate", .timeLimit(.minutes(10)))
  struct FetchCertificateTests {
    private static let openssl = "/usr/bin/openssl"

    @Test(
      "A certificate that nobody has signed is an error that no retry cures",
      .enabled(
        if: FileManager.default.isExecutableFile(atPath: openssl), "It needs \(openssl)."))
    func selfSigned() async throws {
      let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let server = try await TLSServer(Self.openssl, in: folder)
      let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
      let error = await URLSession.testing().failure(of: url)
      #expect(error is URLError)
      #expect(error.map { RetryStrategy.isTransient($0) } == false, "\(String(describing: error))")
      withExtendedLifetime(server) {}
    }
  }

  /// A server of the tool `openssl`, with a certificate that it makes.
  private final class TLSServer: Sendable {
    let port: Int
    private let process: Process

    init(_ openssl: String, in folder: URL) async throws {
      let (key, certificate) = (folder.path + "/key", folder.path + "/certificate")
      let words = "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=127.0.0.1"
      let making = Process()
      making.arguments =
        words.split(separator: " ").map(String.init) + ["-keyout", key, "-out", certificate]
      let serving = Process()
      serving.arguments = [
        "s_server", "-accept", "127.0.0.1:0", "-www", "-key", key, "-cert", certificate,
      ]
      let output = Pipe()
      serving.standardInput = Pipe()
      serving.standardOutput = output
      for process in [making, serving] {
        process.executableURL = URL(fileURLWithPath: openssl)
        process.standardError = FileHandle.nullDevice
      }
      process = serving
      let port: Int? = await withCheckedContinuation { continuation in
        Thread.detachNewThread {
          var text = ""
          do {
            try making.run()
            making.waitUntilExit()
            try serving.run()
            while !text.contains(/ACCEPT .*:[0-9]+\n/) {
              let bytes = output.fileHandleForReading.availableData
              guard !bytes.isEmpty else { break }
              text += String(decoding: bytes, as: UTF8.self)
            }
          } catch {}
          let port = text.firstMatch(of: /ACCEPT .*:([0-9]+)\n/)?.1
          continuation.resume(returning: port.flatMap { Int($0) })
        }
      }
      self.port = try #require(port)
    }

    deinit { process.terminate() }
  }
#endif
