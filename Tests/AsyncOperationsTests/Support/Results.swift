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

  var hasTimedOut: Bool { (error as? OperationError)?.code == .timedOut }

  /// Waits for the end of the operation and ignores its result.
  ///
  /// A cancel may decide the result long before the end.
  func ended() async {
    _ = try? await value
    await withCheckedContinuation { continuation in
      if !whenFinished({ continuation.resume() }) { continuation.resume() }
    }
  }
}

struct Failure: Error, Hashable {
  var number = 0
}
