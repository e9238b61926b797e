import Testing

@testable import RowOperations

@Suite("Weak references to trackers")
@MainActor
struct LiveCoresTests {
  @Test("References to trackers that are gone are dropped when their number has doubled")
  func references() {
    let live = LiveCores()
    let kept = (0..<20).map { _ in TrackerRig().tracker.core }
    for core in kept { live.add(core) }
    for _ in 0..<200 { live.add(TrackerRig().tracker.core) }
    #expect(live.all.count == 20)
    #expect(live.count <= 40)
  }
}
