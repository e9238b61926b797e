import Foundation
import RowOperations
import RowOperationsTesting
import TestSupport

extension Family {
  /// B9: the tracker's memory for a waiting row and for a loaded one.
  static let memory = Family(id: "B9", title: "memory per row") { effort in
    // Tables grow by leaps, so a single size says little: these reach up to twice the first.
    let sizes = (0..<effort.repetitions(13)).map { step in
      Int(Double(effort.size(60_000)) * pow(2, Double(step) / 12))
    }
    var (waiting, loaded): ([Double], [Double]) = ([], [])
    for size in sizes {
      waiting.append(await bytesPerWaitingRow(size))
      loaded.append(bytesPerLoadedRow(size))
    }
    return [
      Entry(
        id: "B9a", title: "bytes per waiting row", sample: Sample(waiting), limit: 250),
      Entry(
        id: "B9b", title: "bytes per loaded row beyond its value", sample: Sample(loaded),
        limit: 200),
    ]
  }

  @MainActor
  private static func bytesPerWaitingRow(_ count: Int) async -> Double {
    let rows = rowNames(count)
    let host = TrackedHost(prefetchLimit: count)
    await host.close()
    let before = Heap.bytesInUse
    host.tracker.prefetch(rows)
    host.tracker.endPass()
    let used = Heap.bytesInUse - before
    host.tracker.cancelPrefetch(rows)
    await host.drain()
    return Double(used) / Double(count)
  }

  @MainActor
  private static func bytesPerLoadedRow(_ count: Int) -> Double {
    let rows = rowNames(count)
    let host = TrackedHost(retention: .all)
    let before = Heap.bytesInUse
    for row in rows { host.tracker.setValue(1, for: row) }
    host.tracker.endPass()
    let used = Heap.bytesInUse - before - count * MemoryLayout<Int>.size
    withExtendedLifetime(host) {}
    return Double(used) / Double(count)
  }
}
