#if (canImport(UIKit) && !os(watchOS)) || (canImport(AppKit) && !targetEnvironment(macCatalyst))
  import Foundation
  import Network

  /// Whether the user asks to save data where the app is connected now: Low Data Mode.
  ///
  /// One for the whole app, which lives as long as the app does.
  final class DataCost: @unchecked Sendable {
    // Sendable: the monitor is only set up in `init`, and kept for its handler.

    static let shared = DataCost()

    private let monitor = NWPathMonitor()
    // Written on a queue of its own, read on the main thread.
    private let isConstrainedNow = Lock(false)

    /// Unknown counts as no.
    var isConstrained: Bool { isConstrainedNow.withLock { $0 } }

    private init() {
      monitor.pathUpdateHandler = { [self] path in
        isConstrainedNow.withLock { $0 = path.isConstrained }
      }
      monitor.start(queue: DispatchQueue(label: "RowOperations.DataCost"))
    }
  }
#endif
