import Foundation
import Testing

@testable import RowOperations

extension Adapters {
  @Suite("Rows whose prefetch is cancelled")
  struct AnnouncedPrefetchesTests {
    private func path(_ item: Int) -> IndexPath { IndexPath(indexes: [0, item]) }

    @Test("A cancel applies to the row that the path named when it was prefetched [15]")
    func paths() {
      var prefetches = AnnouncedPrefetches<String>()
      prefetches.announced("a", at: path(1))
      prefetches.announced("b", at: path(2))
      #expect(prefetches.takenBack([path(2), path(7)]) == ["b"])
      #expect(prefetches.takenBack([path(2)]) == [], "The second cancel finds no row.")
      #expect(prefetches.takenBack([path(1)]) == ["a"])
    }

    @Test("A path that is prefetched again names the newer row [15]")
    func anew() {
      var prefetches = AnnouncedPrefetches<String>()
      prefetches.announced("a", at: path(1))
      prefetches.announced("b", at: path(1))
      #expect(prefetches.takeAll() == ["b"])
      #expect(prefetches.takeAll() == [])
    }

    @Test("Paths that are never cancelled are forgotten, the oldest first [15]")
    func limit() {
      var prefetches = AnnouncedPrefetches<Int>(limit: 3)
      for row in 0..<5 { prefetches.announced(row, at: path(row)) }
      #expect(prefetches.takeAll() == [2, 3, 4])
      // The same path again and again needs no more room.
      for row in 0..<1_000 { prefetches.announced(row, at: path(row % 2)) }
      #expect(prefetches.takeAll() == [998, 999])
    }

    @Test("A path that was cancelled and prefetched again counts as new [15]")
    func thrash() {
      var prefetches = AnnouncedPrefetches<Int>(limit: 2)
      prefetches.announced(0, at: path(0))
      prefetches.announced(1, at: path(1))
      _ = prefetches.takenBack([path(0)])
      prefetches.announced(0, at: path(0))
      prefetches.announced(2, at: path(2))
      #expect(prefetches.takeAll() == [0, 2])
    }
  }
}
