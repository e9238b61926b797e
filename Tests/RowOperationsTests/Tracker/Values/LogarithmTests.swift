import Foundation
import Testing

@testable import RowOperations

@Suite("The logarithm of the engine")
struct LogarithmTests {
  @Test("It differs from the system's by less than 1e-12")
  func values() {
    for step in 1...3_000 {
      for value in [Double(step) / 1_000, Double(step) * 1e-9] {
        let exact = log(value)
        #expect(abs(value.naturalLogarithm - exact) < 1e-12, "\(value)")
      }
    }
  }
}
