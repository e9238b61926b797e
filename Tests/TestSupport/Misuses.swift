import AsyncOperations

/// The reported misuses of one operation.
///
/// The hook is global. It is set once for all tests, which run at the same time, and sorts the
/// reports by operation. A test of the hook itself runs in its own process.
final class Misuses: Sendable {
  private static let all = Box<[ObjectIdentifier: Misuses]>([:])

  private static let isInstalled: Bool = {
    OperationDiagnostics.onMisuse = { misuse in
      guard let operation = misuse.operation else { return }
      all.value[ObjectIdentifier(operation)]?.reported.append(misuse.code)
    }
    return true
  }()

  private let reported = Log<OperationMisuse.Code>([])

  /// Watches an operation, which must live as long as this does.
  init(of operation: AsyncOperation) {
    _ = Self.isInstalled
    Self.all.change { $0[ObjectIdentifier(operation)] = self }
  }

  var codes: [OperationMisuse.Code] { reported.value }

  /// The codes without the reports of slow bodies, of missing threads and of slow cancel handlers.
  ///
  /// These go by real time, so a busy machine adds them to a test that cancels a waiting body.
  var codesOnAnyMachine: [OperationMisuse.Code] {
    codes.filter { ![.ignoredCancellation, .blockedThreads, .blockedCancelHandler].contains($0) }
  }
}
