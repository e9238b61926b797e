import RowOperations
import RowOperationsTesting
import Testing

@Suite("What a simulated list tells: layout and prefetching")
@MainActor
struct ListLayoutTests {
  private let transcript = Transcript()

  /// A list that has been laid out.
  private func laidOut(
    _ count: Int = 100, change: (inout ListBehavior) -> Void = { $0.prefetchDepth = 0 }
  ) -> ListSimulator<Int> {
    var behavior = ListBehavior()
    change(&behavior)
    let list = makeList(count, behavior, in: transcript)
    list.layOut()
    return list
  }

  @Test("The first layout asks for and displays row by row, then announces the next ten")
  func firstLayout() {
    let list = laidOut { _ in }
    #expect(
      transcript.take()
        == "c0(a) W(a) c1(b) W(b) c2(c) W(c) P[3, 4, 5, 6, 7, 8, 9, 10, 11, 12]")
    #expect(list.visibleRows == [0, 1, 2])
    #expect(list.rowsPassed == 3)
  }

  @Test("Some lists announce nothing before the first scroll")
  func firstScroll() {
    let list = laidOut {
      $0.prefetchesAtFirstLayout = false
      $0.prefetchDepth = 2
    }
    #expect(transcript.take() == "c0(a) W(a) c1(b) W(b) c2(c) W(c)")
    list.drag(by: 100)
    #expect(transcript.take() == "move c3(d) W(d) P[4, 5] E(a)@0")
  }

  @Test("In a pass new rows come, then what lies ahead is announced, and only then old rows leave")
  func scrolling() {
    let list = laidOut { $0.prefetchDepth = 2 }
    #expect(transcript.take().hasSuffix("P[3, 4]"))
    list.drag(by: 100)
    #expect(transcript.take() == "move c3(d) W(d) P[5] E(a)@0")
    list.drag(by: 100)
    #expect(transcript.take() == "move c4(a) W(a) P[6] E(b)@1", "a's cell is used again")
  }

  @Test("Scrolling up announces descending rows, nearest first, and takes back those below")
  func scrollingUp() {
    let list = laidOut { $0.prefetchDepth = 3 }
    list.jump(to: 50)
    list.drag(by: 100)
    #expect(transcript.take().contains("P[54, 55, 56]"))
    list.drag(by: -100)
    #expect(transcript.take() == "move c50(d) W(d) P[49, 48, 47] X[54, 55, 56] E(c)@53")
  }

  @Test("A list that takes nothing back says nothing of rows that it passes by")
  func noCancel() {
    let list = laidOut {
      $0.prefetchDepth = 3
      $0.sendsCancelPrefetch = false
    }
    list.jump(to: 50)
    list.drag(by: -100)
    #expect(!transcript.take().contains("X["))
  }

  @Test("At very high speed nothing is announced")
  func speed() {
    let list = laidOut { $0.prefetchDepth = 3 }
    _ = transcript.take()
    list.drag(by: 500, in: .milliseconds(16))
    #expect(!transcript.take().contains("P["))
    list.drag(by: 100, in: .milliseconds(100))
    #expect(transcript.take().contains("P[9, 10, 11]"))
  }

  @Test("Cells are prepared ahead without being displayed, and displayed without being asked for")
  func prepared() {
    let list = laidOut {
      $0.prefetchDepth = 0
      $0.preparedAhead = 2
    }
    #expect(transcript.take() == "c0(a) W(a) c1(b) W(b) c2(c) W(c) c3(d) c4(e)")
    list.drag(by: 100)
    #expect(transcript.take() == "move W(d) E(a)@0 c5(a)")
  }

  @Test("A row that comes right back is displayed in its kept cell, without being asked for")
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

  @Test("Heights that were guessed too low: a pass displays rows and ends some of them at once")
  func guessed() {
    _ = laidOut {
      $0.prefetchDepth = 0
      $0.estimatedHeight = 60
    }
    #expect(
      transcript.take()
        == "c0(a) W(a) c1(b) W(b) c2(c) W(c) c3(d) W(d) c4(e) W(e) E(d)@3 E(e)@4")
  }

  @Test("Rows of varying heights fill the viewport just as well")
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

  @Test("Another viewport: one pass with the difference only")
  func rotation() {
    let list = laidOut()
    _ = transcript.take()
    list.resize(to: 500)
    #expect(transcript.take() == "c3(d) W(d) c4(e) W(e)")
    list.resize(to: 200)
    #expect(transcript.take() == "E(c)@2 E(d)@3 E(e)@4")
  }

  @Test("Covered and seen again: the cells stay and are not told")
  func covered() {
    let list = laidOut()
    _ = transcript.take()
    list.cover()
    list.uncover()
    #expect(transcript.take() == "covered uncovered[a, b, c]")
  }

  @Test("An empty list, and one that is shorter than its viewport, have nothing to tell")
  func small() {
    laidOut(0).layOut()
    #expect(transcript.take() == "")
    let list = laidOut(2)
    #expect(transcript.take() == "c0(a) W(a) c1(b) W(b)")
    list.drag(by: 100)
    #expect(transcript.take() == "", "it cannot be scrolled")
  }
}
