#if canImport(UIKit) && !os(watchOS)
  import Foundation
  import Network

  /// Whether the user asks to save data where the app is connected now: Low Data Mode.
  ///
  /// One for the whole app, which lives as long as the app does.
  final class DataCost: Sendable {
    static let shared = DataCost()

    // Written on a queue of its own, read on the main thread.
    private let isConstrainedNow = Lock(false)

    /// Unknown counts as no.
    var isConstrained: Bool { isConstrainedNow.withLock { $0 } }

    private init() {
      let monitor = NWPathMonitor()
      // The monitor keeps its handler, and the handler keeps the monitor.
      monitor.pathUpdateHandler = { [self, monitor] path in
        _ = monitor
        isConstrainedNow.withLock { $0 = path.isConstrained }
      }
      monitor.start(queue: DispatchQueue(label: "RowOperations.DataCost"))
    }
  }
#endif
