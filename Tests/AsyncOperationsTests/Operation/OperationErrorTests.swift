import Foundation
import Testing

@testable import AsyncOperations

@Suite("The error of the library itself")
struct OperationErrorTests {
  private static let codes: [OperationError.Code] = [
    .timedOut, .notEnqueued, .tooLarge, .nestedPermit,
  ]

  @Test("No two codes of the modules have the same number")
  func numbers() {
    #expect(Set(Self.codes.map(\.number)).count == Self.codes.count)
  }

  @Test("Two errors are equal if their codes are, as NSErrors too")
  func equality() {
    for first in Self.codes {
      for second in Self.codes {
        let (a, b) = (error(first, "one"), error(second, "other"))
        #expect((a == b) == (first == second))
        #expect((a.hashValue == b.hashValue) == (first == second))
        #expect(((a as NSError).code == (b as NSError).code) == (first == second))
        #expect((a as NSError).domain == OperationError.errorDomain)
      }
    }
  }

  @Test("Its description is the localized description of the NSError")
  func description() {
    let tooLarge = error(.tooLarge, "It is too large.")
    #expect(tooLarge.localizedDescription == "It is too large.")
    #expect((tooLarge as NSError).localizedDescription == "It is too large.")
    #expect("\(tooLarge)" == "It is too large.")
  }

  private func error(_ code: OperationError.Code, _ description: String) -> OperationError {
    OperationError(code: code, description: description)
  }
}
