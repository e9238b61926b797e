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
