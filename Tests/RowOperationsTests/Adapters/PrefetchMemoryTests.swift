import Foundation
import Testing

@testable import RowOperations

extension Adapters {
  @Suite("Which prefetched rows are taken back")
  struct PrefetchMemoryTests {
    private func path(_ item: Int) -> IndexPath { IndexPath(indexes: [0, item]) }

    @Test("What is taken back is what the path named when it was announced [15]")
    func paths() {
      var memory = PrefetchMemory<String>()
      memory.announced("a", at: path(1))
      memory.announced("b", at: path(2))
      #expect(memory.takenBack([path(2), path(7)]) == ["b"])
      #expect(memory.takenBack([path(2)]) == [], "The second time is in vain.")
      #expect(memory.takenBack([path(1)]) == ["a"])
    }

    @Test("A path that was announced anew names the newer row [15]")
    func anew() {
      var memory = PrefetchMemory<String>()
      memory.announced("a", at: path(1))
      memory.announced("b", at: path(1))
      #expect(memory.takeAll() == ["b"])
      #expect(memory.takeAll() == [])
    }

    @Test("Paths that are never taken back are forgotten, the oldest first [15]")
    func limit() {
      var memory = PrefetchMemory<Int>(limit: 3)
      for row in 0..<5 { memory.announced(row, at: path(row)) }
      #expect(memory.takeAll() == [2, 3, 4])
      // The same path again and again takes no more room either.
      for row in 0..<1_000 { memory.announced(row, at: path(row % 2)) }
      #expect(memory.takeAll() == [998, 999])
    }

    @Test("A path that was taken back and announced again is as new as it looks [15]")
    func thrash() {
      var memory = PrefetchMemory<Int>(limit: 2)
      memory.announced(0, at: path(0))
      memory.announced(1, at: path(1))
      _ = memory.takenBack([path(0)])
      memory.announced(0, at: path(0))
      memory.announced(2, at: path(2))
      #expect(memory.takeAll() == [0, 2])
    }
  }
}
