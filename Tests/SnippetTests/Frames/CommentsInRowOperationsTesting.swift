import Foundation
import RowInspector
import RowOperations
import RowOperationsTesting

private struct Photo: Sendable {
  let row: Int
}

@MainActor
private func list(_ app: TrackedList<Int, String>) {
  //@ let list = ListSimulator(rows: Array(0..<10_000), viewport: 600) { event in
}

@MainActor
private func gate() async {
  //@ let gate = LoadGate<Int, String>()
  tracker.removeAll()
}

@MainActor
private func streams() async {
  //@ let gate = StreamGate<Int, String>()
  tracker.removeAll()
}

@MainActor
private func batchGate() async {
  //@ let gate = BatchGate<Int, String>()
  tracker.removeAll()
}

@MainActor
private func recorder(_ configuration: inout TrackerConfiguration<Int, String>) async {
  //@ let recorder = TrackerRecorder<Int>()
}

#if canImport(Testing)
  import Testing

  @MainActor
  private func recorded(_ url: URL) throws {
    //@ let replay = try ListReplay(contentsOf: url)
  }
#endif

private func script() throws -> EventScript {
  //@ let script = try EventScript("cW[0…9] P[10…19] | c10(k) W10(k) P[20] E0(a) | +150ms |")
  return script
}

@MainActor
private func player(
  _ tracker: DisplayTracker<Int, Photo>, _ configuration: inout TrackerConfiguration<Int, Photo>
) throws {
  //@ let clock = ManualClock()
}

private func clock(_ configuration: inout TrackerConfiguration<Int, String>) {
  //@ let clock = ManualClock()
}

@MainActor
private func app(_ tracker: DisplayTracker<Int, Photo>, _ rows: [Int]) {
  //@ let app = TrackedList(tracker) { value in value.row }
  list.layOut()
}
