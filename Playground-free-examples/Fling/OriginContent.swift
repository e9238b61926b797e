import Foundation
import RowOperationsTesting

/// The embedded server's answers: documents or files, late, and sometimes wrong.
struct OriginContent: Sendable {
  private enum Fault: CaseIterable {
    case error, cut, malformed, never
  }

  let count: Int
  let files: ServedFiles?
  let latency: ClosedRange<Int>
  let failures: Int
  let seed: UInt64
  /// How long a document stays as it is.
  private let pace: Int?
  private let requests = Locked(0)

  init(count: Int, files: ServedFiles?, options: Options) {
    self.count = count
    self.files = files
    latency = options.latency
    failures = options.failures
    seed = options.seed
    pace = options.live
  }

  func answer(_ path: String) -> Origin.Reply {
    let request = requests.change { count in
      count += 1
      return count
    }
    let batch = rows(in: path, after: Self.batchPath)
    let change = pace == nil ? nil : rows(in: path, after: Self.changePath)
    let rows = batch ?? change ?? rows(in: path, after: "/rows/") ?? []
    guard let row = rows.first, batch != nil || rows.count == 1, rows.allSatisfy({ $0 < count })
    else { return .failure(status: 404) }
    var random = SeededGenerator(seed: seed &+ UInt64(row) << 20 &+ UInt64(request))
    var delay = Int.random(in: latency, using: &random)
    if change != nil, let pace { delay += Int.random(in: pace / 2...pace * 3 / 2, using: &random) }
    Thread.sleep(forTimeInterval: Double(delay) / 1000)
    guard Int.random(in: 0..<100, using: &random) < failures,
      let fault = Fault.allCases.randomElement(using: &random)
    else { return batch.map { good($0) } ?? good(row, edition: change == nil ? 1 : request) }
    switch fault {
    case .error: return .failure(status: 500)
    case .never: return .never
    case .cut: return .cut(Data(repeating: 0, count: 512))
    case .malformed:
      return files == nil ? .document(Data("{\"row\": ".utf8)) : .failure(status: 500)
    }
  }

  /// - Parameter edition: Differs between two documents of a row that changes.
  private func good(_ row: Int, edition: Int) -> Origin.Reply {
    if let files {
      return .file(files.urls[row]) { files.willHaveSent($0, for: row) }
    }
    let document = WireDocument.madeUp(for: row, edition: edition)
    guard let data = try? document.data else { return .failure(status: 500) }
    return .document(data)
  }

  /// The documents of several rows as one object of texts, by their numbers.
  private func good(_ rows: [Int]) -> Origin.Reply {
    var texts: [String: String] = [:]
    for row in rows {
      guard let data = try? WireDocument.madeUp(for: row, edition: 1).data else {
        return .failure(status: 500)
      }
      texts[String(row)] = String(decoding: data, as: UTF8.self)
    }
    guard let data = try? JSONEncoder().encode(texts) else { return .failure(status: 500) }
    return .document(data)
  }

  /// Where the next change of a row is.
  static let changePath = "/next/"

  /// Where several rows are, each with its number.
  static let batchPath = "/rows-of/"

  /// `/rows/17.json` asks for row 17, `/rows-of/17,18.json` for two; `nil` if the path is another
  /// one.
  private func rows(in path: String, after prefix: String) -> [Int]? {
    guard path.hasPrefix(prefix), path.hasSuffix(".json") else { return nil }
    let names = path.dropFirst(prefix.count).dropLast(".json".count).split(separator: ",")
    let rows = names.compactMap { Int($0) }
    return rows.count == names.count ? rows : nil
  }
}
