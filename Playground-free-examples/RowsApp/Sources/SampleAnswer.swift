import Foundation

/// The answer to a request of one of the lists: a value of the path alone.
struct SampleAnswer: Sendable {
  let status: Int
  let type: String
  let body: Data
  /// Seconds until the first byte.
  let delay: Double

  /// - Parameter attempt: How often this address was requested before.
  init(to url: URL, attempt: Int) {
    let seed = Self.seed(of: url.path)
    delay = 0.1 + Double(seed % 500) / 1_000
    // One address in 23 fails at first, so that lists have something to retry.
    if seed % 23 == 0, attempt == 0 {
      (status, type, body) = (503, "text/plain", Data("Busy".utf8))
      return
    }
    let parts = url.pathComponents.dropFirst()
    switch (parts.first, parts.count) {
    case ("articles", 2):
      let title = "<html><head><title>Article \(parts.last ?? "")</title></head></html>"
      (type, body) = ("text/html", Data(title.utf8))
    case ("feed", 1):
      (type, body) = ("application/json", Self.page(after: url))
    default:
      (type, body) = ("image/png", SamplePicture(seed: seed).png() ?? Data())
    }
    status = body.isEmpty ? 500 : 200
  }

  /// Thirty addresses, and the cursor of the next page; after 300 there is none.
  private static func page(after url: URL) -> Data {
    struct Page: Encodable {
      let urls: [URL]
      let next: String?
    }
    let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems
    let first = items?.first { $0.name == "after" }?.value.flatMap(Int.init) ?? 0
    let urls = (first..<first + 30).map { SampleServer.address("/infinite/\($0).jpg") }
    let page = Page(urls: urls, next: first + 30 < 300 ? String(first + 30) : nil)
    return (try? JSONEncoder().encode(page)) ?? Data()
  }

  /// The same number for the same text in each run (FNV-1a), unlike `hashValue`.
  private static func seed(of text: String) -> UInt64 {
    text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 } >> 8
  }
}
