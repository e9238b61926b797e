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
  private let requests = Locked(0)

  init(count: Int, files: ServedFiles?, options: Options) {
    self.count = count
    self.files = files
    latency = options.latency
    failures = options.failures
    seed = options.seed
  }

  func answer(_ path: String) -> Origin.Reply {
    let request = requests.change { count in
      count += 1
      return count
    }
    guard let row = row(in: path), row < count else { return .failure(status: 404) }
    var random = SeededGenerator(seed: seed &+ UInt64(row) << 20 &+ UInt64(request))
    let delay = Int.random(in: latency, using: &random)
    Thread.sleep(forTimeInterval: Double(delay) / 1000)
    guard Int.random(in: 0..<100, using: &random) < failures,
      let fault = Fault.allCases.randomElement(using: &random)
    else { return good(row) }
    switch fault {
    case .error: return .failure(status: 500)
    case .never: return .never
    case .cut: return .cut(Data(repeating: 0, count: 512))
    case .malformed:
      return files == nil ? .document(Data("{\"row\": ".utf8)) : .failure(status: 500)
    }
  }

  private func good(_ row: Int) -> Origin.Reply {
    if let files {
      return .file(files.urls[row]) { files.willHaveSent($0, for: row) }
    }
    guard let data = try? WireDocument.madeUp(for: row).data else { return .failure(status: 500) }
    return .document(data)
  }

  /// `/rows/17.json` asks for row 17.
  private func row(in path: String) -> Int? {
    guard path.hasPrefix("/rows/"), path.hasSuffix(".json") else { return nil }
    return Int(path.dropFirst("/rows/".count).dropLast(".json".count))
  }
}
