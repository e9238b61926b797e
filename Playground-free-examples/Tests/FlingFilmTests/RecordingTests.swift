import RowOperations
import Testing

@testable import fling

@Suite("A recording")
struct RecordingTests {
  @Test("follows a row from waiting over loading to its end")
  func loads() {
    var loads = RowLoads()
    func record(_ kind: TrackerEvent.Kind) -> RowLook {
      loads.record(TrackerEvent(row: 7, kind: kind, time: .zero))
      return loads.look(of: 7)
    }
    #expect(loads.look(of: 7) == .notWanted)
    #expect(record(.displayed) == .notWanted)
    #expect(record(.waiting) == .waiting)
    #expect(loads.look(of: 8) == .notWanted)
    #expect(record(.leftWaiting) == .notWanted)
    #expect(record(.waiting) == .waiting)
    #expect(record(.started(1)) == .loading)
    #expect(record(.cancelled(1)) == .notWanted)
    #expect(record(.started(2)) == .loading)
    #expect(record(.finished(1)) == .loading, "An older load ended.")
    #expect(record(.finished(2)) == .notWanted)
  }

  @Test("adds up for how long rows were blank")
  func blankTime() {
    let recording = Recording(["0 .w", "0 ls", "0 sx", "0 ss"])
    #expect(recording.frames.map(recording.blankRows) == [2, 1, 1, 0])
    let expected = [0, 0.2, 0.3, 0.4]
    for (time, wanted) in zip(recording.blankRowSeconds, expected) {
      #expect(abs(time - wanted) < 1e-9)
    }
    #expect(recording.showsRows)
    #expect(!Recording(["0 .w", "0 lx"]).showsRows)
  }

  @Test("counts a row as blank only if its middle is on screen")
  func edges() {
    let recording = Recording(["4 ssw", "49 wsw", "50 wsw", "51 wsw", "96 wsx", "51 www"])
    #expect(recording.frames.map(recording.blankRows) == [0, 1, 1, 1, 1, 2])
  }

  @Test("counts blank rows in words")
  func words() {
    #expect([0, 1, 2].map(RowLook.blankText) == ["0 rows blank", "1 row blank", "2 rows blank"])
  }

  @Test("finds the frame on screen at a time")
  func index() {
    let recording = Recording(["0 ss", "10 sss", "20 sss"])
    #expect([-1, 0, 0.05, 0.1, 0.15, 0.2, 9].map(recording.index) == [0, 0, 0, 1, 1, 2, 2])
  }
}
