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
  /// With `--folder`: the files, one for each row.
  let files: ServedFiles?
  private let limit: Int
  private let session: URLSession
  private let received = Locked(0)

  /// Bytes received so far.
  var bytes: Int { received.value }

  init(count: Int, base: URL, path: String, files: ServedFiles? = nil, slots: Int) {
    self.count = count
    self.base = base
    self.path = path
    self.files = files
    limit = ByteLimit(isForFiles: files != nil, slots: slots).bytes
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = slots * 2
    configuration.urlCache = nil
    // The tracker's timeout ends requests without a reply.
    configuration.timeoutIntervalForRequest = 600
    session = URLSession(configuration: configuration)
  }

  /// A row's update: fetch, then decode; the tracker applies.
  func update(_ context: UpdateContext<Int, RowDocument>) async throws -> RowDocument {
    let data = try await context.fetch(url(of: context.row), from: session, limit: limit)
    received.change { $0 += data.count }
    return try await context.stage(.decode) {
      guard files == nil else { return RowDocument(file: data, row: context.row) }
      return try RowDocument(json: data, row: context.row)
    }
  }

  /// Loads a row to see whether a server of HTTP is there; any response will do.
  func checkIsReachable(within timeout: Duration) async throws {
    do {
      _ = try await withTimeout(timeout) { try await session.fetch(url(of: 0), limit: limit) }
    } catch URLError.timedOut {
      let seconds = String(format: "%g", timeout / .seconds(1))
      throw Complaint("\(base.absoluteString) does not answer within \(seconds) s.")
    } catch let error as URLError where error.httpStatus == nil {
      let question = error.code == .cannotConnectToHost ? " Is the server running?" : ""
      let reason = error.localizedDescription.asClause
      throw Complaint("\(base.absoluteString) serves no rows: \(reason).\(question)")
    } catch {
      // There is a response. Why it is none for a row stands among the figures.
    }
  }

  private func url(of row: Int) throws -> URL {
    let path = path.replacingOccurrences(of: "{row}", with: String(row))
    let trimmed = base.absoluteString.trimmingCharacters(in: CharacterSet(charactersIn: "/"))
    guard let url = URL(string: trimmed + path) else { throw URLError(.badURL) }
    return url
  }
}

/// How many bytes a reply may have, so that all loads together stay within memory.
struct ByteLimit: Equatable, Sendable {
  let bytes: Int

  init(isForFiles: Bool, slots: Int) {
    bytes = min((isForFiles ? 64 : 8) << 20, (256 << 20) / slots)
  }
}
