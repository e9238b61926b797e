import Foundation

/// Where the rows are, looked at before the scroll begins.
struct Place: Sendable {
  /// With `--folder`: the file of each row.
  private let files: [URL]?
  /// With `--folder`: a sentence about entries that are no rows, if there are any.
  let leftOut: String?

  /// Looks for a foreign server, or lists a folder's files; off the main actor, as a large folder
  /// takes its time.
  init(_ options: Options) async throws {
    let listing = try options.folder.map { try FolderListing($0, limit: options.rows) }
    (files, leftOut) = (listing?.files, listing?.leftOutSentence)
    if let base = options.origin {
      try await Self.source(at: base, options).checkIsReachable(within: options.timeout)
    }
  }

  /// The source for one run, and the server to stop in the end.
  func open(_ options: Options) throws -> (RowSource, Origin?) {
    if let base = options.origin { return (Self.source(at: base, options), nil) }
    let count = files?.count ?? options.rows ?? 10_000
    let served = files.map { ServedFiles($0) }
    let content = OriginContent(count: count, files: served, options: options)
    let origin = try Origin(answer: content.answer)
    guard let base = URL(string: "http://127.0.0.1:\(origin.port)") else {
      throw Complaint("The server's address cannot be written down.")
    }
    let source = RowSource(
      count: count, base: base, path: "/rows/{row}.json",
      content: served.map { .files($0) } ?? .madeUp, slots: options.slots,
      live: options.live == nil ? 0 : TrackedFeed.liveLimit)
    return (source, origin)
  }

  private static func source(at base: URL, _ options: Options) -> RowSource {
    RowSource(
      count: options.rows ?? 10_000, base: base, path: options.path, content: .foreign,
      slots: options.slots, first: options.first, number: options.number, headers: options.headers)
  }
}
