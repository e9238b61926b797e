import RowOperationsTesting
import Testing

@Suite("Seeded generator")
struct SeededGeneratorTests {
  static func numbers(_ seed: UInt64, _ count: Int = 100) -> [UInt64] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { _ in random.next() }
  }

  @Test("The numbers are those of SplitMix64 on every system")
  func reference() {
    #expect(
      Self.numbers(1_234_567, 5) == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
        4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
      ])
  }

  @Test("The same seed gives the same numbers, and another seed other numbers")
  func deterministic() {
    #expect(Self.numbers(42) == Self.numbers(42))
    #expect(Set((0..<100).flatMap { Self.numbers($0) }).count == 10_000)
  }

  @Test("A copy continues at the original's position")
  func copies() {
    var original = SeededGenerator(seed: 9)
    _ = original.next()
    var copy = original
    #expect(copy.next() == original.next())
  }

  @Test("Every bit is set half of the time")
  func bits() {
    let numbers = Self.numbers(5, 10_000)
    for bit in 0..<64 {
      let count = numbers.count { $0 >> bit & 1 == 1 }
      #expect((4700...5300).contains(count), "bit \(bit)")
    }
  }
}
