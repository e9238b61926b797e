import Foundation
import RowOperations
import TestSupport

extension Family {
  /// The tracker's memory for a waiting row and for a loaded one.
  static let memory = Family("B9") {
    // Tables grow by leaps, so a single size says little: these reach up to twice the first.
    let sizes = (0..<6).map { Int(50_000 * pow(2, Double($0) / 6)) }
    func mean(_ bytes: (Int) -> Double) -> Double {
      sizes.map(bytes).reduce(0, +) / Double(sizes.count)
    }
    return [
      Figure("B9a", "bytes of a waiting row", mean(bytesPerWaitingRow), limit: 300),
      Figure("B9b", "bytes of a loaded row beyond its value", mean(bytesPerLoadedRow), limit: 260),
    ]
  }

  /// A tracker prefetches at most 1,000 rows, so that a hundred trackers share them.
  @MainActor
  private static func bytesPerWaitingRow(_ count: Int) -> Double {
    let rows = rowNames(count / 100)
    let hosts = (0..<100).map { _ in PassingHost(prefetchLimit: rows.count) }
    return bytes(rows.count * hosts.count, hosts) {
      for host in hosts {
        host.tracker.prefetch(rows)
        host.tracker.endPass()
      }
    }
  }

  @MainActor
  private static func bytesPerLoadedRow(_ count: Int) -> Double {
    let rows = rowNames(count)
    let host = PassingHost(retention: .all)
    return bytes(count, [host]) {
      for row in rows { host.tracker.setValue(1, for: row) }
      host.tracker.endPass()
    } - Double(MemoryLayout<Int>.size)
  }

  @MainActor
  private static func bytes(_ count: Int, _ hosts: [PassingHost], of work: () -> Void) -> Double {
    let before = Heap.bytesInUse
    work()
    let used = Heap.bytesInUse - before
    return withExtendedLifetime(hosts) { Double(used) / Double(count) }
  }
}
