import Testing

@testable import RowOperations

@Suite("The order of prefetch claims")
struct ClaimsTests {
  private let rows = (0..<3 as Range<Int32>).map { RowID(index: $0) }

  @Test("A row that is prefetched again has the newest claim, and no old one")
  func again() {
    var claims = Claims()
    for row in rows { claims.prefetch(row) }
    claims.turnEnded()
    #expect(claims.newestOldPrefetch == rows[2])
    claims.prefetch(rows[2])
    #expect(claims.newestOldPrefetch == rows[1])
    claims.prefetch(rows[0])
    #expect(claims.newestOldPrefetch == rows[1])
    #expect(Array(claims.prefetched) == [rows[1], rows[2], rows[0]])
    claims.endPrefetch(of: rows[1])
    #expect(claims.newestOldPrefetch == nil && claims.prefetchCount == 2)
  }
}
