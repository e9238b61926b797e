import Testing

@testable import RowOperations

@Suite("The order of announced rows")
struct ClaimsTests {
  private let rows = (0..<3 as Range<Int32>).map { RowID(index: $0) }

  @Test("A row that is announced again has the newest claim, which goes before all others")
  func again() {
    var claims = Claims()
    let ranks = [0, 1, 2, 0].map { claims.announce(rows[$0]) }
    #expect(ranks == ranks.sorted(by: >) && Set(ranks).count == 4)
    #expect(ranks.allSatisfy { $0 < .firstWindowRank })
    #expect(Array(claims.announced) == [rows[1], rows[2], rows[0]])
    #expect(claims.oldestAnnounced == rows[1] && claims.announcedCount == 3)
    claims.endAnnouncement(of: rows[1])
    #expect(claims.oldestAnnounced == rows[2] && claims.announcedCount == 2)
  }
}
