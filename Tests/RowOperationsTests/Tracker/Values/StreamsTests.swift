import Testing

@testable import RowOperations

@Suite("Streams of live rows and states of their rows, as values")
struct StreamsTests {
  /// Opens the stream of a row, which has an element at a time.
  private func open(_ row: RowID, in streams: inout Streams, due: Int64?) {
    _ = streams.open(row, hasElement: false, since: 0, at: 0)
    streams.change(row) { $0.due = due }
  }

  @Test("Elements are committed in the order of the numbers of their rows, whenever they listened")
  func order() {
    var streams = Streams()
    for index in [2, 0, 3, 1] as [Int32] {
      open(RowID(index: index), in: &streams, due: index == 3 ? 6 : 5)
    }
    #expect(streams.due(at: 4).isEmpty)
    #expect(streams.due(at: 5).map(\.row.index) == [0, 1, 2])
  }

  @Test("A stream goes on with that of a load only if it opens in the turn in which the load ends")
  func opener() {
    let (row, run) = (RowID(index: 0), RunID(index: 3))
    var streams = Streams()
    streams.loaded(row, by: run)
    open(row, in: &streams, due: nil)
    #expect(streams[row]?.opener == run)
    streams.turnEnded()
    #expect(streams[row]?.opener == run)
    open(row, in: &streams, due: nil)
    #expect(streams[row]?.opener == nil)
  }

  @Test("A value ends the wait of its row for an element, and leaves a failure of the stream")
  func valueArrived() {
    for listening in [RowState.Listening.none, .quiet, .awaiting, .owed, .paused, .failed] {
      var row = RowState()
      row.listening = listening
      _ = row.valueArrived(cost: 1, isStale: false)
      let isWaiting = listening == .awaiting || listening == .owed
      #expect(row.listening == (isWaiting ? .quiet : listening))
    }
  }
}
