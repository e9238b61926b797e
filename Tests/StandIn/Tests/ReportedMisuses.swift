import AsyncOperations
@testable import TestSupport

/// The misuses that are reported while this object exists.
final class ReportedMisuses: Sendable {
  private let reported = Box<[String]>([])

  init() {
    OperationDiagnostics.onMisuse = { [reported] misuse in reported.append("\(misuse)") }
  }

  deinit { OperationDiagnostics.onMisuse = nil }

  var texts: [String] { reported.value }
}
