import Testing

@testable import RowOperations

@Suite("The streams of live rows as a value")
struct StreamsTests {
  private static let rows = [0, 1, 2].map { RowID(index: $0) }

  private static func open(_ row: RowID, in streams: inout Streams) {
    _ = streams.open(row, hasElement: true, since: 0, at: 0)
  }

  @Test("Streams that are due or change come in the order of their rows, also after a removal")
  func order() {
    var streams = Streams()
    for row in Self.rows {
      Self.open(row, in: &streams)
      streams.change(row) { ($0.due, $0.graceEnd) = (5, 5) }
    }
    _ = streams.remove(Self.rows[0])
    #expect(streams.due(at: 5).map(\.row) == [Self.rows[1], Self.rows[2]])
    #expect(streams.changing(at: 5, timeout: nil) == [Self.rows[1], Self.rows[2]])
  }

  @Test("Streams have a deadline only while an element or a change is due")
  func deadline() {
    var streams = Streams()
    Self.open(Self.rows[0], in: &streams)
    #expect(streams.nextDeadline(timeout: nil) == nil)
    streams.change(Self.rows[0]) { $0.due = 7 }
    #expect(streams.nextDeadline(timeout: nil) == 7)
  }

  @Test("A stream goes on with that of a load only if it opens in the turn in which the load ends")
  func opener() {
    var streams = Streams()
    let run = RunID(index: 3)
    streams.loaded(Self.rows[0], by: run)
    Self.open(Self.rows[0], in: &streams)
    #expect(streams[Self.rows[0]]?.opener == run)
    streams.turnEnded()
    Self.open(Self.rows[0], in: &streams)
    #expect(streams[Self.rows[0]]?.opener == nil)
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
