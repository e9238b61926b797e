import Foundation
import RowOperations

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Where the rows come from, and how one is loaded.
struct RowSource: Sendable {
  /// How many rows there are.
  let count: Int
  let base: URL
  let path: String
  /// With `--folder`: the file of each row.
  let files: [URL]?
  private let session: URLSession
  private let received = Counter()

  /// Bytes received so far.
  var bytes: Int { received.value }

  init(count: Int, base: URL, path: String, files: [URL]? = nil, connections: Int) {
    self.count = count
    self.base = base
    self.path = path
    self.files = files
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = connections
    configuration.urlCache = nil
    // The tracker's timeout is to end what never comes.
    configuration.timeoutIntervalForRequest = 600
    session = URLSession(configuration: configuration)
  }

  /// A row's update: fetch, then decode; the tracker applies.
  func update(_ context: UpdateContext<Int, RowDocument>) async throws -> RowDocument {
    let data = try await context.fetch(url(of: context.row), from: session, limit: .max)
    received.add(data.count)
    return try await context.stage(.decode) { try decode(data, context) }
  }

  /// Asks for a row to see whether anybody answers; what they answer does not matter.
  func checkIsReachable(within timeout: Duration) async throws {
    do {
      _ = try await withTimeout(timeout) { try await session.fetch(url(of: 0), limit: .max) }
    } catch is HTTPStatusError {
      // The server runs, and refuses the request.
    } catch URLError.timedOut {
      let seconds = timeout.components.seconds
      throw Complaint("\(base.absoluteString) does not answer within \(seconds) seconds.")
    } catch {
      throw Complaint("Nobody answers at \(base.absoluteString): is the server running?")
    }
  }

  private func url(of row: Int) throws -> URL {
    let path = path.replacingOccurrences(of: "{row}", with: String(row))
    let trimmed = base.absoluteString.trimmingCharacters(in: CharacterSet(charactersIn: "/"))
    guard let url = URL(string: trimmed + path) else { throw URLError(.badURL) }
    return url
  }

  private func decode(_ data: Data, _ context: UpdateContext<Int, RowDocument>) throws
    -> RowDocument
  {
    var hash = FNV1a()
    for start in stride(from: 0, to: data.count, by: 1 << 16) {
      // A long file's row may have left meanwhile.
      try context.checkCancellation()
      hash.update(data[start..<min(start + 1 << 16, data.count)])
    }
    guard files == nil else {
      return RowDocument(
        row: context.row, title: "", byteCount: data.count, digest: hash.digest)
    }
    let document = try JSONDecoder().decode(WireDocument.self, from: data)
    return RowDocument(
      row: document.row ?? context.row, title: document.title ?? "", byteCount: data.count,
      digest: hash.digest)
  }

  /// How many of these values are not what the files hold.
  func mismatches(among documents: [Int: RowDocument]) -> Int {
    guard let files else { return 0 }
    return documents.count { row, document in
      guard let bytes = try? Data(contentsOf: files[row]) else { return true }
      var hash = FNV1a()
      hash.update(bytes)
      return document.byteCount != bytes.count || document.digest != hash.digest
    }
  }
}

/// A number that several threads add to.
final class Counter: @unchecked Sendable {
  // Sendable: the number is touched under the lock alone.
  private let lock = NSLock()
  private var number = 0

  var value: Int { lock.withLock { number } }

  func add(_ amount: Int) { lock.withLock { number += amount } }
}
