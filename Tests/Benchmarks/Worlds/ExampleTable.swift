import Foundation

/// The blank time of the course of the example `fling`, in virtual time.
///
/// `.ci/real-runs` compares it with real runs of `fling`.
@MainActor
struct ExampleTable {
  private struct Line: Encodable {
    /// As in `fling --latency 20..60`.
    let latency: String
    let slots: Int
    /// In row-seconds.
    let tracker: Double
    let recipe: Double
  }

  private static let latencies = [(5, 10), (20, 60), (100, 100), (400, 600), (800, 1200)]

  static var json: String {
    get throws {
      let lines = latencies.flatMap { low, high in
        [4, 6, 16].map { slots in
          let world = World(use: .course(.example), loads: .spread(low, to: high), slots: slots)
          return Line(
            latency: "\(low)..\(high)", slots: slots,
            tracker: WorldTrial.run(world, .adaptive).blank / 1000,
            recipe: WorldTrial.run(world, .recipe).blank / 1000)
        }
      }
      return String(decoding: try JSONEncoder().encode(lines), as: UTF8.self)
    }
  }
}
