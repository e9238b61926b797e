import Foundation
import Testing

@testable import RowOperations

extension Adapters {
  @Suite("Which prefetched rows are taken back")
  struct AnnouncedPrefetchesTests {
    private func path(_ item: Int) -> IndexPath { IndexPath(indexes: [0, item]) }

    @Test("What is taken back is what the path named when it was announced [15]")
    func paths() {
      var prefetches = AnnouncedPrefetches<String>()
      prefetches.announced("a", at: path(1))
      prefetches.announced("b", at: path(2))
      #expect(prefetches.takenBack([path(2), path(7)]) == ["b"])
      #expect(prefetches.takenBack([path(2)]) == [], "The second time is in vain.")
      #expect(prefetches.takenBack([path(1)]) == ["a"])
    }

    @Test("A path that was announced anew names the newer row [15]")
    func anew() {
      var prefetches = AnnouncedPrefetches<String>()
      prefetches.announced("a", at: path(1))
      prefetches.announced("b", at: path(1))
      #expect(prefetches.takeAll() == ["b"])
      #expect(prefetches.takeAll() == [])
    }

    @Test("Paths that are never taken back are forgotten, the oldest first [15]")
    func limit() {
      var prefetches = AnnouncedPrefetches<Int>(limit: 3)
      for row in 0..<5 { prefetches.announced(row, at: path(row)) }
      #expect(prefetches.takeAll() == [2, 3, 4])
      // The same path again and again takes no more room either.
      for row in 0..<1_000 { prefetches.announced(row, at: path(row % 2)) }
      #expect(prefetches.takeAll() == [998, 999])
    }

    @Test("A path that was taken back and announced again is as new as it looks [15]")
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
