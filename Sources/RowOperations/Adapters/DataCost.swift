#if (canImport(UIKit) && !os(watchOS)) || (canImport(AppKit) && !targetEnvironment(macCatalyst))
  import Foundation
  import Network

  /// Watches whether the current connection is in Low Data Mode.
  final class DataCost: Sendable {
    static let shared = DataCost()

    private let monitor = ThreadSafe(NWPathMonitor())
    // Written on a queue of its own, read on the main thread.
    private let isConstrainedNow = Lock(false)

    /// `false` while unknown.
    var isConstrained: Bool { isConstrainedNow.withLock { $0 } }

    private init() {
      monitor.object.pathUpdateHandler = { [self] path in
        isConstrainedNow.withLock { $0 = path.isConstrained }
      }
      monitor.object.start(queue: DispatchQueue(label: "RowOperations.DataCost"))
    }
  }
#endif
