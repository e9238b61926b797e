import AsyncOperations
@testable import TestSupport

/// The misuses that are reported while this object exists.
final class ReportedMisuses: Sendable {
  private let reported = Box<[OperationMisuse]>([])

  init() {
    OperationDiagnostics.onMisuse = { [reported] misuse in reported.append(misuse) }
  }

  deinit { OperationDiagnostics.onMisuse = nil }

  var texts: [String] { reported.value.map { "\($0)" } }

  func texts(except code: OperationMisuse.Code) -> [String] {
    reported.value.filter { $0.code != code }.map { "\($0)" }
  }
}
