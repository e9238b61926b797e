import Foundation

/// What a run came to.
struct Figures: Encodable, Sendable {
  var rowsPassed: Int
  var displayed: Int
  var started: Int
  var finished: Int
  var cancelledWaiting: Int
  var cancelledRunning: Int
  var cancelledPerStage: [String: Int]
  var refusedStale: Int
  var shared: Int
  var failed: Int
  var finishedOffScreen: Int
  var bytes: Int
  /// The longest of all flings.
  var secondsToSettle: Double
  /// Of all flings together.
  var notLoadedAtStandstill: Int
  var wrongRows: Int

  private enum CodingKeys: CodingKey {
    case rowsPassed, displayed, started, finished, cancelledWaiting, cancelledRunning
    case refusedStale, shared, failed, finishedOffScreen, bytes, secondsToSettle
    case notLoadedAtStandstill, wrongRows
  }

  var json: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
  }

  var table: String {
    let stages = cancelledPerStage.sorted { $0.key < $1.key }
      .map { ("    in stage \($0.key)", String($0.value)) }
    let lines =
      [
        ("rows passed", String(rowsPassed)),
        ("displayed at rest", String(displayed)),
        ("loads started", String(started)),
        ("  finished", String(finished)),
        ("  failed", String(failed)),
        ("  cancelled while running", String(cancelledRunning)),
      ] + stages + [
        ("  refused as stale", String(refusedStale)),
        ("cancelled while waiting", String(cancelledWaiting)),
        ("shared", String(shared)),
        ("finished off screen", String(finishedOffScreen)),
        ("bytes received", String(bytes)),
        ("seconds from standstill to loaded", String(format: "%.3f", secondsToSettle)),
        ("not yet loaded at standstill", String(notLoadedAtStandstill)),
        ("wrong rows", String(wrongRows)),
      ]
    return lines.map { name, value in
      name.padding(toLength: 36, withPad: " ", startingAt: 0)
        + String(repeating: " ", count: max(10 - value.count, 0)) + value
    }.joined(separator: "\n")
  }
}
