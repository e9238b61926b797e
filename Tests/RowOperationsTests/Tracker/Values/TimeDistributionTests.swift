import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("Distribution of times")
struct TimeDistributionTests {
  @Test("An empty distribution has no percentile")
  func empty() {
    #expect(TimeDistribution().median == nil && TimeDistribution().percentile(95) == nil)
  }

  @Test("A percentile is off by at most 4 %, from a microsecond to a day", arguments: 0..<40)
  func precision(power: Int) throws {
    let time = Int64(1_000) << Int64(power)
    for factor in [1.0, 1.2, 1.49, 1.51, 1.99] {
      var histogram = Histogram()
      let exact = Int64(Double(time) * factor)
      histogram.add(nanoseconds: exact)
      let times = TimeDistribution(histogram)
      let median = try #require(times.median).nanoseconds
      // Below 16 microseconds each class is one microsecond wide.
      #expect(abs(median - exact) <= max(exact / 25, 1_000), "\(median) for \(exact)")
    }
  }

  @Test("A percentile is the nearest rank in the sorted times")
  func ranks() throws {
    var random = SeededGenerator(seed: 7)
    for count in [1, 2, 3, 10, 99, 1_000] {
      var histogram = Histogram()
      let all = (0..<count).map { _ in Int64.random(in: 0...3_000_000_000, using: &random) }
      for time in all { histogram.add(nanoseconds: time) }
      let times = TimeDistribution(histogram)
      #expect(times.count == count)
      for percent in [0.0, 1, 50, 95, 99, 100] {
        let rank = max(Int((Double(count) * percent / 100).rounded(.up)), 1)
        let exact = all.sorted()[rank - 1]
        let found = try #require(times.percentile(percent)).nanoseconds
        #expect(abs(found - exact) <= exact / 25 + 1_000, "\(percent) % of \(count)")
      }
    }
  }

  @Test("The difference of two snapshots has the times that were added between them")
  func difference() {
    var (all, new) = (Histogram(), Histogram())
    for _ in 0..<10 { all.add(nanoseconds: 5_000_000_000) }
    let before = TimeDistribution(all)
    for time in [1_000_000, 2_000_000, 9_000_000] as [Int64] {
      all.add(nanoseconds: time)
      new.add(nanoseconds: time)
    }
    let (times, added) = (TimeDistribution(all), TimeDistribution(new))
    let difference = times - before
    #expect(difference.count == 3 && difference.median == added.median)
    #expect(difference == added)
    #expect(times - times == TimeDistribution() && times.percentile(.nan) != nil)
    let reversed = TimeDistribution() - times
    #expect(
      reversed.count == -13 && reversed.median == nil, "the snapshots are the wrong way round")
  }

  @Test("A percentile beyond 0 or 100 is that of the shortest or the longest time")
  func bounds() {
    var histogram = Histogram()
    for time in [3_000, 5_000, 9_000] as [Int64] { histogram.add(nanoseconds: time) }
    #expect(histogram.percentile(-1) == 3 && histogram.percentile(101) == 9)
    var negative = Histogram()
    negative.add(nanoseconds: -5_000)
    #expect(negative.percentile(50) == 0)
  }

  @Test("A difference without occurrences has no percentile, though its times are others")
  func noOccurrences() {
    var (later, earlier) = (Histogram(), Histogram())
    later.add(nanoseconds: 1_000)
    earlier.add(nanoseconds: 2_000)
    let difference = later - earlier
    #expect(difference.count == 0 && difference.percentile(50) == nil)
  }
}
