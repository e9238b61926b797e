import AsyncOperations

/// The reported misuses of one operation, or of code that a name stands for.
///
/// The hook is global. It is set once for all tests, which run at the same time, and sorts the
/// reports.
final class Misuses: Sendable {
  private static let ofOperations = Box<[ObjectIdentifier: Misuses]>([:])
  private static let ofNames = Box<[String: Misuses]>([:])
  @TaskLocal private static var ofTask: Misuses?

  private static let isInstalled: Bool = {
    OperationDiagnostics.onMisuse = { misuse in
      if let operation = misuse.operation {
        ofOperations.value[ObjectIdentifier(operation)]?.note(misuse)
      } else if let ofTask {
        ofTask.note(misuse)
      } else {
        ofNames.value.first { misuse.description.contains($0.key) }?.value.note(misuse)
      }
    }
    return true
  }()

  private let reported = Log<OperationMisuse.Code>([])
  private let texts = Log<String>([])
  private let act: @Sendable (OperationMisuse) -> Void

  /// Watches an operation, which must live as long as this does.
  ///
  /// - Parameter act: Called inside the hook.
  init(
    of operation: AsyncOperation, _ act: @escaping @Sendable (OperationMisuse) -> Void = { _ in }
  ) {
    _ = Self.isInstalled
    self.act = act
    Self.ofOperations.change { $0[ObjectIdentifier(operation)] = self }
  }

  /// Watches reports without an operation whose description contains a name.
  convenience init(naming name: String) {
    self.init()
    Self.ofNames.change { $0[name] = self }
  }

  private init() {
    _ = Self.isInstalled
    act = { _ in }
  }

  /// Watches reports without an operation that `body` itself makes.
  static func inside<Output>(_ body: (Misuses) throws -> Output) rethrows -> Output {
    let misuses = Misuses()
    return try $ofTask.withValue(misuses) { try body(misuses) }
  }

  private func note(_ misuse: OperationMisuse) {
    texts.append(misuse.description)
    act(misuse)
    reported.append(misuse.code)
  }

  var codes: [OperationMisuse.Code] { reported.value }

  var descriptions: [String] { texts.value }

  /// The codes without the reports of slow bodies and of slow cancel handlers.
  ///
  /// These go by real time, so a busy machine adds them to a test that cancels a waiting body.
  var codesOnAnyMachine: [OperationMisuse.Code] {
    codes.filter { ![.ignoredCancellation, .blockedCancelHandler].contains($0) }
  }
}
