// Sources/RowOperationsTesting/Scripts/EventScript.swift explains the letters of event scripts.

import Foundation
import RowOperationsTesting
import Testing

@testable import RowOperations
@testable import TestSupport

@Suite("Retention by cost, and low memory")
@MainActor
struct MemoryCostTests {
  private struct Poster: MemoryCosting {
    let memoryCost: Int
  }

  // MARK: The default

  @Test("Values with a known cost are kept by cost, others by number")
  func automatic() {
    #expect(Retention<String>.automatic.countLimit == 200)
    #expect(Retention<String>.automatic.costLimit == nil)
    let retention = Retention<Poster>.automatic
    #expect(retention.countLimit == nil && retention.costLimit != nil)
    #expect(retention.cost(of: Poster(memoryCost: 700)) == 700)
    #expect(Retention<Data>.automatic.cost(of: Data(count: 900)) == 900)
    #expect(Retention<Data?>.automatic.cost(of: Data(count: 900)) == 900)
    #expect(Retention<Data?>.automatic.cost(of: nil) == 256, "no value is free")
  }

  @Test("A size without a limit has the highest cost")
  func pixels() {
    #expect(Int.bytes(ofPixels: 1_170, by: 1_170) == 1_170 * 1_170 * 4)
    #expect(Int.bytes(ofPixels: .infinity, by: 2) == .highestCost)
    #expect(Int.bytes(ofPixels: .nan, by: 2) == .highestCost)
    #expect(Int.bytes(ofPixels: -1, by: 2) == 0)
  }

  @Test(
    "A tracker's values get a sixteenth of the memory, within bounds",
    arguments: [
      (0, 32), (256 << 20, 32), (2 << 30, 128), (4 << 30, 256), (64 << 30, 512), (.max, 512),
    ] as [(UInt64, Int)])
  func budget(memory: UInt64, megabytes: Int) {
    #expect(MemoryBudget(physicalMemory: memory).bytes == megabytes << 20)
  }

  @Test("Decoded pictures of 5 MB stay within the budget, and the newest ones are kept")
  func pictures() {
    var configuration = TrackerConfiguration<Int, Poster>()
    configuration.clock = ManualClock()
    let limit = configuration.retention.costLimit ?? 0
    let tracker = DisplayTracker<Int, Poster>(configuration: configuration, operation: { _ in nil })
    let picture = Poster(memoryCost: 1_170 * 1_170 * 4)
    for row in 0..<200 {
      tracker.setValue(picture, for: row)
      tracker.endPass()
    }
    let kept = (0..<200).filter { tracker.phase(of: $0).value != nil }
    #expect(kept.count == min(limit / picture.memoryCost, 200))
    #expect(kept.last == 199 && kept == Array((200 - kept.count)..<200))
  }

  // MARK: Low memory

  private func value(in rig: TrackerRig) -> TrackerRig.Loaded? { rig.tracker.phase(of: 1).value }

  @Test("At low memory a tracker drops the values that no row claims")
  func lowMemory() async throws {
    let watch = AppWatch()
    let rig = TrackerRig()
    watch.add(rig.tracker.core)
    try await rig.playToTheEnd("v1 c2(a) W2(a) | F2 |")
    #expect(value(in: rig) != nil)
    watch.memoryRanLow()
    #expect(value(in: rig) == nil)
    #expect(rig.tracker.phase(of: 2).value != nil, "row 2 is on screen")
    #expect(rig.violations == [])
  }

  @Test("The watch of the process reaches each tracker")
  func processWatch() async {
    await #expect(processExitsWith: .success) {
      Watchdog.start(Watchdog.patient)
      let values = await MainActor.run {
        let trackers = (1...2).map { _ in DisplayTracker<Int, Int>(operation: { _ in nil }) }
        for tracker in trackers {
          tracker.setValue(7, for: 1)
          tracker.endPass()
        }
        let before = trackers.map { $0.phase(of: 1).value }
        AppWatch.shared.memoryRanLow()
        return before + trackers.map { $0.phase(of: 1).value }
      }
      exit(values == [7, 7, nil, nil] ? 0 : 1)
    }
  }

  @Test("In the background only values that are kept by cost are dropped")
  func background() async throws {
    let watch = AppWatch()
    let byCount = TrackerRig()
    let byCost = TrackerRig { $0.retention = .cost(limit: 100) { _ in 1 } }
    for rig in [byCount, byCost] {
      watch.add(rig.tracker.core)
      try await rig.playToTheEnd("v1 |")
    }
    watch.wentIntoBackground()
    #expect(value(in: byCount) != nil && value(in: byCost) == nil)
  }

  @Test("The app watch does not retain a tracker")
  func released() {
    let watch = AppWatch()
    weak var core: TrackerCore?
    do {
      let tracker = DisplayTracker<Int, Int> { $0.row }
      core = tracker.core
      watch.add(tracker.core)
    }
    #expect(core == nil)
    watch.memoryRanLow()
  }
}
