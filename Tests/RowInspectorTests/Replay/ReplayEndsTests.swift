import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("Loads whose ends are not in a recording")
@MainActor
struct ReplayEndsTests {
  @Test("The body of a load that times out ends in a replay", arguments: ["", " batch=1"])
  func timedOut(setup: String) throws {
    let replay = try ListReplay(
      """
      # RowOperations 1 slots=1 timeout=1000 retry=never\(setup)
      c0(a) W0(a) c1(b) W1(b) c2(c) W2(c) |
      +1000ms |
      +1000ms |
      +500ms F2 |

      """)
    #expect(replay.starts == [0, 1, 2], "no body holds the slot")
    #expect(replay.tracker.phase(of: 2).value == 2 && replay.lostEndCount == 0)
    #expect(replay.tracker.metrics.failed == 2)
  }

  @Test("A value that the app sets for a row of a batch does not end the batch of other rows")
  func valueInBatch() throws {
    let replay = try ListReplay(
      """
      # RowOperations 1 slots=1 batch=2 retry=never
      c0(a) W0(a) c1(b) W1(b) |
      v0 |
      F1 |

      """)
    #expect(replay.tracker.phase(of: 1).value == 1 && replay.lostEndCount == 0)
  }

  @Test("A batch that has a value for each row from the app ends in a replay")
  func valueOfAll() throws {
    let replay = try ListReplay(
      """
      # RowOperations 1 slots=1 batch=1 retry=never
      c0(a) W0(a) c1(b) W1(b) c2(c) W2(c) |
      v0 |
      v1 |
      +10ms F2 |

      """)
    #expect(replay.starts == [0, 1, 2], "no batch holds the slot")
    #expect(replay.tracker.phase(of: 2).value == 2 && replay.lostEndCount == 0)
  }

  @Test("An element for a row whose stream is not open is played in none")
  func closedStream() {
    let tracker = DisplayTracker<Int, Int>(updates: { _ in AsyncStream { _ in } })
    tracker.prefetch([1])
    #expect(!tracker.play(.success(1), inStreamOf: 1))
  }
}
