// Transcript.swift explains the letters of events.

import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("Events of a simulated list: layout and prefetching")
@MainActor
struct ListLayoutTests {
  private let transcript = Transcript()

  /// A list after its first layout.
  private func laidOut(
    _ count: Int = 100, change: (inout ListBehavior) -> Void = { $0.prefetchDepth = 0 }
  ) -> ListSimulator<Int> {
    var behavior = ListBehavior()
    change(&behavior)
    let list = makeList(count, behavior, in: transcript)
    list.layOut()
    return list
  }

  @Test("The first layout displays row by row, then prefetches the next ten rows")
  func firstLayout() {
    let list = laidOut { _ in }
    #expect(
      transcript.take()
        == "c0(a) W(a) c1(b) W(b) c2(c) W(c) P[3, 4, 5, 6, 7, 8, 9, 10, 11, 12]")
    #expect(list.visibleRows == [0, 1, 2])
    #expect(list.rowsPassed == 3)
  }

  @Test("Some lists prefetch nothing before the first scroll")
  func firstScroll() {
    let list = laidOut {
      $0.prefetchesAtFirstLayout = false
      $0.prefetchDepth = 2
    }
    #expect(transcript.take() == "c0(a) W(a) c1(b) W(b) c2(c) W(c)")
    list.drag(by: 100)
    #expect(transcript.take() == "move c3(d) W(d) P[4, 5] E(a)@0")
  }

  @Test("In a pass new rows come first, then rows ahead are prefetched, then old rows leave")
  func scrolling() {
    let list = laidOut { $0.prefetchDepth = 2 }
    #expect(transcript.take().hasSuffix("P[3, 4]"))
    list.drag(by: 100)
    #expect(transcript.take() == "move c3(d) W(d) P[5] E(a)@0")
    list.drag(by: 100)
    #expect(transcript.take() == "move c4(a) W(a) P[6] E(b)@1", "cell a is reused")
  }

  @Test("A scroll up prefetches rows nearest first, and cancels the prefetches below")
  func scrollingUp() {
    let list = laidOut { $0.prefetchDepth = 3 }
    list.jump(to: 50)
    list.drag(by: 100)
    #expect(transcript.take().contains("P[54, 55, 56]"))
    list.drag(by: -100)
    #expect(transcript.take() == "move c50(d) W(d) P[49, 48, 47] X[54, 55, 56] E(c)@53")
  }

  @Test("A list without prefetch cancels reports nothing about rows that it passes")
  func noCancel() {
    let list = laidOut {
      $0.prefetchDepth = 3
      $0.sendsCancelPrefetch = false
    }
    list.jump(to: 50)
    list.drag(by: -100)
    #expect(!transcript.take().contains("X["))
  }

  @Test("At very high speed nothing is prefetched")
  func speed() {
    let list = laidOut { $0.prefetchDepth = 3 }
    _ = transcript.take()
    list.drag(by: 500, in: .milliseconds(16))
    #expect(!transcript.take().contains("P["))
    list.drag(by: 100, in: .milliseconds(100))
    #expect(transcript.take().contains("P[9, 10, 11]"))
  }

  @Test("Prepared cells are not displayed at first, and later displayed without a new call")
  func prepared() {
    let list = laidOut {
      $0.prefetchDepth = 0
      $0.preparedAhead = 2
    }
    #expect(transcript.take() == "c0(a) W(a) c1(b) W(b) c2(c) W(c) c3(d) c4(e)")
    list.drag(by: 100)
    #expect(transcript.take() == "move W(d) E(a)@0 c5(a)")
  }

  @Test("A row that comes right back is displayed in its kept cell, without a new call")
  func kept() {
    let list = laidOut {
      $0.prefetchDepth = 0
      $0.keptCells = 1
    }
    list.drag(by: 100)
    _ = transcript.take()
    list.drag(by: -100)
    #expect(transcript.take() == "move W(a) E(d)@3")
  }

  @Test("With low height estimates a pass displays rows and ends some of them at once")
  func guessed() {
    _ = laidOut {
      $0.prefetchDepth = 0
      $0.estimatedHeight = 60
    }
    #expect(
      transcript.take()
        == "c0(a) W(a) c1(b) W(b) c2(c) W(c) c3(d) W(d) c4(e) W(e) E(d)@3 E(e)@4")
  }

  @Test("Rows of different heights fill the viewport")
  func varying() {
    let list = ListSimulator(
      rows: Array(0..<100), height: { Double(50 * ($0 % 3 + 1)) }, viewport: 300,
      handle: transcript.handle)
    list.layOut()
    #expect(list.visibleRows == [0, 1, 2])
    list.jump(to: 7)
    #expect(list.visibleRows == [7, 8, 9])
    #expect(list.maximumOffset == 33 * 300 + 50 - 300)
  }

  @Test("A new viewport size causes one pass with only the difference")
  func rotation() {
    let list = laidOut()
    _ = transcript.take()
    list.resize(to: 500)
    #expect(transcript.take() == "c3(d) W(d) c4(e) W(e)")
    list.resize(to: 200)
    #expect(transcript.take() == "E(c)@2 E(d)@3 E(e)@4")
  }

  @Test("A cover and its end report no events of cells")
  func covered() {
    let list = laidOut()
    _ = transcript.take()
    list.cover()
    list.uncover()
    #expect(transcript.take() == "covered uncovered[a, b, c]")
  }

  @Test("An empty list and a list shorter than its viewport report no scroll")
  func small() {
    laidOut(0).layOut()
    #expect(transcript.take() == "")
    let list = laidOut(2)
    #expect(transcript.take() == "c0(a) W(a) c1(b) W(b)")
    list.drag(by: 100)
    #expect(transcript.take() == "", "the list cannot scroll")
  }
}
