import Foundation

@testable import AsyncOperations
@testable import TestSupport

extension AsyncOperation {
  /// Opens when the operation is about to finish.
  var ending: Gate {
    let gate = Gate()
    addObserver(OperationObserver(willFinish: { _ in gate.open() }))
    return gate
  }
}

extension ResultOperation {
  var error: (any Error)? {
    guard case .failure(let error) = result else { return nil }
    return error
  }

  var hasTimedOut: Bool { (error as? RowOperationsError)?.code == .timedOut }

  /// Waits for the end, whatever it is, and however this task fares.
  func ended() async { _ = try? await value }
}

struct Failure: Error, Hashable {
  var number = 0
}

/// What is reported in a process of a test's own: the hook is the process's.
final class Reports: Sendable {
  private let reported = Box<[OperationMisuse.Code]>([])

  init() { OperationDiagnostics.onMisuse = { [reported] in reported.append($0.code) } }

  var codes: [OperationMisuse.Code] { reported.value }
}

/// Waits until something holds; a time limit of the test's is what fails.
func until(_ holds: () -> Bool) async { while !holds() { await Task.yield() } }

/// How hard the stress suites try: `STRESS=low` (the default), `medium` or `high`.
enum Stress {
  static let name = ProcessInfo.processInfo.environment["STRESS"] ?? "low"
  static let rounds = ["medium": 40, "high": 800][name] ?? 2
  static let seed: UInt64 = {
    let given = ProcessInfo.processInfo.environment["STRESS_SEED"].flatMap { UInt64($0) }
    let seed = given ?? UInt64.random(in: 0..<1_000_000_000)
    print("STRESS=\(name) STRESS_SEED=\(seed)")
    return seed
  }()
}
