import Testing

@testable import RowOperations

@Suite("Row phases")
struct RowPhaseTests {
  struct Failure: Error { let code: Int }
  struct OtherFailure: Error { let code: Int }

  typealias Phase = RowPhase<String>

  /// Phases that all differ from each other.
  static let phases: [Phase] = [
    .idle, .waiting(previous: nil), .waiting(previous: "a"), .waiting(previous: "b"),
    .loading(previous: nil), .loading(previous: "a"), .loaded("a"), .loaded("b"),
    .failed(Failure(code: 1), previous: nil), .failed(Failure(code: 1), previous: "a"),
    .failed(Failure(code: 2), previous: nil), .failed(OtherFailure(code: 1), previous: nil),
    .failed(CancellationError(), previous: nil),
  ]

  @Test("A loaded row has its value, and any other phase has the previous value")
  func value() {
    #expect(
      Self.phases.map(\.value) == [
        nil, nil, "a", "b", nil, "a", "a", "b", nil, "a", nil, nil, nil,
      ])
  }

  @Test("Only a row that failed has an error")
  func error() {
    #expect(Self.phases.prefix(8).allSatisfy { $0.error == nil })
    #expect(Self.phases.dropFirst(8).map { ($0.error as? Failure)?.code } == [1, 1, 2, nil, nil])
    #expect(Self.phases.last?.error is CancellationError)
  }

  @Test("A row is pending while it waits or loads")
  func isPending() {
    let pending = Self.phases.indices.filter { Self.phases[$0].isPending }
    #expect(pending == [1, 2, 3, 4, 5])
  }

  @Test("A phase equals itself and no other phase")
  func equality() {
    for (index, phase) in Self.phases.enumerated() {
      for (other, otherPhase) in Self.phases.enumerated() {
        #expect((phase == otherPhase) == (index == other), "\(phase) and \(otherPhase)")
      }
    }
  }

  @Test("Errors are equal if their types and contents are equal")
  func errors() {
    #expect(
      Phase.failed(Failure(code: 1), previous: nil) == .failed(Failure(code: 1), previous: nil))
    #expect(
      Phase.failed(Failure(code: 1), previous: nil) != .failed(Failure(code: 3), previous: nil))
  }
}
