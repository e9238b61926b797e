import Foundation
import Testing

@testable import RowOperations

@Suite("The logarithm of the engine")
struct LogarithmTests {
  @Test("It differs from the system's by a few units in the last place")
  func values() {
    for step in 1...3_000 {
      for value in [Double(step) / 1_000, Double(step) * 1e-9] {
        let exact = log(value)
        #expect(abs(value.naturalLogarithm - exact) <= 4 * exact.ulp, "\(value)")
      }
    }
  }
}
