import Testing

@testable import RowOperations

@Suite("The rows of batches as a value")
struct BatchesTests {
  private static let batch = RunID(index: 9)

  /// A batch with two rows.
  private static func pair(_ first: ClaimKind, _ second: ClaimKind) -> Batches {
    var batches = Batches()
    batches.begin(batch, [(RunID(index: 3), first), (RunID(index: 5), second)])
    return batches
  }

  @Test("A batch has the strongest claim of its rows")
  func claim() {
    let kinds: [ClaimKind] = [.displayed, .landing, .prefetched]
    for first in kinds {
      for second in kinds {
        #expect(Self.pair(first, second).claim(of: Self.batch) == min(first, second))
      }
    }
  }

  @Test("A batch is kept while a row has a claim or is covered, and is empty when all are gone")
  func standings() {
    var batches = Self.pair(.displayed, .prefetched)
    batches.setStanding(of: RunID(index: 3), .left)
    #expect(batches.claim(of: Self.batch) == .prefetched && batches.isKept(Self.batch))
    batches.setStanding(of: RunID(index: 5), .covered)
    #expect(batches.claim(of: Self.batch) == nil && batches.isKept(Self.batch))
    batches.setStanding(of: RunID(index: 5), .gone)
    #expect(!batches.isKept(Self.batch) && !batches.isEmpty(Self.batch), "a row may join again")
    batches.setStanding(of: RunID(index: 3), .landing)
    #expect(batches.claim(of: Self.batch) == .landing)
    batches.setStanding(of: RunID(index: 3), .gone)
    #expect(batches.isEmpty(Self.batch))
  }

  @Test("A change is taken once, and a standing that stays is none")
  func changes() {
    var batches = Self.pair(.displayed, .displayed)
    let began = batches.takeChange(of: Self.batch)
    let again = batches.takeChange(of: Self.batch)
    batches.setStanding(of: RunID(index: 3), .displayed)
    let stayed = batches.takeChange(of: Self.batch)
    batches.setStanding(of: RunID(index: 3), .gone)
    let left = batches.takeChange(of: Self.batch)
    #expect((began, again) == (true, false))
    #expect((stayed, left) == (false, true))
  }

  @Test("Rows have places in the request, also after the end of the batch")
  func places() {
    var batches = Self.pair(.displayed, .displayed)
    #expect(batches.members(of: Self.batch) == [RunID(index: 3), RunID(index: 5)])
    #expect(batches.place(of: RunID(index: 5)) == 1)
    batches.setMembers(of: Self.batch, [RunID(index: 5)])
    #expect(batches.place(of: RunID(index: 5)) == 0)
    #expect(batches.batch(of: RunID(index: 5)) == Self.batch)
    batches.end(Self.batch)
    #expect(batches.members(of: Self.batch) == [] && batches.count == 0)
    #expect(batches.place(of: RunID(index: 5)) == 0)
    #expect(batches.isEmpty(Self.batch) && !batches.isKept(Self.batch))
  }

  @Test("Rows with neighbouring numbers have their own standings")
  func neighbours() {
    var batches = Batches()
    batches.begin(Self.batch, (0..<3).map { (RunID(index: $0), .landing) })
    batches.setStanding(of: RunID(index: 1), .left)
    #expect((0..<3).map { batches.standing(of: RunID(index: $0)) } == [.landing, .left, .landing])
    #expect((0..<3).map { batches.place(of: RunID(index: $0)) } == [0, 1, 2])
  }

  @Test("Memory is released once no batch is left")
  func memory() {
    var batches = Batches()
    var size: Int? {
      Mirror(reflecting: batches).descendant("memberships").map {
        Mirror(reflecting: $0).children.count
      }
    }
    batches.begin(Self.batch, [(RunID(index: 5_000), .displayed)])
    batches.releaseMemory()
    #expect(size == 5_001 && batches.batch(of: RunID(index: 5_000)) == Self.batch)
    batches.end(Self.batch)
    batches.releaseMemory()
    #expect(size == 0)
  }
}
