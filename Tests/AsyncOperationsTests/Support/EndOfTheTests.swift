import Testing

@testable import TestSupport

@Suite("The tests end")
struct EndOfTheTests {
  /// Ends all tests of the package after forty minutes, as they run in one process.
  ///
  /// A time limit of Swift Testing only cancels the task of a test. A test that waits for anything
  /// else would never end. The report then names each test that has exceeded its limit.
  @Test("Tests that hang end", .enabled(if: StressLevel.current == .low))
  func watch() { Watchdog.start(2_400) }
}
