// Transcript.swift explains the letters of events.

import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("Events of a simulated list: scrolling")
@MainActor
struct ListScrollingTests {
  private let transcript = Transcript()
  private let list: ListSimulator<Int>

  init() {
    var behavior = ListBehavior()
    behavior.prefetchDepth = 0
    list = makeList(1000, behavior, in: transcript)
    list.layOut()
    _ = transcript.take()
  }

  @Test(
    "A fling reports its resting position at its beginning, and rests there",
    arguments: [0.3, 1, 5])
  func landing(velocity: Double) {
    list.fling(velocity: velocity)
    let distance = Deceleration.normal.distance(velocity: velocity)
    let landing = list.rows(at: distance)
    #expect(transcript.events == ["begin", "land\(landing)"])
    var elapsed = Duration.zero
    while list.isMoving {
      list.advance(by: .milliseconds(8))
      elapsed += .milliseconds(8)
    }
    #expect(list.visibleRows == landing)
    #expect(abs(list.offset - distance) < 0.001)
    #expect(elapsed - Deceleration.normal.duration(velocity: velocity) < .milliseconds(8))
    #expect(transcript.events.last == "settle")
  }

  @Test("A fling stops at the list's end")
  func end() {
    list.jump(to: 997)
    list.fling(velocity: 5)
    #expect(!list.isMoving, "the list is already there")
    list.jump(to: 990)
    list.fling(velocity: 5)
    #expect(transcript.events.last == "land[997, 998, 999]")
    while list.isMoving { list.advance(by: .milliseconds(16)) }
    #expect(list.offset == list.maximumOffset)
  }

  @Test("Some lists report the end of a fling that a finger stops", arguments: [true, false])
  func stopped(tells: Bool) {
    var behavior = ListBehavior()
    behavior.reportsStoppedFlings = tells
    let list = makeList(1000, behavior, in: transcript)
    list.layOut()
    list.fling(velocity: 2)
    list.advance(by: .milliseconds(16))
    _ = transcript.take()
    list.stop()
    #expect(transcript.take() == (tells ? "settle" : ""))
    let offset = list.offset
    list.advance(by: .seconds(1))
    #expect(list.offset == offset)
  }

  @Test("A caught fling that is flung again begins again with another landing")
  func caught() {
    list.fling(velocity: 2)
    list.advance(by: .milliseconds(16))
    _ = transcript.take()
    list.fling(velocity: -2)
    #expect(transcript.take().hasPrefix("begin land["))
    while list.isMoving { list.advance(by: .milliseconds(16)) }
    #expect(list.offset == 0)
  }

  @Test("A jump is one pass without the rows in between")
  func jump() {
    list.jump(to: 500)
    #expect(transcript.take() == "c500(d) W(d) c501(e) W(e) c502(f) W(f) E(a)@0 E(b)@1 E(c)@2")
  }

  @Test("An animated jump shows some rows in between; without a distance it never ends")
  func animatedJump() {
    list.jump(to: 500, frames: 2)
    let told = transcript.take()
    #expect(told.contains("c250(") && told.contains("c500(") && !told.contains("c100("))
    #expect(told.hasSuffix("settle"))
    list.jump(to: 500, frames: 2)
    #expect(transcript.take() == "begin")
  }

  @Test("No frame of a fling has a gap, a row twice, or a cell with two rows")
  func noHoles() {
    for velocity in [40, -3, 12, -40] as [Double] {
      list.fling(velocity: velocity)
      while list.isMoving {
        list.advance(by: .milliseconds(16))
        #expect(list.visibleRows == list.rows(at: list.offset))
        #expect(list.visibleCells.count == list.visibleRows.count)
        #expect(Set(list.visibleCells.map(\.number)).count == list.visibleCells.count)
      }
    }
  }
}
